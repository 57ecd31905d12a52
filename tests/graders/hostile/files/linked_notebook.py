"""A symbolic link to the notebook of somebody who solved everything."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").symlink_to("../honest_solution/homework.ipynb")
