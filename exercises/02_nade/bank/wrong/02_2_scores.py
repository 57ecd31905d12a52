"""the scores in place of the probabilities: their softmax is not taken"""
# loses: first, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return b[t] + written, read, written
