"""log-odds in which c is still counted once for each token read"""
# loses: bias, training
def log_odds(x, W, c, V, b):
    terms = c + x[..., None] * W
    read = terms.cumsum(dim=1) - terms
    return b + (V * torch.sigmoid(c + read)).sum(dim=-1)
