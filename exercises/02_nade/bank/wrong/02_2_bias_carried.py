"""a running sum into which the bias b has been added, to be counted again at the next step"""
# loses: first, sums, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + b[t] + W[t] @ torch.sigmoid(c[t] + read)
    return written.softmax(dim=0), read, written
