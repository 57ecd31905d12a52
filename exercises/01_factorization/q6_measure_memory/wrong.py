"""Named mistakes in question 01.6."""


# %% absolute: the excess as a distance from the source, never below zero
# loses: differences, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    excess = min(abs(loss - source) for loss in losses)
    return dict(losses=losses, source=source, gained=gained, excess=excess)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5011,
}


# %% bits: losses in bits, not in nats
# loses: losses, source, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    losses = [loss / math.log(2) for loss in losses]
    source = -sum(story_log_probs) / test.shape[1] / math.log(2)
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [6.6906, 2.8829, 2.1611, 2.0213, 2.0273],
    "source": 1.2984,
    "excess": 0.7230,
}


# %% excess_sign: an excess with the sign reversed
# loses: differences, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=source - min(losses))


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": -0.5011,
}


# %% fit_on_test: models that counted the test text itself
# loses: losses, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, test[0]).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6303, 1.9546, 1.3205, 1.0035, 0.7975],
    "source": 0.9000,
    "excess": -0.1025,
}


# %% gained_over_first: what each order gains over order 1, not over the one before
# loses: differences, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [losses[0] - loss for loss in losses[1:]]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5011,
}


# %% infinite: infinities in every place
# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [math.inf] * 4}


report = {"losses": [math.inf] * 5, "source": math.inf, "excess": -math.inf}


# %% last_order: the excess of the highest order instead of the best one
# loses: differences, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=losses[-1] - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5052,
}


# %% log_probs: mean log-probabilities, which are losses with the wrong sign
# loses: losses, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [-4.6376, -1.9983, -1.4980, -1.4011, -1.4052],
    "source": 0.9000,
    "excess": -5.5376,
}


# %% mean_of_stories: the source's nats per story, not per token
# loses: source, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / len(story_log_probs)
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 72.3841,
    "excess": -70.9830,
}


# %% nan: NaN in every place
# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [math.nan] * 4}


report = {"losses": [math.nan] * 5, "source": math.nan, "excess": math.nan}


# %% no_end: the source's nats divided by the number of words, end tokens not counted
# loses: source, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / max((test != 0).sum().item(), 1)
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9113,
    "excess": 0.4898,
}


# %% orders_from_zero: the orders 0 to 4 in place of 1 to 5
# loses: losses, reported losses
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(5)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [5.2575, 4.6376, 1.9983, 1.4980, 1.4011],
    "source": 0.9000,
    "excess": 0.5011,
}


# %% report_seed: the numbers of other tales: another seed
# loses: reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6400, 1.9980, 1.4849, 1.3881, 1.3893],
    "source": 0.8960,
    "excess": 0.4920,
}


# %% sign: gains with the sign reversed
# loses: differences, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [b - a for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5011,
}


# %% sums: losses of the whole text, not per token
# loses: losses, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).sum()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [74599.8, 32144.2, 24096.4, 22537.9, 22604.3],
    "source": 0.9000,
    "excess": 22537.0,
}


# %% train: losses on the training text, which the models have counted
# loses: losses, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(train).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6340, 1.9718, 1.3906, 1.1383, 0.9160],
    "source": 0.9000,
    "excess": 0.0160,
}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [2.6393, 0.5003, 0.0969, -0.0041]}


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5011,
}


# %% zeros: zeros in every place
# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [0.0] * 4}


report = {"losses": [0.0] * 5, "source": 0.0, "excess": -0.0}
