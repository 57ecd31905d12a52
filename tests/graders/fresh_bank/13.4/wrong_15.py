# question 13.4
# wrong: moves without the correction of the means (m and v start at 0)
# differs: w 1: first is 0.707 times as long
def measure(gradients, peak, w):
    length = lambda row: math.sqrt(sum(entry * entry for entry in row.tolist()))
    ends, first = {}, None
    for name in ("cold", "warm"):
        m, v = np.zeros(gradients.shape[1]), np.zeros(gradients.shape[1])
        place = np.zeros(gradients.shape[1])
        for t in range(1, w + 1):
            g = gradients[t - 1]
            m = 0.9 * m + 0.1 * g
            v = 0.98 * v + 0.02 * g * g
            rate = peak if name == "cold" else peak * t / w
            move = rate * m / (np.sqrt(v) + 1e-9)
            place = place - move
            if t == 1 and name == "cold":
                first = length(move)
        ends[name] = length(place)
    return {"first": first, **ends, "share": ends["warm"] / ends["cold"]}



report = {"first": 0.316227764, "cold": 2.454581113, "warm": 1.174480469, "share": 0.478485092}
