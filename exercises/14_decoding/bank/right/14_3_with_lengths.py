"""All costs first, then those behind the end are removed."""


def sample(step, state, start, end, uniforms):
    token = torch.full((len(uniforms),), start)
    tokens, costs = [], []
    for u in uniforms.unbind(1):
        logits, state = step(token, state)
        log_p = torch.log_softmax(logits, dim=1)
        reached = log_p.exp().cumsum(1) > u[:, None]
        reached[:, -1] = True
        token = reached.int().argmax(1)
        costs.append(log_p[torch.arange(len(u)), token])
        for written in tokens:
            token = torch.where(written == end, end, token)
        tokens.append(token)
    tokens, costs = torch.stack(tokens, 1), torch.stack(costs, 1)
    before = (tokens == end).cumsum(1) - (tokens == end).long()
    return tokens.masked_fill(before > 0, end), (costs * (before == 0)).sum(1)
