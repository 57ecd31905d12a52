"""a softmax and then its logarithm, minus infinity where the softmax is 0"""


# loses: large
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).softmax(dim=1).log()
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0].where(t < lengths, torch.tensor(0.0))
    return total
