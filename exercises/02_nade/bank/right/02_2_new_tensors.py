"""Copies, changed in place."""
def sampling_step(t, token, read, written, V, c, W, b):
    read, written = read.clone(), written.clone()
    if token is not None:
        read.add_(V[t - 1].T[token])
    hidden = 1 / (1 + torch.exp(-(c[t] + read)))
    written.add_(torch.einsum("dk,k->d", W[t], hidden))
    scores = written + b[t]
    weights = torch.exp(scores - scores.max())
    return weights / weights.sum(), read, written
