"""Right answers to question 02.2."""


# %% double: Float64 inside, matrices from the left, an answer with the inputs' type as a list.
def sampling_step(t, token, read, written, V, c, W, b):
    column = V[t - 1].double().T[token] if t else torch.zeros(()).expand(len(read))
    r = read.double() + column
    u = torch.addmv(written.double(), W[t].double(), torch.special.expit(c[t] + r))
    return [(u + b[t]).log_softmax(0).exp().float(), r.float(), u.float()]


# %% index: Index the column, then add.
def sampling_step(t, token, read, written, V, c, W, b):
    if t > 0:
        read = read + V[t - 1, :, token]
    written = written + (W[t] * torch.sigmoid(c[t] + read)).sum(dim=1)
    return torch.softmax(b[t] + written, dim=-1), read, written


# %% new_tensors: Copies, changed in place.
def sampling_step(t, token, read, written, V, c, W, b):
    read, written = read.clone(), written.clone()
    if token is not None:
        read.add_(V[t - 1].T[token])
    hidden = 1 / (1 + torch.exp(-(c[t] + read)))
    written.add_(torch.einsum("dk,k->d", W[t], hidden))
    scores = written + b[t]
    weights = torch.exp(scores - scores.max())
    return weights / weights.sum(), read, written


# %% one_hot: A one-hot vector, zero at the first step.
def sampling_step(t, token, read, written, V, c, W, b):
    x = torch.zeros(V.shape[2], dtype=V.dtype)
    if token is not None:
        x[token] = 1.0
    now_read = read + V[max(t - 1, 0)].mv(x)
    now_written = written + W[t].mv((c[t] + now_read).sigmoid())
    scores = b[t] + now_written
    return (scores - scores.logsumexp(0)).exp(), now_read, now_written
