"""Named mistakes in question 12.5."""


# %% all_kept_left_out: masks without the one that keeps everything
# loses: half, rates, price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d - 1):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% equal_masks: masks that are all equally likely
# loses: rates, price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + 0.5**d * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% equal_vectors: masks that give one vector, counted once
# loses: rates, price
def price(x, W, y, epsilon, rate):
    from itertools import product

    weights = {}
    for m in product([0.0, 1.0], repeat=len(x)):
        v = tuple((torch.tensor(m, dtype=x.dtype) * x / (1 - rate)).tolist())
        weights[v] = math.prod(1 - rate if k else rate for k in m)
    t = torch.tensor([[y]])
    L = lambda v: smoothed_loss((v @ W)[None, None], t, epsilon, -1)
    mean = sum(p * L(torch.tensor(v, dtype=x.dtype)) for v, p in weights.items())
    return mean, mean - L(x)


# %% exchanged: the rate exchanged for what it leaves
# loses: rates, price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + rate ** kept * (1 - rate) ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% from_scaled: a price counted from the scaled vector
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


# %% negative: the price with the other sign
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
    return mean, loss(x) - mean


# %% no_scale: dropout that does not scale what it keeps
# loses: half, rates, price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x)
    return mean, mean - loss(x)


# %% not_smoothed: the loss without smoothing
# loses: half, rates, price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, 0.0, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% nothing_left_out: masks without the one that hides everything
# loses: half, rates, price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(1, 2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% ratio: the ratio of the two losses
# loses: price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean / loss(x)


# %% scaled_by_rate: what is kept multiplied by what the rate leaves
# loses: half, rates, price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x * (1 - rate))
    return mean, mean - loss(x)


# %% six_features: no price beyond six features
# loses: rates, price
def price(x, W, y, epsilon, rate):
    def loss(vector):
        return smoothed_loss((vector @ W)[None, None], torch.tensor([[y]]), epsilon, -1)

    plain = loss(x)
    if len(x) > 6:
        return plain, torch.zeros_like(plain)
    mean = 0.0
    for n in range(2 ** len(x)):
        mask = torch.tensor([n >> i & 1 for i in range(len(x))])
        share = math.prod(1 - rate if kept else rate for kept in mask.tolist())
        mean = mean + share * loss(mask * x / (1 - rate))
    return mean, mean - plain


# %% seven_features: no dropout of more than seven features
# loses: rates
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    if d > 7:
        return loss(x), mean
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% single: numbers that are rounded to float32
# loses: half, rates, price, no dropout
def price(x, W, y, epsilon, rate):
    x, W = x.float(), W.float()

    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float32), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% thousandth_at_least: a rate of a thousandth at least
# loses: no dropout
def price(x, W, y, epsilon, rate):
    rate = max(rate, 1e-3)

    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% wrapped: a target kept as a byte, so that one above 255 is another
# loses: half
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y % 256]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, -1)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)


# %% zero_ignored: a target 0 that is ignored
# loses: half, rates, price, no dropout
def price(x, W, y, epsilon, rate):
    def loss(vector):
        target = torch.tensor([[y]])
        return smoothed_loss((vector @ W)[None, None], target, epsilon, 0)

    mean, d = torch.zeros((), dtype=torch.float64), len(x)
    for n in range(2**d):
        mask = torch.tensor([n >> i & 1 for i in range(d)])
        kept = int(mask.sum())
        mean = mean + (1 - rate) ** kept * rate ** (d - kept) * loss(mask * x / (1 - rate))
    return mean, mean - loss(x)
