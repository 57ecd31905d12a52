"""a price counted from the scaled vector"""


# loses: price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x / (1 - rate))
