"""Named mistakes in question 14.1."""


# %% after_softmax: a temperature without effect, as where probabilities are divided by it
# loses: temperature, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = logits.double().softmax(dim=1) / temperature
    p = p / p.sum(dim=1, keepdim=True)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% batch_axis: a softmax over the batch
# loses: temperature, top-k, top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=0)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% bound_of_first_row: the bounds of the first row for all rows, in top-k as well as in top-p
# loses: top-k, top-p, together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    if top_k is not None:
        bound = p[0].sort(descending=True).values[:top_k][-1]
        bound = bound.clamp(max=p.amax(1, keepdim=True))
        p = p * (p >= 0.999999 * bound)
        p = p / p.sum(dim=1, keepdim=True)
    if top_p is not None:
        ordered = p[0].sort(descending=True).values
        kept = ordered.cumsum(0) - ordered < top_p
        bound = ordered[kept].min()
        bound = bound.clamp(max=p.amax(1, keepdim=True))
        p = p * (p >= 0.999999 * bound)
        p = p / p.sum(dim=1, keepdim=True)
    return p


# %% hot_after_softmax: a temperature that comes after a softmax in single precision
# loses: temperature, top-k, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = logits.float().softmax(dim=1) ** (1 / temperature)
    p = p / p.sum(dim=1, keepdim=True)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% least_first: a set for top-p that begins with the least probable token
# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.flip(1).cumsum(dim=1).flip(1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% mask_in_order: a set for top-p in order of size, laid over the tokens as they stand
# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    if top_k is not None:
        ordered = p.sort(dim=1, descending=True).values
        p = p * (p >= ordered[:, :top_k].amin(dim=1, keepdim=True))
        p = p / p.sum(dim=1, keepdim=True)
    if top_p is not None:
        ordered = p.sort(dim=1, descending=True).values
        before = ordered.cumsum(dim=1) - ordered
        p = p * (before < top_p)
        p = p / p.sum(dim=1, keepdim=True).clamp(min=1e-30)
    return p


# %% naive: exponentials that overflow
# loses: extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).exp()
    p = p / p.sum(dim=1, keepdim=True)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% not_rescaled_k: top-k that is not rescaled
# loses: top-k, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% not_rescaled_p: top-p that is not rescaled
# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% one_filter: top_p that is ignored where top_k is given
# loses: together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None and top_k is None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% one_less_k: top-k with one token less
# loses: top-k, together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < max(top_k - 1, 1))
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% one_more_k: top-k with one token more
# loses: top-k, together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) <= top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% one_too_many: a set with one token more than top_p needs
# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before - ordered.roll(1, 1) * (torch.arange(p.shape[1]) > 0) < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% sorted_places: probabilities in the order of their size, not of the tokens
# loses: temperature, top-k, top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return ordered


# %% stops_short: a set that stops before it reaches top_p
# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1)
        ordered = ordered * ((before < top_p) | (torch.arange(p.shape[1]) == 0))
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% threshold: tokens whose own probability reaches 1 minus top_p
# loses: top-p, together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * ((ordered >= 1 - top_p) | (torch.arange(p.shape[1]) == 0))
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% times: logits that are multiplied by the temperature
# loses: temperature, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() * temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% top_p_first: top-p before top-k, or on what top-k kept but did not rescale
# loses: together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% top_p_untempered: a set for top-p that is chosen before the temperature
# loses: together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        plain = logits.double().softmax(dim=1).gather(1, tokens)
        before = plain.cumsum(dim=1) - plain
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% untempered_sets: sets for top-k and top-p that are chosen before the temperature
# loses: together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    ordered, tokens = logits.double().sort(dim=1, descending=True)
    plain = ordered.softmax(dim=1)
    if top_k is not None:
        plain = plain * (torch.arange(plain.shape[1]) < top_k)
        plain = plain / plain.sum(dim=1, keepdim=True)
    kept = plain > 0
    if top_p is not None:
        kept = kept & (plain.cumsum(dim=1) - plain < top_p)
    if top_k is None and top_p is None:
        kept = torch.ones_like(kept)
    ordered = (ordered / temperature).masked_fill(~kept, -torch.inf)
    p = ordered.softmax(dim=1)
    return torch.zeros_like(p).scatter(1, tokens, p)


# %% whole_batch_k: the top_k most probable tokens of the whole batch
# loses: top-k, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        bound = p.flatten().sort(descending=True).values[:top_k][-1]
        bound = bound.clamp(max=ordered[:, :1])
        ordered = ordered * (ordered >= bound)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% fewer_alone: no token but the most probable where top_k is more than there are
# loses: top-k
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        top_k = top_k if top_k <= p.shape[1] else 1
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)


# %% nearly_equal_kept: top-k with all tokens that are within a millionth of the last one kept
# loses: top-k
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    if top_k is not None:
        least = p.topk(min(top_k, p.shape[1]), dim=1).values[:, -1:]
        p = p * (p > least * (1 - 1e-6))
        p = p / p.sum(dim=1, keepdim=True)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)
