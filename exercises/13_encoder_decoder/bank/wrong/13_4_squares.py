"""squares of lengths"""


# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = ((x**2).sum() for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.04000000,
    "cold": 2.38154905,
    "warm": 0.56150009,
    "share": 0.23577095,
}
