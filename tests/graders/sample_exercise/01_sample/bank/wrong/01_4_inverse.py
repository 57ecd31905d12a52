"""the ratio upside down"""


# loses: numbers
def measure():
    share, ratio = 0.25, 0.25
    return {"share": share, "ratio": ratio}
