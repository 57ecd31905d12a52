"""One array for all widths, a fitted line, and a slope from the rounded means."""


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
