"""the difference of the shares, not their ratio"""


# loses: numbers
def measure():
    share, ratio = 0.25, 0.1875
    return {"share": share, "ratio": ratio}
