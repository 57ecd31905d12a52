"""Right answers to question 14.3."""


# %% searchsorted: The place of each number among the running sums.
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    result = torch.full((batch, time), end)
    total = torch.zeros(batch)
    open_rows = torch.ones(batch, dtype=torch.bool)
    token = torch.full((batch,), start)
    for t in range(time):
        logits, state = step(token, state)
        p = torch.softmax(logits, dim=1)
        sums = p.cumsum(1).contiguous()
        place = torch.searchsorted(sums, uniforms[:, t : t + 1].contiguous(), right=True)
        drawn = place[:, 0].clamp(max=p.shape[1] - 1)
        result[open_rows, t] = drawn[open_rows]
        total[open_rows] += p[open_rows, drawn[open_rows]].log()
        token = result[:, t]
        open_rows = open_rows & (token != end)
    return result, total


# %% with_lengths: All costs first, then those behind the end are removed.
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
