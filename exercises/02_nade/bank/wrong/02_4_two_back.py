"""log-odds that have lost the nearest token: a shift by two positions"""
# loses: history, training
def log_odds(x, W, c, V, b):
    terms = torch.nn.functional.pad(x[..., None] * W, (0, 0, 2, 0))[:, :-2]
    return b + (V * torch.sigmoid(c + terms.cumsum(dim=1))).sum(dim=-1)
