"""A running sum in a loop, read before it is added to."""
def log_odds(x, W, c, V, b):
    read = c.expand(len(x), -1)
    outputs = []
    for t in range(x.shape[1]):
        outputs.append(b[t] + torch.sigmoid(read) @ V[t])
        read = read + x[:, t, None] * W[t]
    return torch.stack(outputs, dim=1)
