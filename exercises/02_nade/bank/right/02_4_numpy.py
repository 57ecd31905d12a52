"""NumPy inside, with all terms after t taken off the whole sum."""
def log_odds(x, W, c, V, b):
    x, W, c, V, b = (a.numpy().astype("f8") for a in (x, W, c, V, b))
    terms = x[:, :, None] * W
    later = terms[:, ::-1].cumsum(axis=1)[:, ::-1]
    read = terms.sum(axis=1, keepdims=True) - later
    return torch.tensor(b + (V / (1 + 1 / torch.from_numpy(c + read).exp().numpy())).sum(axis=-1))
