"""Named mistakes in question 13.4."""


# %% absolute: sums of absolute values rather than lengths
# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.abs(x).sum() for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 3.99999998, "cold": 25.00446671, "warm": 12.30306374, "share": 0.49203464}


# %% all_places: the size of the whole path, not of its last row
# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold, warm))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 8.01760673,
    "warm": 2.71899359,
    "share": 0.33912783,
}


# %% divisor_guarded: a divisor of at least 1e-6
# loses: share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / max(far, 1e-6)}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% exchanged: the cold and the warm lengths exchanged
# loses: cold, warm, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": near, "warm": far, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 0.74933310,
    "warm": 1.54322683,
    "share": 0.48556251,
}


# %% first_not_0: the first move that is not 0
# loses: first, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    moved = next(x for x in np.diff(cold, axis=0, prepend=0.0) if x.any())
    first, far, near = (np.linalg.norm(x) for x in (moved, cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% first_warm: the first warm move
# loses: first, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (warm[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.00400000, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% from_zero: warm rates that begin at 0
# loses: warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(w) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.20000000, "cold": 1.54322683, "warm": 0.72309727, "share": 0.46856188}


# %% greatest_distance: the greatest distance on the way rather than the last
# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x, axis=-1).max() for x in (cold[0], cold, warm))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% half_of_peak: a warm rate that is half of the peak throughout
# loses: warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, np.full(w, peak / 2), 0.9, 0.98, 1e-9)
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.54322683,
    "warm": 0.77161341,
    "share": 0.50000000,
}


# %% inverted: the cold length over the warm one
# loses: share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": far / near}


report = {"first": 0.20000000, "cold": 1.54322683, "warm": 0.74933310, "share": 2.05946706}


# %% last_moves: the last moves rather than the distance from the start
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


# %% mean_size: root mean squares rather than lengths
# loses: first, cold, warm, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.sqrt(np.mean(x**2)) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.01000000, "cold": 0.07716134, "warm": 0.03746665, "share": 0.48556251}


# %% other_beta: the beta that PyTorch takes if it is given none
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


# %% other_epsilon: another epsilon
# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-8)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-8
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.19999999,
    "cold": 1.54322681,
    "warm": 0.74933309,
    "share": 0.48556251,
}


# %% other_peak: a report of a run with ten times the peak
# loses: report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 2.0, "cold": 15.4322683, "warm": 7.4933310, "share": 0.48556251}


# %% path_length: the lengths of the paths rather than the distance from the start
# loses: cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(cold[0]), *(np.linalg.norm(np.diff(x, axis=0, prepend=0 * x[:1]), axis=1).sum() for x in (cold, warm)))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.20000000, "cold": 3.01825890, "warm": 1.26909795, "share": 0.42047352}


# %% peak_of_the_run: a cold rate of 0.01, whatever the peak is
# loses: first, cold, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, 0.01), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.54322683,
    "warm": 0.74933310,
    "share": 0.48556251,
}


# %% report_exchanged: a report with the cold and the warm lengths exchanged
# loses: report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 0.74933310,
    "warm": 1.54322683,
    "share": 0.48556251,
}


# %% report_other_noise: a report of the run on other noise
# loses: report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.61388786,
    "warm": 0.76135891,
    "share": 0.47175453,
}


# %% root_warm_up: rates that rise with the root of the step
# loses: warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.sqrt(np.arange(1, w + 1) / w), 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.20000000, "cold": 1.54322683, "warm": 0.97954158, "share": 0.63473597}


# %% share_of_both: the warm length over the sum of both
# loses: share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {
        "first": first,
        "cold": far,
        "warm": near,
        "share": near / (near + far),
    }


report = {
    "first": 0.20000000,
    "cold": 1.54322683,
    "warm": 0.74933310,
    "share": 0.32685431,
}


# %% six_decimals: lengths of six decimals
# loses: first, cold, warm, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (float(np.linalg.norm(x)) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": round(first, 6), "cold": round(far, 6), "warm": round(near, 6), "share": near / far}


report = {"first": 0.2, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251}


# %% squares: squares of lengths
# loses: first, cold, warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9
    )
    first, far, near = ((x**2).sum() for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.04000000,
    "cold": 2.38154905,
    "warm": 0.56150009,
    "share": 0.23577095,
}


# %% to_the_end: warm rates in equal steps from 0 to the peak
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


# %% two_digits: a report of two digits
# loses: report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, peak * np.arange(1, w + 1) / w, 0.9, 0.98, 1e-9)
    first, far, near = (np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {"first": 0.2, "cold": 1.5, "warm": 0.75, "share": 0.49}


# %% w_of_the_run: 50 steps of warm-up, whatever w is
# loses: warm, share, report
def measure(gradients, peak, w):
    cold = adam_path(gradients, np.full(w, peak), 0.9, 0.98, 1e-9)
    warm = adam_path(
        gradients, peak * np.arange(1, w + 1) / 50, 0.9, 0.98, 1e-9
    )
    first, far, near = (
        np.linalg.norm(x) for x in (cold[0], cold[-1], warm[-1])
    )
    return {"first": first, "cold": far, "warm": near, "share": near / far}


report = {
    "first": 0.20000000,
    "cold": 1.54322683,
    "warm": 0.74933310,
    "share": 0.48556251,
}
