"""A symbolic link to the folder of somebody who solved everything, and one that leads to itself."""

# all: unreadable


def write(folder, solved):
    (folder / "work").symlink_to("../honest_solution")
    (folder / "loop").symlink_to(".")
