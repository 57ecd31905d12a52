"""JSON that is nested a hundred thousand levels deep."""

# all: unreadable


def write(folder, solved):
    (folder / "homework.ipynb").write_text('{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}")
