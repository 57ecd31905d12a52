"""sums of absolute values rather than lengths"""


# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.abs(x).sum() for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 3.99999998, "cold": 25.00446671, "warm": 12.30306374, "share": 0.49203464}
