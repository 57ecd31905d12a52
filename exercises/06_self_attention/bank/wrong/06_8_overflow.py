"""exponentials of the log totals as they are, which overflow or vanish"""


# loses: extremes, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    one, two = torch.exp(total), torch.exp(other_total)
    mixed = (one[..., None] * average + two[..., None] * other_average) / (one + two)[..., None]
    return mixed.nan_to_num(0.0), torch.log(one + two)


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average
