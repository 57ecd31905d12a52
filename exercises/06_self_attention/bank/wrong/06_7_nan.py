"""NaN in every place"""

# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[math.nan] * 4, medians=[math.nan] * 4, slope=math.nan, certain=math.nan)
