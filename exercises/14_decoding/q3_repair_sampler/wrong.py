"""Named mistakes in question 14.3."""


# %% begun_over: texts that are over from the start if the start token is the end token
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = token == end
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% bits: log-probabilities in bits
# loses: state, uniforms, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log2()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% counts_after: a log-probability that goes on behind the end
# loses: log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% end_as_fallback: the end token where rounding leaves no token
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        reached = p.cumsum(dim=1) > uniforms[:, t : t + 1]
        token = torch.where(reached.any(1), reached.int().argmax(1), end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% end_counted_on: a log-probability in which every end token counts that fills up a row
# loses: log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% end_not_counted: a log-probability without the end token
# loses: log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        token = token.masked_fill(over, end)
        over = over | (token == end)
        total = total + cost.masked_fill(over, 0.0)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% first_row: the random number of the first row for all rows
# loses: state, uniforms, filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:1, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% most_probable: the most probable token at each step, whatever the random number
# loses: state, uniforms, filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = p.argmax(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% not_filled: texts that go on behind their end
# loses: filled up, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% only_filled: only the filling behind the end mended
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


# %% only_state: only the state mended
# loses: uniforms, filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, :1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% only_total: only the log-probability mended
# loses: state, uniforms, filled up, together
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
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% only_uniforms: only the random numbers mended
# loses: state, filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, _ = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% reads_on: rows that read what they draw behind their end
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


# %% same_number: the first random number at each step
# loses: uniforms, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, :1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% start_again: the start token read at each step
# loses: state, filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(torch.full((batch,), start), state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% state_and_number: only the state and the random numbers mended
# loses: filled up, log-probability, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% state_lost: a state that is not passed on
# loses: state, together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, _ = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% zero_takes_first: the first token where a number is 0, even if it is impossible
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) < uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        token = token.masked_fill(over, end)
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% guarded_log: logarithms of probabilities to which 1e-9 is added
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1)
        cost = (p.gather(1, token[:, None])[:, 0] + 1e-9).log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% infinity_times_0: the end's log-probability times 0 behind the end, which is NaN where it is minus infinity
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = token.clamp(max=p.shape[1] - 1).masked_fill(over, end)
        cost = logits.log_softmax(dim=1).gather(1, token[:, None])[:, 0]
        total = total + cost * ~over
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total


# %% most_probable_instead: the most probable token where rounding leaves none
# loses: together
def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    total = torch.zeros(batch)
    written = []
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(dim=1)
        token = (p.cumsum(dim=1) <= uniforms[:, t : t + 1]).sum(dim=1)
        token = torch.where(token < p.shape[1], token, p.argmax(dim=1))
        cost = p.gather(1, token[:, None])[:, 0].log()
        total = total + cost.masked_fill(over, 0.0)
        token = token.masked_fill(over, end)
        over = over | (token == end)
        written.append(token)
    return torch.stack(written, dim=1), total
