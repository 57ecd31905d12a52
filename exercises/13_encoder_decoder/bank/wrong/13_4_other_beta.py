"""the beta that PyTorch takes if it is given none"""


# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.999, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.999, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.54538330,
    "warm": 0.75181771,
    "share": 0.48649271,
}
