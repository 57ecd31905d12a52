"""the token 0 taken for padding"""


# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * ((t < lengths) & (read != 0))
    return total
