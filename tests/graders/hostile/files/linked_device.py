"""A symbolic link to a device that never ends."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").symlink_to("/dev/zero")
