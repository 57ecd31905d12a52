"""masks that give one vector, counted once"""


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
