"""zeros in every place"""

# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[-0.0] * 4, medians=[-0.0] * 4, slope=-0.0, certain=-0.0)
