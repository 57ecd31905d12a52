"""A photograph named like a notebook."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 100)
