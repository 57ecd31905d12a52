"""NumPy, with a cosine as a sine a quarter turn ahead."""


def waves(positions, d, base=10000.0):
    column = np.arange(d)
    rate = np.exp(-np.log(base) * (column // 2) * 2 / d)
    angle = np.outer(positions.numpy().astype(np.float64), rate)
    return np.sin(angle + (column % 2) * np.pi / 2)
