# question 12.5
# wrong: the losses are computed in float32 and only the result is float64
# differs: rate 1e-6: the price, about 1e-7, has no right digit
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row.float() @ W.float())[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1).double()

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    return mean, mean - loss(x)
