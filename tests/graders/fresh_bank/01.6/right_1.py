# question 01.6
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        log_probs = fit(order, train).conditional_log_probs(test)
        losses.append(-log_probs.detach().double().mean().item())
    source = -math.fsum(float(p) for p in story_log_probs) / test.numel()
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
