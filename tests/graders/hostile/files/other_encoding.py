"""A notebook in UTF-16, as some editors save it."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved, encoding="utf-16")
