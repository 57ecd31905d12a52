"""An archive whose list of entries tells another size than the data have."""

# all: unreadable

import zipfile


def write(folder, solved):
    path = folder / "homework.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("homework.ipynb", solved)
    content = bytearray(path.read_bytes())
    entry = content.rfind(b"PK\1\2")
    content[entry + 16 : entry + 28] = bytes(4) + b"\xff\xff\xff\x7f" * 2
    path.write_bytes(content)
