# question 01.6
# wrong: gains have the wrong sign, later minus earlier
# differs: losses 2.0, 1.5, 1.2, 1.3, 1.4: gained [-0.5, -0.3, 0.1, 0.1]
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        losses.append(-fit(order, train).conditional_log_probs(test).double().mean().item())
    source = -sum(story_log_probs) / test.numel()
    return {
        "losses": losses,
        "source": source,
        "gained": [losses[k + 1] - losses[k] for k in range(4)],
        "excess": min(losses) - source,
    }


report = {
    "losses": [2.4613, 2.0127, 1.8342, 1.8129, 1.8211],
    "source": 1.6174,
    "excess": 0.1955,
}
