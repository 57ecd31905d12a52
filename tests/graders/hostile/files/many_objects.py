"""Forty-five megabytes of empty lists, a gigabyte as objects, beside the cells of the solved notebook."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved[:-1] + ', "x": [' + "[]," * (15 << 20) + "0]}")
