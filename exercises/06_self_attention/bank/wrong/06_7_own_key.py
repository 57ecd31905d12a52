"""alpha (1 - alpha) of the first key instead of the largest"""

# loses: averages, reported averages, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha))[:, 0] for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.04081, 0.02349, 0.01045, 0.004356],
    "medians": [0.003614, 2.261e-5, 2.546e-10, 1.689e-19],
    "slope": -0.6078,
    "certain": 0.806,
}
