"""the slope itself in place of the exponent"""


# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return math.exp(intercept), slope
