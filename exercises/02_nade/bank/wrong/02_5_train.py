"""a report of losses on the training images"""

# loses: reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.0361, regression=17.4434, nade=16.3732, gain=1.0702, bits=0.3691, wins=0.7721)
