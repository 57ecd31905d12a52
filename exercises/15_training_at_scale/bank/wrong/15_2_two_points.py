"""the line through the points with the least and the greatest x alone"""


# loses: noisy
def fit(x, y, floor):
    low, high = np.argmin(x), np.argmax(x)
    v = np.log(y - floor)
    c = (v[low] - v[high]) / math.log(x[high] / x[low])
    return math.exp(v[low] + c * math.log(x[low])), c
