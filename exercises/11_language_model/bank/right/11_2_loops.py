"""One place after the other."""


def next_token_loss(z, E, targets):
    nats = []
    for outputs, wanted in zip(z.double(), targets.tolist()):
        for output, token in zip(outputs, wanted):
            if token != -100:
                scores = E.double() @ output
                nats.append(torch.logsumexp(scores, dim=0) - scores[token])
    return torch.stack(nats).mean()
