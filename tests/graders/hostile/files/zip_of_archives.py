"""Thirty archives of forty megabytes in an archive of a megabyte, beside a good notebook."""

# all: unreadable

import io
import zipfile


def write(folder, solved):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("data.txt", bytes(40 << 20))
    with zipfile.ZipFile(folder / "homework.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("homework.ipynb", solved)
        for number in range(30):
            archive.writestr(f"{number}.zip", inner.getvalue())
