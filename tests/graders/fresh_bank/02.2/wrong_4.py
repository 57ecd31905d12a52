# question 02.2
# wrong: the probabilities come from the sum before this step, without what the layer of position t writes
# differs: t = 0, written 0, W not 0: softmax of b[0] alone
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1, :, token]
    p = (b[t] + written).softmax(dim=0)
    hidden = torch.sigmoid(c[t] + read)
    return p, read, written + W[t] @ hidden
