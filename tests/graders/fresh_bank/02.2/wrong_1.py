# question 02.2
# wrong: the token 0 is taken for no token, and is not read
# differs: t = 2, token 0, any V that is not 0: read comes back unchanged
def sampling_step(t, token, read, written, V, c, W, b):
    if token:
        read = read + V[t - 1, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
