# question 02.2
# wrong: the missing token of t = 0 is taken for token 0 and is read with the last position's matrix, V[-1]
# differs: t = 0, token None, V[-1][:, 0] not 0
def sampling_step(t, token, read, written, V, c, W, b):
    token = token or 0
    read = read + V[t - 1][:, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
