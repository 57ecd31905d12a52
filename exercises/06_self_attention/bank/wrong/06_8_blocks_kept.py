"""all blocks put together again and read at once"""


# loses: long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    both = torch.logaddexp(total, other_total)
    level = torch.where(both == -math.inf, 0.0, both)
    share, rest = torch.exp(total - level), torch.exp(other_total - level)
    return share[..., None] * average + rest[..., None] * other_average, both


def attention_in_blocks(query, blocks):
    keys, values, allowed = zip(*blocks)
    return attention(query, torch.cat(keys, 1), torch.cat(values, 1), torch.cat(allowed, 2))
