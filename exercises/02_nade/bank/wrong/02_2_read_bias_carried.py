"""a running sum into which the bias c has been added, to be counted again at the next step"""
# loses: first, sums, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    read = read + c[t]
    written = written + W[t] @ torch.sigmoid(read)
    return (b[t] + written).softmax(dim=0), read, written
