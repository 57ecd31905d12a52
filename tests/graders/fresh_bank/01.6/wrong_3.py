# question 01.6
# wrong: the end tokens are not counted in the source's denominator, although its log-probabilities contain them
# differs: test (1, 9) with three stories: the source's sum is divided by 6 instead of 9
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        losses.append(-fit(order, train).conditional_log_probs(test).double().mean().item())
    words = test.numel() - len(story_log_probs)
    source = -sum(story_log_probs) / words
    return {
        "losses": losses,
        "source": source,
        "gained": [losses[k] - losses[k + 1] for k in range(4)],
        "excess": min(losses) - source,
    }


report = {
    "losses": [2.4613, 2.0127, 1.8342, 1.8129, 1.8211],
    "source": 1.6174,
    "excess": 0.1955,
}
