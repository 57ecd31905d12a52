"""only the filling behind the end mended"""


# loses: state, uniforms, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, _ = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, :1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        total = total + p.gather(1, token[:, None])[:, 0].log()
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total
