"""infinities in every place"""

# loses: averages, slope, certain, reported averages, reported slope
def measure(widths, weights):
    return report


report = dict(seed=0, means=[math.inf] * 4, medians=[math.inf] * 4, slope=math.inf, certain=math.inf)
