"""An archive with a hundred thousand entries."""

# all: unreadable

import zipfile


def write(folder, solved):
    with zipfile.ZipFile(folder / "homework.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{number}.ipynb", "")
