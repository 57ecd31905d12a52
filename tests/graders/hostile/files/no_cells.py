"""JSON that is no notebook."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text('[{"cells": []}, NaN, 1e999]')
