# question 02.2
# wrong: the bias c[t] is put into the running sum of what has been read
# differs: any t with c[t] not 0: `read` comes back larger by c[t] (the probabilities of this step are right)
def sampling_step(t, token, read, written, V, c, W, b):
    read = read + c[t]
    if token is not None:
        read = read + V[t - 1, :, token]
    written = written + W[t] @ torch.sigmoid(read)
    return torch.softmax(b[t] + written, 0), read, written
