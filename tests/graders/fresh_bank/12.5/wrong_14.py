# question 12.5
# wrong: the caller's x is scaled in place
# differs: rate 0.5: x is doubled afterwards
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    plain = loss(x)
    x /= 1 - rate
    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask)
    return mean, mean - plain
