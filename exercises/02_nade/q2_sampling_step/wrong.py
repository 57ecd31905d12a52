"""Named mistakes in question 02.2."""


# %% all_copied: a step that copies the parameters of all positions
# loses: cost
def sampling_step(t, token, read, written, V, c, W, b):
    V, W = V.double(), W.double()
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read).double()
    return (b[t] + written).softmax(dim=0), read, written


# %% bias_carried: a running sum into which the bias b has been added, to be counted again at the next step
# loses: first, sums, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + b[t] + W[t] @ torch.sigmoid(c[t] + read)
    return written.softmax(dim=0), read, written


# %% column_of_t: the token read with the column of V[t] instead of V[t - 1]
# loses: sums, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written


# %% in_place: sums that are written over: the tensors that the step was given change
# loses: first, sums, probabilities, token 0, cost
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read += V[t - 1][:, token]
    written += W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written


# %% overflow: a softmax whose exponentials are infinite, or all zero, for large scores: nothing is taken off first
# loses: probabilities
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    powers = (b[t] + written).exp()
    return powers / powers.sum(), read, written


# %% own_layer: probabilities from the hidden layer of this position alone, as in the classic NADE
# loses: probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    own = W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + own).softmax(dim=0), read, written + own


# %% read_bias_carried: a running sum into which the bias c has been added, to be counted again at the next step
# loses: first, sums, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    read = read + c[t]
    written = written + W[t] @ torch.sigmoid(read)
    return (b[t] + written).softmax(dim=0), read, written


# %% scores: the scores in place of the probabilities: their softmax is not taken
# loses: first, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return b[t] + written, read, written


# %% token_late: a step that reads the token only after it has made its prediction
# loses: sums, probabilities, token 0
def sampling_step(t, token, read, written, V, c, W, b):
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    probabilities = (b[t] + written).softmax(dim=0)
    if token is not None:
        read = read + V[t - 1][:, token]
    return probabilities, read, written


# %% token_zero: a step that takes the token 0 for no token: `if token:` is false for both
# loses: token 0
def sampling_step(t, token, read, written, V, c, W, b):
    if token:
        read = read + V[t - 1][:, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written


# %% zero_at_start: a first step that reads token 0 although nothing was drawn
# loses: first
def sampling_step(t, token, read, written, V, c, W, b):
    read = read + V[max(t - 1, 0)][:, 0 if token is None else token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return (b[t] + written).softmax(dim=0), read, written
