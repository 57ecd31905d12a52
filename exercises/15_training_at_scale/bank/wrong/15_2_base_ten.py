"""a logarithm to base 10 undone with base e"""


# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log10(x), np.log10(y - floor), 1)
    return math.exp(intercept), -slope
