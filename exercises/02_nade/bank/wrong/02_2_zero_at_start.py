"""a first step that reads token 0 although nothing was drawn"""
# loses: first
def sampling_step(t, token, read, written, V, c, W, b):
    read = read + V[max(t - 1, 0)][:, 0 if token is None else token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written
