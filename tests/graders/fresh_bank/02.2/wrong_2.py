# question 02.2
# wrong: the sums that were given are changed in place
# differs: any t: after the call the caller's `written` (and for t > 0 `read`) has other values than before
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read += V[t - 1, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written += W[t] @ hidden
    return (b[t] + written).softmax(dim=0), read, written
