"""models that counted the test text itself"""

# loses: losses, reported losses
def measure(fit, train, test, story_log_probs):
    losses = [-float(fit(order, test[0]).conditional_log_probs(test).mean()) for order in range(1, 6)]
    source = -sum(story_log_probs) / test.shape[1]
    gained = [a - b for a, b in zip(losses, losses[1:])]
    return dict(losses=losses, source=source, gained=gained, excess=min(losses) - source)


report = {
    "losses": [4.5860, 1.8960, 1.2130, 0.8930, 0.6800],
    "source": 0.9000,
    "excess": 0.5011,
}
