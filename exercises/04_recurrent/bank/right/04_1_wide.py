"""One matrix for input and state, in float64."""


def rnn_step(x, h, net):
    both = torch.cat([x.double(), h.double()], dim=-1)
    matrix = torch.cat([net["W_x"], net["W_h"]], dim=1).double()
    return torch.special.expit(both @ matrix.T + net["c"])


def log_likelihood(tokens, lengths, start, net):
    rows = torch.arange(len(tokens))
    h = net["h_0"].double() + torch.zeros(len(tokens), 1)
    read = torch.zeros_like(rows) + start
    total = 0.0
    for t, token in enumerate(tokens.T):
        h = rnn_step(net["E"][read], h, net)
        logits = h @ net["W_o"].double().T + net["b"]
        chosen = F.log_softmax(logits, dim=-1)[rows, token]
        total = total + torch.where(lengths > t, chosen, torch.zeros_like(chosen))
        read = token
    return total
