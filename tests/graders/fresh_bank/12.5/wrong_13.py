# question 12.5
# wrong: dropout falls on the rows of the logits, not on the numbers of x
# differs: vocab = 3, d = 1
import itertools


def price(x, W, y, epsilon, rate):
    def loss(logits):
        return smoothed_loss(logits[None, None], torch.tensor([[y]]), epsilon, -1)

    logits = x @ W
    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=len(logits)):
        kept = int(sum(mask))
        chance = (1 - rate) ** kept * rate ** (len(logits) - kept)
        mask = torch.tensor(mask, dtype=torch.float64)
        mean = mean + chance * loss(logits * mask / (1 - rate))
    return mean, mean - loss(logits)
