"""Index the column, then add."""
def sampling_step(t, token, read, written, V, c, W, b):
    if t > 0:
        read = read + V[t - 1, :, token]
    written = written + (W[t] * torch.sigmoid(c[t] + read)).sum(dim=1)
    return torch.softmax(b[t] + written, dim=-1), read, written
