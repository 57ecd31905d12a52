"""wins against the independent pixels"""

# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > independent).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.9375)
