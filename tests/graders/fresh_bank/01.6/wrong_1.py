# question 01.6
# wrong: the source's loss is per story, not per token
# differs: test (1, 9) with three stories, story_log_probs [-3.0, -4.0, -5.0]: source 4.0 instead of 12 / 9
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        losses.append(-fit(order, train).conditional_log_probs(test).double().mean().item())
    source = -sum(story_log_probs) / len(story_log_probs)
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
