"""the lengths of the paths rather than the distance from the start"""


# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(cold[0]), *(np.linalg.norm(np.diff(x, axis=0, prepend=0 * x[:1]), axis=1).sum() for x in (cold, warm)))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.20000000, "cold": 3.01825890, "warm": 1.26909795, "share": 0.42047352}
