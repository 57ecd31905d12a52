# question 02.2
# wrong: the bias b[t] is put into the running sum, so later steps have it as well
# differs: any t with b[t] not 0: `written` comes back larger by b[t] (the probabilities of this step are right)
def sampling_step(t, token, read, written, V, c, W, b):
    if token is not None:
        read = read + V[t - 1, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden + b[t]
    return written.softmax(dim=0), read, written
