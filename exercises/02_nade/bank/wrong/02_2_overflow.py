"""a softmax whose exponentials are infinite, or all zero, for large scores: nothing is taken off first"""
# loses: probabilities
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    powers = (b[t] + written).exp()
    return powers / powers.sum(), read, written
