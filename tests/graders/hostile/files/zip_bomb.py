"""An archive of a megabyte that unpacks to a gigabyte."""

# all: unreadable

import zipfile


def write(folder, solved):
    with zipfile.ZipFile(folder / "homework.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("homework.ipynb", "w", force_zip64=True) as stream:
            for _ in range(1024):
                stream.write(bytes(1 << 20))
