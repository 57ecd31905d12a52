# question 13.4
# wrong: the first move is computed as the rate times the root of the number of parameters, as if epsilon and zeros did not matter
# differs: w 1, gradients [[1e-9, 1.]], peak 1: 1.118 instead of 1.414
def measure(gradients, peak, w):
    """How far Adam goes in its first steps, with warm-up and without."""
    steps = np.arange(1, w + 1)
    cold = adam_path(gradients, np.full(w, float(peak)), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * steps / w, 0.9, 0.98, 1e-9)
    first = peak * math.sqrt(gradients.shape[1])
    far_cold, far_warm = np.linalg.norm(cold[-1]), np.linalg.norm(warm[-1])
    return {
        "first": float(first),
        "cold": float(far_cold),
        "warm": float(far_warm),
        "share": float(far_warm / far_cold),
    }



report = {"first": 0.316227764, "cold": 2.454581113, "warm": 1.174480469, "share": 0.478485092}
