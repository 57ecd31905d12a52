"""log-odds whose sums are detached: what was read gives W no gradient"""
# loses: training
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    read = (terms.cumsum(dim=1) - terms).detach()
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)
