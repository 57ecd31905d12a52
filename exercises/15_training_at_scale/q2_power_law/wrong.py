"""Named mistakes in question 15.2."""


# %% base_ten: a logarithm to base 10 undone with base e
# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log10(x), np.log10(y - floor), 1)
    return math.exp(intercept), -slope


# %% correlation: a correlation, which losses that do not move have not
# loses: noisy
def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    r = np.corrcoef(u, v)[0, 1]
    slope = r * v.std() / u.std()
    intercept = v.mean() - slope * u.mean()
    return math.exp(intercept), -slope


# %% float32: a fit in float32
# loses: noisy
def fit(x, y, floor):
    x = torch.tensor(x, dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)
    u, v = x.log(), (y - floor).log()
    a = torch.stack([u, torch.ones_like(u)], dim=1)
    slope, intercept = torch.linalg.lstsq(a, v[:, None]).solution[:, 0].tolist()
    return math.exp(intercept), -slope


# %% floor_in_b: a b with the floor added to it
# loses: floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return floor + math.exp(intercept), -slope


# %% logarithm_of_b: the logarithm of b in place of b
# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return intercept, -slope


# %% no_floor: a fit to the whole loss, without taking off the floor
# loses: floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y), 1)
    return math.exp(intercept), -slope


# %% other_distances: a line with least horizontal distances
# loses: noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(y - floor), np.log(x), 1)
    return math.exp(-intercept / slope), -1 / slope


# %% slope: the slope itself in place of the exponent
# loses: exact, floor, noisy
def fit(x, y, floor):
    slope, intercept = np.polyfit(np.log(x), np.log(y - floor), 1)
    return math.exp(intercept), slope


# %% through_one: a line through b = 1, without a height of its own
# loses: exact, floor, noisy
def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    return 1.0, -(u * v).sum() / (u * u).sum()


# %% two_points: the line through the points with the least and the greatest x alone
# loses: noisy
def fit(x, y, floor):
    low, high = np.argmin(x), np.argmax(x)
    v = np.log(y - floor)
    c = (v[low] - v[high]) / math.log(x[high] / x[low])
    return math.exp(v[low] + c * math.log(x[low])), c
