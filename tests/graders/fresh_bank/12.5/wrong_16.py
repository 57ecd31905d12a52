# question 12.5
# wrong: the probabilities are written with softmax and log, -inf for logits far apart
# differs: x = (3000,), W = ((0, 1),), y = 0: inf
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        p = (row @ W).softmax(dim=0)
        return -(1 - epsilon) * p[y].log() - epsilon * p.log().mean()

    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(x)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(x) - kept)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(x * mask / (1 - rate))
    return mean, mean - loss(x)
