"""models that counted the test text itself"""

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
