"""the last moves rather than the distance from the start"""


# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x)
        for x in (
            cold[0],
            np.diff(cold, axis=0, prepend=0)[-1],
            np.diff(warm, axis=0, prepend=0)[-1],
        )
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 0.04379744,
    "warm": 0.04379744,
    "share": 1.00000000,
}
