# question 12.5
# wrong: 10,000 masks are drawn instead of summing over all
# differs: any rate above 0: off by about a hundredth
import itertools


def price(x, W, y, epsilon, rate):
    def loss(row):
        logits = (row @ W)[None, None]
        return smoothed_loss(logits, torch.tensor([[y]]), epsilon, -1)

    mean = torch.zeros((), dtype=torch.float64)
    torch.manual_seed(0)
    masks = (torch.rand(10_000, len(x)) >= rate).double()
    log_p = (x * masks / (1 - rate) @ W).log_softmax(dim=1)
    losses = -(1 - epsilon) * log_p[:, y] - epsilon * log_p.mean(dim=1)
    mean = losses.mean()
    return mean, mean - loss(x)
