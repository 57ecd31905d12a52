"""the token read with the column of V[t] instead of V[t - 1]"""
# loses: sums, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written
