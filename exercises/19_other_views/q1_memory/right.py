"""Right answers to question 19.1."""


# %% einsum: Einstein sums, and the largest score subtracted by hand.
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * torch.einsum("bsd,bpd->bsp", state, patterns)
    if may_answer is None:
        may_answer = torch.ones_like(scores, dtype=torch.bool)
    top = torch.where(may_answer, scores, -1e30).amax(dim=-1, keepdim=True)
    powers = torch.where(may_answer, (torch.where(may_answer, scores, top) - top).exp(), 0.0)
    total = powers.sum(dim=-1, keepdim=True)
    nobody = total == 0
    found = torch.einsum("bsp,bpd->bsd", powers / torch.where(nobody, 1.0, total), patterns)
    return torch.where(nobody, state, found)


# %% loops: State by state, with the patterns that may answer picked out, in float64.
def retrieve(state, patterns, beta, may_answer=None):
    batches = []
    for b in range(len(state)):
        rows = []
        for s in range(state.shape[1]):
            one = state[b, s].double()
            stored = patterns[b].double()
            if may_answer is not None:
                stored = stored[may_answer[b, s]]
            if len(stored) == 0:
                rows.append(one)
            else:
                rows.append((beta * (stored @ one)).softmax(dim=0) @ stored)
        batches.append(torch.stack(rows))
    return torch.stack(batches)


# %% log_weights: Logarithms of weights, and the state as one more pattern that answers only where no other may.
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * torch.matmul(state, patterns.mT)
    if may_answer is None:
        may_answer = scores.new_ones(scores.shape, dtype=torch.bool)
    nobody = ~may_answer.any(-1, keepdim=True)
    own = torch.zeros_like(scores[..., :1]).masked_fill(~nobody, -torch.inf)
    both = torch.cat([scores.masked_fill(~may_answer, -torch.inf), own], dim=-1)
    weights = both.log_softmax(-1).exp()
    return weights[..., :-1] @ patterns + weights[..., -1:] * state


# %% large_negative: A large negative number in place of minus infinity, and rows chosen at the end.
def retrieve(state, patterns, beta, may_answer=None):
    scores = torch.bmm(beta * state, patterns.transpose(1, 2))
    if may_answer is None:
        return torch.bmm(torch.softmax(scores, -1), patterns)
    found = torch.bmm(torch.softmax(torch.where(may_answer, scores, -1e12), -1), patterns)
    answered = (may_answer.sum(-1) > 0).unsqueeze(-1)
    return torch.where(answered, found, state)


# %% nan_to_num: NaN replaced behind the softmax; the mask's own gradient is zero there.
def retrieve(state, patterns, beta, may_answer=None):
    scores = beta * (state @ patterns.transpose(1, 2))
    if may_answer is None:
        return scores.softmax(dim=2) @ patterns
    weights = scores.masked_fill(~may_answer, -math.inf).softmax(dim=2)
    return torch.where(may_answer.any(dim=2, keepdim=True), weights.nan_to_num(0.0) @ patterns, state)
