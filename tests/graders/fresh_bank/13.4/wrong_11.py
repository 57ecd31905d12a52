# question 13.4
# wrong: lengths are sums of absolute values
# differs: two parameters
def measure(gradients, peak, w):
    """How far Adam goes in its first steps, with warm-up and without."""
    steps = np.arange(1, w + 1)
    cold = adam_path(gradients, np.full(w, float(peak)), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * steps / w, 0.9, 0.98, 1e-9)
    first = np.abs(cold[0]).sum()
    far_cold, far_warm = np.abs(cold[-1]).sum(), np.abs(warm[-1]).sum()
    return {
        "first": float(first),
        "cold": float(far_cold),
        "warm": float(far_warm),
        "share": float(far_warm / far_cold),
    }



report = {"first": 0.316227764, "cold": 2.454581113, "warm": 1.174480469, "share": 0.478485092}
