"""losses in bits, not in nats"""

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
