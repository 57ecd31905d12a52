# question 01.6
# wrong: the excess is never negative, and the best order is looked for by its distance to the source
# differs: losses 2.0, 1.5, 0.8, 0.9, 1.2 and source 1.0: excess 0.1 instead of -0.2 (models that know the test)
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        losses.append(-fit(order, train).conditional_log_probs(test).double().mean().item())
    source = -sum(story_log_probs) / test.numel()
    return {
        "losses": losses,
        "source": source,
        "gained": [a - b for a, b in zip(losses, losses[1:])],
        "excess": min(abs(loss - source) for loss in losses),
    }


report = {
    "losses": [2.4613, 2.0127, 1.8342, 1.8129, 1.8211],
    "source": 1.6174,
    "excess": 0.1955,
}
