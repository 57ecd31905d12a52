"""Right answers to question 13.4."""


# %% direct: Both paths, and lengths by NumPy.
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% rate_by_rate: Rates from the schedule's formula, lengths by hand.
def measure(gradients, peak, w):
    def length(x):
        return math.sqrt(sum(float(number) ** 2 for number in x))

    found = {}
    for name in ("cold", "warm"):
        rates = [peak * (min(1.0, t / w) if name == "warm" else 1.0) for t in range(1, w + 1)]
        path = adam_path(gradients, np.array(rates), 0.9, 0.98, 1e-9)
        found[name] = length(path[-1])
        if name == "cold":
            found["first"] = length(path[0])
    found["share"] = found["warm"] / found["cold"]
    return found


report = {"first": 0.2, "cold": 1.543227, "warm": 0.7493331, "share": 0.4855625}
