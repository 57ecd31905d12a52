"""a step that reads the token only after it has made its prediction"""
# loses: sums, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    probabilities = (b[t] + written).softmax(dim=0)
    if token is not None:
        read = read + V[t - 1][:, token]
    return probabilities, read, written
