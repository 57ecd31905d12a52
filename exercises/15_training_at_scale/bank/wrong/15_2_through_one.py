"""a line through b = 1, without a height of its own"""


# loses: exact, floor, noisy
def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    return 1.0, -(u * v).sum() / (u * u).sum()
