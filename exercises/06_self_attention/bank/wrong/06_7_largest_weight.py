"""the largest weight itself, not alpha (1 - alpha)"""

# loses: averages, reported averages, reported slope
def measure(widths, weights):
    largest = [alpha.max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.7475, 0.8748, 0.9379, 0.9680],
    "medians": [0.7832, 0.9579, 0.9993, 1.0],
    "slope": 0.0365,
    "certain": 0.806,
}
