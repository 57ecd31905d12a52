"""One text after the other, only as far as it goes."""


def rnn_step(x, h, net):
    sums = torch.einsum("kj,bj->bk", net["W_h"], h) + torch.einsum("kd,bd->bk", net["W_x"], x)
    return (sums + net["c"]).sigmoid()


def log_likelihood(tokens, lengths, start, net):
    scores = []
    for text, length in zip(tokens.tolist(), lengths.tolist()):
        state, token, score = net["h_0"][None], start, net["b"].sum() * 0
        for following in text[:length]:
            state = rnn_step(net["E"][token][None], state, net)
            logits = net["b"] + (net["W_o"] * state).sum(1)
            score = score + logits[following] - torch.logsumexp(logits, dim=0)
            token = following
        scores.append(score)
    return torch.stack(scores)
