"""a line with least horizontal distances"""


# loses: noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(y - floor), np.log(x), 1)
    return math.exp(-intercept / slope), -1 / slope
