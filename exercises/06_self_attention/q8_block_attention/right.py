"""Right answers to question 06.8."""


# %% loops: Python numbers, one query at a time.
def _log_sum(numbers):
    top = max(numbers, default=-math.inf)
    if top == -math.inf:
        return top
    return top + math.log(sum(math.exp(number - top) for number in numbers))


def log_total(query, key, allowed):
    rows = []
    for q, k, may in zip(query, key, allowed):
        scores = (q.double() @ k.double().T / math.sqrt(q.shape[1])).tolist()
        rows.append([_log_sum([s for s, m in zip(row, ms) if m]) for row, ms in zip(scores, may.tolist())])
    return torch.tensor(rows)


def merge(average, total, other_average, other_total):
    mixed, both = torch.zeros_like(average), torch.empty_like(total)
    for n in range(total.shape[0]):
        for i in range(total.shape[1]):
            one, two = float(total[n, i]), float(other_total[n, i])
            both[n, i] = _log_sum([one, two])
            if both[n, i] > -math.inf:
                share = math.exp(one - _log_sum([one, two]))
                mixed[n, i] = share * average[n, i] + (1 - share) * other_average[n, i]
    return mixed, both


def attention_in_blocks(query, blocks):
    average, total = torch.zeros(()), torch.full(query.shape[:2], -math.inf)
    for key, value, allowed in blocks:
        if average.ndim == 0:
            average = torch.zeros(*query.shape[:2], value.shape[2])
        block = attention(query, key, value, allowed)
        average, total = merge(average, total, block, log_total(query, key, allowed))
    return average


# %% online: A running maximum, numerator and denominator, in float64.
def log_total(query, key, allowed):
    scores = torch.einsum("bqd,bkd->bqk", query.double(), key.double()) / query.shape[-1] ** 0.5
    scores = torch.where(allowed, scores, -torch.inf)
    largest = scores.amax(-1).clamp_min(-1e300)
    return largest + (scores - largest[..., None]).exp().sum(-1).log()


def merge(average, total, other_average, other_total):
    largest = torch.maximum(total, other_total).double().clamp_min(-1e300)
    one, two = (total - largest).exp(), (other_total - largest).exp()
    denominator = one + two
    numerator = one[..., None] * average + two[..., None] * other_average
    return numerator / denominator.clamp_min(1e-300)[..., None], largest + denominator.log()


def attention_in_blocks(query, blocks):
    largest = torch.full(query.shape[:2], -1e300, dtype=torch.float64)
    numerator, denominator = 0.0, torch.zeros_like(largest)
    for key, value, allowed in blocks:
        scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
        new = torch.maximum(largest, scores.masked_fill(~allowed, -1e300).amax(-1))
        weights = torch.where(allowed, (scores - new[..., None]).exp(), 0.0)
        shrink = (largest - new).exp()
        numerator = shrink[..., None] * numerator + weights @ value.double()
        denominator = shrink * denominator + weights.sum(-1)
        largest = new
    return (numerator / torch.where(denominator > 0, denominator, 1.0)[..., None]).float()


# %% sigmoid: The share of a block is the sigmoid of the difference of the log totals.
def log_total(query, key, allowed):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return torch.logsumexp(scores + torch.zeros_like(scores).masked_fill(~allowed, -torch.inf), -1)


def merge(average, total, other_average, other_total):
    nothing = (total == -torch.inf) & (other_total == -torch.inf)
    share = torch.sigmoid(torch.where(nothing, 0.0, total - other_total)).unsqueeze(-1)
    mixed = torch.where(nothing.unsqueeze(-1), 0.0, share * average + (1 - share) * other_average)
    return mixed, torch.logaddexp(total, other_total)


def attention_in_blocks(query, blocks):
    key, value, allowed = next(blocks)
    state = attention(query, key, value, allowed), log_total(query, key, allowed)
    for key, value, allowed in blocks:
        state = merge(*state, attention(query, key, value, allowed), log_total(query, key, allowed))
    return state[0]


# %% softmax: Averages stacked and weighted by the softmax of the stacked log totals, at the end.
def log_total(query, key, allowed):
    scores = (query / math.sqrt(query.shape[2])) @ key.mT
    return scores.where(allowed, torch.tensor(-torch.inf)).logsumexp(-1)


def _together(averages, totals):
    averages, totals = torch.stack(averages), torch.stack(totals)
    both = totals.logsumexp(0)
    shares = (totals - both.nan_to_num(neginf=0.0)).exp()
    return (shares[..., None] * averages).sum(0), both


def merge(average, total, other_average, other_total):
    return _together([average, other_average], [total, other_total])


def attention_in_blocks(query, blocks):
    pieces = [(attention(query, k, v, a), log_total(query, k, a)) for k, v, a in blocks]
    return _together(*map(list, zip(*pieces)))[0]
