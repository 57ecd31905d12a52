"""Averages stacked and weighted by the softmax of the stacked log totals, at the end."""


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
