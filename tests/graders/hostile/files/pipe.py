"""A named pipe, whose reader waits for ever."""

# all: unreadable

import os


def write(folder, solved):
    os.mkfifo(folder / "homework.ipynb")
