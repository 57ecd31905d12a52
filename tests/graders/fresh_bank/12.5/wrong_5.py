# question 12.5
# wrong: the probability of a mask by logs: 0 times log 0 is an error (or NaN) at rate 0
# differs: rate 0
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = math.exp(kept * math.log(1 - rate) + (len(x) - kept) * math.log(rate))
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    return mean, mean - loss(x)
