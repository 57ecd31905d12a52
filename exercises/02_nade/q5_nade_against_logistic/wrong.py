"""Named mistakes in question 02.5."""


# %% against_independent: wins against the independent pixels
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > independent).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.9375)


# %% bits_of_64: bits per pixel of images that always have 64 pixels
# loses: gain and bits, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / 64
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.6275)


# %% bits_of_image: bits for the whole image, not for each pixel
# loses: gain and bits, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2)
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=26.0741, wins=0.6275)


# %% count: the number of images on which NADE is better, not the fraction
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum()
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=251)


# %% infinite: infinities in every place
# loses: losses, gain and bits, wins, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    return report


report = dict.fromkeys(("independent", "regression", "nade", "gain", "bits", "wins"), math.inf)


# %% log_probs: mean log-probabilities, which are losses with the wrong sign
# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=-25.2174, regression=-18.5394, nade=-18.0731, gain=-0.4663, bits=-0.4074, wins=0.6275)


# %% losses_in_bits: losses and gain in bits where nats are asked for
# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() / math.log(2) for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=36.3810, regression=26.7468, nade=26.0741, gain=0.6727, bits=0.4074, wins=0.6275)


# %% losses_won: the fraction of images on which the regressions are better
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade < regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.3725)


# %% medians: medians of the losses, not means
# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.quantile(0.5) for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=24.9162, regression=18.1164, nade=17.6323, gain=0.4841, bits=0.3975, wins=0.6275)


# %% nan: NaN in every place
# loses: losses, gain and bits, wins, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    return report


report = dict.fromkeys(("independent", "regression", "nade", "gain", "bits", "wins"), math.nan)


# %% nats_per_pixel: NADE's loss in nats per pixel where bits are asked for
# loses: gain and bits, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.2824, wins=0.6275)


# %% of_400: wins divided by 400, whatever the number of images
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / 400
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.6275)


# %% other_seed: a report of another seed of the generator
# loses: reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0483, gain=0.4911, bits=0.4068, wins=0.6100)


# %% per_cent: a percentage where a fraction is asked for
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = 100 * (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=62.75)


# %% probabilities: a comparison of probabilities, which vanish
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade.exp() > regression.exp()).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.6275)


# %% sign: a gain with the wrong sign
# loses: gain and bits, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[2] - losses[1]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=-0.4663, bits=0.4074, wins=0.6275)


# %% sums: losses of all images together, not per image
# loses: losses, gain and bits, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.sum() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=10086.94, regression=7415.78, nade=7229.26, gain=186.52, bits=162.96, wins=0.6275)


# %% ties_won: wins that count images on which both models are equal
# loses: wins, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade >= regression).sum() / len(nade)
    return found


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.6275)


# %% train: a report of losses on the training images
# loses: reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    losses = [-row.mean() for row in (independent, regression, nade)]
    found = dict(zip(("independent", "regression", "nade"), losses))
    found["gain"] = losses[1] - losses[2]
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).sum() / len(nade)
    return found


report = dict(independent=25.0361, regression=17.4434, nade=16.3732, gain=1.0702, bits=0.3691, wins=0.7721)


# %% typed: numbers that were typed, and a function that measures nothing
# loses: losses, gain and bits, wins, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    return report


report = dict(independent=25.2174, regression=18.5394, nade=18.0731, gain=0.4663, bits=0.4074, wins=0.6275)


# %% zeros: zeros in every place
# loses: losses, gain and bits, wins, reported losses, reported comparison
def measure(independent, regression, nade, n_pixels):
    return report


report = dict.fromkeys(("independent", "regression", "nade", "gain", "bits", "wins"), -0.0)
