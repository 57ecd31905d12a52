# question 12.5
# wrong: the loss of the mean input instead of the mean of the losses
# differs: rate 0.5: the price is 0
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    mean = loss(x * 1.0)
    return mean, mean - loss(x)
