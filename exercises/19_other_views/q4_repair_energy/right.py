"""Right answers to question 19.4."""


# %% by_distances: Squared distances and the patterns' lengths in one exponent, in float64.
def energy(state, patterns, beta):
    state, patterns = state.double(), patterns.double()
    squares = (state[:, :, None] - patterns[:, None]).square().sum(-1)
    lengths = patterns.square().sum(-1)
    exponents = beta / 2 * (lengths[:, None] - squares)
    mean = exponents.logsumexp(-1) - math.log(patterns.shape[1])
    return -mean / beta + lengths.max(dim=1).values[:, None] / 2


# %% shifted: The largest score taken out by hand.
def energy(state, patterns, beta):
    products = torch.einsum("bsd,bnd->bsn", state, patterns)
    top = products.max(dim=-1, keepdim=True).values.detach()
    mean = torch.exp(beta * (products - top)).mean(dim=-1)
    longest = torch.linalg.vector_norm(patterns, dim=-1).max(dim=-1, keepdim=True).values
    return -torch.log(mean) / beta - top.squeeze(-1) + (state**2).sum(-1) / 2 + longest**2 / 2


# %% loops: State by state.
def energy(state, patterns, beta):
    rows = []
    for states, stored in zip(state.double(), patterns.double()):
        longest = max((x @ x for x in stored), key=float)
        row = []
        for xi in states:
            smooth = torch.stack([beta * (x @ xi) for x in stored]).logsumexp(0) / beta
            row.append(-smooth + xi @ xi / 2 + math.log(len(stored)) / beta + longest / 2)
        rows.append(torch.stack(row))
    return torch.stack(rows)
