"""a report with the seed 0 of numbers that belong to seed 1"""

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
    "means": [0.1488, 0.08273, 0.04345, 0.0232],
    "medians": [0.1715, 0.03272, 9.792e-4, 7.61e-7],
    "slope": -0.4586,
    "certain": 0.8085,
}
