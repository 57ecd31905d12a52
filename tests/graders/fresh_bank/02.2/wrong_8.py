# question 02.2
# wrong: the sigmoid is exp(z) / (1 + exp(z)), which is NaN for large sums
# differs: c[t] = [2000.0, 0.0] with read 0: hidden is NaN instead of 1
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1, :, token]
    e = torch.exp(c[t] + read)
    hidden = e / (1 + e)
    written = written + W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
