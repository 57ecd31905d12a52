"""Right answers to question 06.7."""


# %% arrays: One array for all widths, a fitted line, and a slope from the rounded means.
def measure(widths, weights):
    alpha = np.array(weights)
    largest = alpha.max(axis=2) * (1 - alpha.max(axis=2))
    means = np.average(largest, axis=1)
    line = np.polyfit(np.log([widths[1], widths[3]]), np.log(means[[1, 3]]), 1)
    return {
        "means": means,
        "medians": np.quantile(largest, 0.5, axis=1),
        "slope": line[0],
        "certain": np.count_nonzero(alpha[3].max(axis=1) > 0.99) / alpha.shape[1],
    }


means = np.array([0.148, 0.0861, 0.0448, 0.0217])
report = {"seed": np.int64(3), "means": means, "medians": np.array([0.171, 0.0360, 1.31e-3, 1.24e-6])}
report["slope"] = math.log(means[3] / means[1]) / math.log(1024 / 64)
report["certain"] = 0.805


# %% loops: Query by query, and numbers copied with three digits.
import statistics


def measure(widths, weights):
    found = {"means": [], "medians": []}
    for rows in weights:
        largest = [max(float(a) * (1.0 - float(a)) for a in row) for row in rows]
        found["means"].append(statistics.fmean(largest))
        found["medians"].append(statistics.median(largest))
    change = np.log10(found["means"][-1]) - np.log10(found["means"][1])
    found["slope"] = change / (np.log10(widths[-1]) - np.log10(widths[1]))
    certain = [row for row in weights[-1] if max(row) > 0.99]
    found["certain"] = len(certain) / len(weights[-1])
    return found


report = {
    "seed": 2,
    "means": [0.151, 0.0828, 0.0402, 0.022],
    "medians": [0.176, 0.0361, 0.000707, 0.000000952],
    "slope": -0.478,
    "certain": 0.804,
}


# %% torch: Tensors, a sorted median, another seed and every digit.
def measure(widths, weights):
    alpha = torch.stack([torch.from_numpy(rows) for rows in weights])
    largest = (alpha - alpha.square()).amax(dim=2)
    n = largest.shape[1]
    ordered = largest.sort(dim=1).values
    means = largest.mean(dim=1)
    rise = means.log() @ torch.tensor([0.0, -1.0, 0.0, 1.0], dtype=torch.float64)
    return {
        "means": means,
        "medians": (ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2,
        "slope": rise / math.log(widths[3] / widths[1]),
        "certain": (alpha[3].amax(dim=1) > 0.99).double().mean(),
    }


report = {
    "seed": 1,
    "means": [0.14883641986, 0.0827322346707, 0.0434515255467, 0.0232004282185],
    "medians": [0.171534231056, 0.0327215934532, 0.000979217389271, 7.61037671449e-07],
    "slope": -0.458574529304,
    "certain": 0.8085,
}
