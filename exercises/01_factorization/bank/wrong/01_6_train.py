"""losses on the training text, which the models have counted"""

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
