"""A number of a hundred thousand digits in the metadata."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved[:-1] + ', "x": ' + "9" * 100_000 + "}")
