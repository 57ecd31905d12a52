"""A file without a byte."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").touch()
