# question 01.6
# wrong: the first order - 1 tokens, which have no whole past, are left out of the mean
# differs: any test with log-probabilities that are not all equal, e.g. (1, 5) with -1, -2, -3, -4, -5 at order 2: 3.5 instead of 3
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        log_probs = fit(order, train).conditional_log_probs(test)[0]
        losses.append(-log_probs[order - 1:].double().mean().item())
    source = -sum(story_log_probs) / test.numel()
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
