"""the logarithm of p / (1 - p) of a probability that rounds to 0 or 1"""


# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    read = terms.cumsum(dim=1) - terms
    hidden = torch.sigmoid(c + read)
    p = torch.sigmoid(b + (V * hidden).sum(dim=-1))
    return torch.log(p / (1 - p))
