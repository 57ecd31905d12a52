"""another epsilon"""


# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-8)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-8
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.19999999,
    "cold": 1.54322681,
    "warm": 0.74933309,
    "share": 0.48556251,
}
