"""log totals over all keys, the forbidden ones included"""


# loses: log totals, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return scores.logsumexp(2)


def merge(average, total, other_average, other_total):
    both = torch.logaddexp(total, other_total)
    level = torch.where(both == -math.inf, 0.0, both)
    share, rest = torch.exp(total - level), torch.exp(other_total - level)
    return share[..., None] * average + rest[..., None] * other_average, both


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average
