# question 02.2
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
