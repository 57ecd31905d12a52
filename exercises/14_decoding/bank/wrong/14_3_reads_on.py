"""rows that read what they draw behind their end"""


# loses: together
def sample(step, state, start, end, uniforms):
    token = torch.full((len(uniforms),), start)
    tokens, costs = [], []
    for u in uniforms.unbind(1):
        logits, state = step(token, state)
        log_p = torch.log_softmax(logits, dim=1)
        reached = log_p.exp().cumsum(1) > u[:, None]
        reached[:, -1] = True
        token = reached.int().argmax(1)
        tokens.append(token)
        costs.append(log_p[torch.arange(len(u)), token])
    tokens, costs = torch.stack(tokens, 1), torch.stack(costs, 1)
    before = (tokens == end).cumsum(1) - (tokens == end).long()
    return tokens.masked_fill(before > 0, end), (costs * (before == 0)).sum(1)
