"""A one-hot vector, zero at the first step."""
def sampling_step(t, token, read, written, V, c, W, b):
    x = torch.zeros(V.shape[2], dtype=V.dtype)
    if token is not None:
        x[token] = 1.0
    now_read = read + V[max(t - 1, 0)].mv(x)
    now_written = written + W[t].mv((c[t] + now_read).sigmoid())
    scores = b[t] + now_written
    return (scores - scores.logsumexp(0)).exp(), now_read, now_written
