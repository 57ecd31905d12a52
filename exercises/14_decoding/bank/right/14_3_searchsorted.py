"""The place of each number among the running sums."""


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
