"""Named mistakes in question 06.7."""


# %% all_entries: the mean and median of all alpha (1 - alpha), not of each query's largest
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


# %% at_least: a largest weight of 0.99 itself counted as nearly certain
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) >= 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.806,
}


# %% count: the number of nearly certain queries instead of their share
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).sum()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 1612,
}


# %% decimal_mix: a natural logarithm over a decimal one
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log10(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -1.0890,
    "certain": 0.806,
}


# %% expected: a report of what the runs of all seeds give on average
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


# %% first_width: the share of nearly certain queries at the first width
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[0].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.098,
}


# %% from_first: the slope from the first width on, not from the second
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[0]) / math.log(widths[3] / widths[0])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4530,
    "certain": 0.806,
}


# %% infinite: infinities in every place
# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[math.inf] * 4, medians=[math.inf] * 4, slope=math.inf, certain=math.inf)


# %% largest_weight: the largest weight itself, not alpha (1 - alpha)
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


# %% lower_median: the lower of the two queries in the middle as the median
# loses: averages, reported averages
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.sort(row)[(len(row) - 1) // 2] for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.04011, 7.111e-4, 1.027e-6],
    "slope": -0.4729,
    "certain": 0.806,
}


# %% nan: NaN in every place
# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[math.nan] * 4, medians=[math.nan] * 4, slope=math.nan, certain=math.nan)


# %% no_logarithms: a slope of the mean itself over the width, without logarithms
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = (means[3] - means[1]) / (widths[3] - widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -6.333e-5,
    "certain": 0.806,
}


# %% not_divided: the change of ln(mean), not divided by that of ln(width)
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -1.3112,
    "certain": 0.806,
}


# %% of_medians: the slope of the medians instead of the means
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(medians[3] / medians[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -3.814,
    "certain": 0.806,
}


# %% other_seed: a report with the seed 0 of numbers that belong to seed 1
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


# %% own_key: alpha (1 - alpha) of the first key instead of the largest
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


# %% per_cent: a percentage instead of a share
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = 100 * (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 80.6,
}


# %% scaled: a report of weights with the scale, which hardly change with the width
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


# %% share_of_weights: the share of all weights above 0.99, not of all queries
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3] > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.1008,
}


# %% slope_sign: the slope with the wrong sign
# loses: slope, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[1] / means[3]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": 0.4729,
    "certain": 0.806,
}


# %% sum: sums over the queries instead of means
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


# %% swapped: means and medians exchanged
# loses: averages, slope, reported averages, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) > 0.99).mean()
    return dict(means=medians, medians=means, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "medians": [0.1476, 0.08323, 0.04287, 0.02243],
    "slope": -0.4729,
    "certain": 0.806,
}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.806,
}


# %% uncertain: the share of queries that are not nearly certain
# loses: certain, reported slope
def measure(widths, weights):
    largest = [(alpha * (1 - alpha)).max(axis=1) for alpha in weights]
    means = [row.mean() for row in largest]
    medians = [np.median(row) for row in largest]
    slope = math.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    certain = (weights[3].max(axis=1) <= 0.99).mean()
    return dict(means=means, medians=medians, slope=slope, certain=certain)


report = {
    "seed": 0,
    "means": [0.1476, 0.08323, 0.04287, 0.02243],
    "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
    "slope": -0.4729,
    "certain": 0.194,
}


# %% zeros: zeros in every place
# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[-0.0] * 4, medians=[-0.0] * 4, slope=-0.0, certain=-0.0)
