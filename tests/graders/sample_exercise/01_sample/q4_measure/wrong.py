"""Named mistakes in question 01.4."""


# %% count: the numbers of keys
# loses: numbers
def measure():
    share, ratio = 4, 16
    return {"share": share, "ratio": ratio}


# %% difference: the difference of the shares, not their ratio
# loses: numbers
def measure():
    share, ratio = 0.25, 0.1875
    return {"share": share, "ratio": ratio}


# %% inverse: the ratio upside down
# loses: numbers
def measure():
    share, ratio = 0.25, 0.25
    return {"share": share, "ratio": ratio}


# %% sum: the sum of the weights
# loses: numbers
def measure():
    share, ratio = 1.0, 1.0
    return {"share": share, "ratio": ratio}
