"""NaN in every place"""

# loses: losses, gain and bits, wins, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    return report


report = dict.fromkeys(("independent", "regression", "nade", "gain", "bits", "wins"), math.nan)
