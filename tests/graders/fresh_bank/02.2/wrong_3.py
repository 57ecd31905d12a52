# question 02.2
# wrong: the token is read with the matrix of position t, and not with that of its own position t - 1
# differs: t = 1, token 2, random V with V[0] != V[1]
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
