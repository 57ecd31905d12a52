"""sums over the queries instead of means"""

# loses: averages, reported averages
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.sum() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [295.2, 166.5, 85.74, 44.86],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.806,
}
