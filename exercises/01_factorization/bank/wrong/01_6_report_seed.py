"""the numbers of other tales: another seed"""

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
