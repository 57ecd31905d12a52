# question 13.4
# wrong: the lengths of all moves are added up instead of the distance from 0
# differs: w 2, gradients [[1.], [-1.]]
def measure(gradients, peak, w):
    """How far Adam goes in its first steps, with warm-up and without."""
    steps = np.arange(1, w + 1)
    cold = adam_path(gradients, np.full(w, float(peak)), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * steps / w, 0.9, 0.98, 1e-9)
    first = np.linalg.norm(cold[0])
    far_cold, far_warm = (np.linalg.norm(np.diff(p, axis=0, prepend=0 * p[:1]), axis=1).sum() for p in (cold, warm))
    return {
        "first": float(first),
        "cold": float(far_cold),
        "warm": float(far_warm),
        "share": float(far_warm / far_cold),
    }



report = {"first": 0.316227764, "cold": 2.454581113, "warm": 1.174480469, "share": 0.478485092}
