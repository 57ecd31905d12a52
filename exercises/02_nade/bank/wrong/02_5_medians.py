"""medians of the losses, not means"""

# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.quantile(0.5) for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=24.9162, regression=18.1164, nade=17.6323, gain=0.4841, bits=0.3975, wins=0.6275)
