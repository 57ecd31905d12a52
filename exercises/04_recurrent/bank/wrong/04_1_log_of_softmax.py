"""the logarithm of a softmax, kept from 0 by 1e-9"""


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
        log_p = (h @ net["W_o"].T + net["b"]).softmax(dim=1).add(1e-9).log()
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total
