"""a report of what the runs of all seeds give on average"""

# loses: reported averages, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.148, 0.083, 0.0425, 0.0216],
    "medians": [0.173, 0.035, 1.1e-3, 2.6e-6],
    "slope": -0.48,
    "certain": 0.81,
}
