"""the size of the whole path, not of its last row"""


# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold, warm))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 8.01760673,
    "warm": 2.71899359,
    "share": 0.33912783,
}
