# question 13.4
# wrong: the warm-up reaches the peak one step after the last: t / (w + 1)
# differs: w 1: share is 0.5 instead of 1
def measure(gradients, peak, w):
    """How far Adam goes in its first steps, with warm-up and without."""
    steps = np.arange(1, w + 1)
    cold = adam_path(gradients, np.full(w, float(peak)), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * steps / (w + 1), 0.9, 0.98, 1e-9)
    first = np.linalg.norm(cold[0])
    far_cold, far_warm = np.linalg.norm(cold[-1]), np.linalg.norm(warm[-1])
    return {
        "first": float(first),
        "cold": float(far_cold),
        "warm": float(far_warm),
        "share": float(far_warm / far_cold),
    }



report = {"first": 0.316227764, "cold": 2.454581113, "warm": 1.174480469, "share": 0.478485092}
