"""Right answers to question 11.2."""


# %% loops: One place after the other.
def next_token_loss(z, E, targets):
    nats = []
    for outputs, wanted in zip(z.double(), targets.tolist()):
        for output, token in zip(outputs, wanted):
            if token != -100:
                scores = E.double() @ output
                nats.append(torch.logsumexp(scores, dim=0) - scores[token])
    return torch.stack(nats).mean()


# %% one_hot: A one-hot matrix, with zeros for padding, and the logarithm of the softmax.
def next_token_loss(z, E, targets):
    flat, wanted = z.reshape(-1, z.shape[-1]), targets.reshape(-1)
    one_hot = torch.zeros(len(flat), len(E), dtype=z.dtype)
    rows = torch.nonzero(wanted != -100)[:, 0]
    one_hot[rows, wanted[rows]] = 1.0
    surprisals = -(one_hot * torch.log_softmax(flat @ E.mT, dim=1)).sum(dim=1)
    return surprisals.sum() / len(rows)


# %% shifted: The largest score subtracted by hand, and sums with weights.
def next_token_loss(z, E, targets):
    scores = torch.einsum("btd,vd->btv", z, E)
    scores = scores - scores.detach().amax(dim=-1, keepdim=True)
    log_sum = scores.exp().sum(dim=-1).log()
    counts = (targets >= 0).to(scores.dtype)
    chosen = scores.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return ((log_sum - chosen) * counts).sum() / counts.sum()
