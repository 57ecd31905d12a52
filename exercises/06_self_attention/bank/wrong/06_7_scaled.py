"""a report of weights with the scale, which hardly change with the width"""

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
    "means": [0.2145, 0.2159, 0.2176, 0.217],
    "medians": [0.2184, 0.2197, 0.2218, 0.222],
    "slope": 0.00193,
    "certain": 0.0,
}
