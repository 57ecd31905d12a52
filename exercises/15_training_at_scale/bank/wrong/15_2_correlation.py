"""a correlation, which losses that do not move have not"""
# loses: noisy
def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    r = np.corrcoef(u, v)[0, 1]
    slope = r * v.std() / u.std()
    intercept = v.mean() - slope * u.mean()
    return math.exp(intercept), -slope
