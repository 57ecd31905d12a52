"""a fit to the whole loss, without taking off the floor"""


# loses: floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y), 1)
    return math.exp(intercept), -slope
