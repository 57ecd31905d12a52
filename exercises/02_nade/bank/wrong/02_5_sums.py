"""losses of all images together, not per image"""

# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.sum() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=10086.94, regression=7415.78, nade=7229.26, gain=186.52, bits=162.96, wins=0.6275)
