"""An archive that unpacks over the homework of somebody else and over the system's files."""

# all: unreadable

import zipfile


def write(folder, solved):
    with zipfile.ZipFile(folder / "homework.zip", "w") as archive:
        for name in ("../honest_solution/homework.ipynb", "/tmp/hostile.ipynb", "..\\..\\hostile.ipynb"):
            archive.writestr(name, "{}")
