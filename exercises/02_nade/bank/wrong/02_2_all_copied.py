"""a step that copies the parameters of all positions"""
# loses: cost
def sampling_step(t, token, read, written, V, c, W, b):
    V, W = V.double(), W.double()
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read).double()
    return (b[t] + written).softmax(dim=0), read, written
