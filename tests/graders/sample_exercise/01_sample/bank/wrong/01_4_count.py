"""the numbers of keys"""


# loses: numbers
def measure():
    share, ratio = 4, 16
    return {"share": share, "ratio": ratio}
