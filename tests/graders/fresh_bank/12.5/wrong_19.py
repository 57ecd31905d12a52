# question 12.5
# wrong: masks with a chance below 1e-4 are left out
# differs: rate 0.9, d = 5, or d = 8 and rate 0.1: chances that do not sum to 1
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        if chance < 1e-4:
            continue
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    return mean, mean - loss(x)
