"""the source's nats divided by the number of words, end tokens not counted"""

# loses: source, reported source
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, train).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / (test != 0).sum().item()
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9113,
    "excess": 0.4898,
}
