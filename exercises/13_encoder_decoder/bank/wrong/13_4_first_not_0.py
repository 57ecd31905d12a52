"""the first move that is not 0"""


# loses: first, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    moved = next(x for x in np.diff(cold, axis=0, prepend=0.0) if x.any())
    first, far, near = (np.linalg.norm(x) for x in (moved, cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}
