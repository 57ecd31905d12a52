"""a b with the floor added to it"""


# loses: floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return floor + math.exp(intercept), -slope
