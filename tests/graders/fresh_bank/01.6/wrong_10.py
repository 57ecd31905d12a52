# question 01.6
# wrong: the source's loss is the mean of the stories' losses per token, so that short stories weigh more
# differs: test [[1, 0, 1, 1, 1, 1, 1, 0]], end token 0, story_log_probs [-4.0, -3.0]: source (2 + 0.5) / 2 instead of 7 / 8
def measure(fit, train, test, story_log_probs):
    losses = []
    for order in range(1, 6):
        losses.append(-fit(order, train).conditional_log_probs(test).double().mean().item())
    ends = (test[0] == test[0, -1]).nonzero()[:, 0].tolist()
    begins = [-1] + ends[:-1]
    each = [-p / (e - b) for p, b, e in zip(story_log_probs, begins, ends)]
    source = sum(each) / len(each)
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
