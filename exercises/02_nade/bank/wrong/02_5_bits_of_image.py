"""bits for the whole image, not for each pixel"""

# loses: gain and bits, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2)
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=26.0741, wins=0.6275)
