"""warm rates in equal steps from 0 to the peak"""


# loses: warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.linspace(0, 1, w), 0.9, 0.98, 1e-9)
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.54322683,
    "warm": 0.73785436,
    "share": 0.47812437,
}
