"""The share of a block is the sigmoid of the difference of the log totals."""


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
