"""shares in proportion to the log totals instead of the totals"""


# loses: merge, extremes, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    one, two = (torch.where(t == -math.inf, 0.0, t)[..., None] for t in (total, other_total))
    mixed = (one * average + two * other_average) / torch.where(one + two == 0, 1.0, one + two)
    return mixed, torch.logaddexp(total, other_total)


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average
