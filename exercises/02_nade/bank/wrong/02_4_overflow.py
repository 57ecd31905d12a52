"""a sigmoid written as an exponential over one plus itself, which is no number for large sums"""
# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    powers = (c + terms.cumsum(dim=1) - terms).exp()
    return b + (V * powers / (1 + powers)).sum(dim=-1)
