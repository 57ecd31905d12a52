"""the sum of the weights"""


# loses: numbers
def measure():
    share, ratio = 1.0, 1.0
    return {"share": share, "ratio": ratio}
