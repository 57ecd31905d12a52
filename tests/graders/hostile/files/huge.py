"""Sixty megabytes of output in a solved notebook."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved[:-1] + ', "x": "' + "x" * (60 << 20) + '"}')
