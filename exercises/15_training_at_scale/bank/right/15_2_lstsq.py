"""A system of equations for both numbers at once."""

def fit(x, y, floor):
    table = np.stack([np.ones_like(x), -np.log(x)], axis=1)
    solution = np.linalg.lstsq(table, np.log(y - floor), rcond=None)[0]
    return np.exp(solution[0]), solution[1]
