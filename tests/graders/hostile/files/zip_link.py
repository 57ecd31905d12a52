"""An archive with a symbolic link to the password file."""

# all: unreadable

import stat
import zipfile


def write(folder, solved):
    entry = zipfile.ZipInfo("homework.ipynb")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(folder / "homework.zip", "w") as archive:
        archive.writestr(entry, "/etc/passwd")
