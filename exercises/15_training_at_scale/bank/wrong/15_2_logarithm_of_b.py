"""the logarithm of b in place of b"""


# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return intercept, -slope
