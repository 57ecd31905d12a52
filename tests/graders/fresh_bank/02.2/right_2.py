# question 02.2
def sampling_step(t, token, read, written, V, c, W, b):
    new_read = read.clone()
    if t > 0:
        one_hot = torch.zeros(b.shape[1], dtype=read.dtype)
        one_hot[token] = 1
        new_read = new_read + torch.mv(V[t - 1], one_hot)
    h = 1 / 2 + torch.tanh((c[t] + new_read) / 2) / 2
    new_written = torch.add(written, torch.mv(W[t], h))
    scores = b[t] + new_written
    scores = scores - torch.logsumexp(scores, 0)
    return scores.exp(), new_read, new_written
