"""the source's nats per story, not per token"""

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
