"""root mean squares rather than lengths"""


# loses: first, cold, warm, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.sqrt(np.mean(x**2)) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.01000000, "cold": 0.07716134, "warm": 0.03746665, "share": 0.48556251}
