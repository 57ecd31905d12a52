# question 12.5
# wrong: the chances of the masks are kept from an earlier call with the same d, whatever the rate
# differs: rate 0.5, then rate 0.2, with the same d
import itertools


_chance = {}


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        chance = _chance.setdefault((len(x), kept), chance)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    return mean, mean - loss(x)
