"""log-odds that still read their own target"""
# loses: history, training
def log_odds(x, W, c, V, b):
    read = c + (x[..., None] * W).cumsum(dim=1)
    return b + (V * torch.sigmoid(read)).sum(dim=-1)
