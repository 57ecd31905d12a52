"""probabilities from the hidden layer of this position alone, as in the classic NADE"""
# loses: probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    own = W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + own).softmax(dim=0), read, written + own
