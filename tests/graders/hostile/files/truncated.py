"""A notebook whose upload broke off."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved[: len(solved) // 2])
