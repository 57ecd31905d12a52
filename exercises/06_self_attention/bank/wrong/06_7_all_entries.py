"""the mean and median of all alpha (1 - alpha), not of each query's largest"""

# loses: averages, reported averages, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).ravel() for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.04358, 0.02234, 0.01112, 0.005699],
    "medians": [0.003832, 1.889e-5, 3.163e-10, 5.293e-20],
    "slope": -0.4927,
    "certain": 0.806,
}
