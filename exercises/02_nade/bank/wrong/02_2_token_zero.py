"""a step that takes the token 0 for no token: `if token:` is false for both"""
# loses: token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written
