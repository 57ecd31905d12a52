"""a report of another seed of the generator"""

# loses: reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0483, gain=0.4911, bits=0.4068, wins=0.6100)
