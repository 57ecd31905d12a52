"""An archive of a kilobyte whose many entries all have the same bytes."""

# all: unreadable

import zipfile


def write(folder, solved):
    with zipfile.ZipFile(folder / "homework.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("homework.ipynb", solved)
        for number in range(20):
            archive.writestr(f"{number}.ipynb", b"{}")
            archive.infolist()[-1].header_offset = 0
