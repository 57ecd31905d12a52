# question 01.6
# wrong: fitted models are kept by order between calls, so that a second call with another text gets the old models
# differs: two calls one after another, the second with another train (or another fit): losses of the first train
_models = {}


def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        if order not in _models:
            _models[order] = fit(order, train)
        losses.append(-_models[order].conditional_log_probs(test).double().mean().item())
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
