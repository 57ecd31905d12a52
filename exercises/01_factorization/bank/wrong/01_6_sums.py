"""losses of the whole text, not per token"""

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
