"""Named mistakes in question 06.8."""


# %% blocks_kept: all blocks put together again and read at once
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


# %% finite_nothing: minus a billion as the log total where nothing is allowed
# loses: log totals
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -1e9).logsumexp(2)


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


# %% largest: the largest score in place of the log of the sum
# loses: log totals, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).amax(2)


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


# %% last_block: attention over the last block alone
# loses: blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    both = torch.logaddexp(total, other_total)
    level = torch.where(both == -math.inf, 0.0, both)
    share, rest = torch.exp(total - level), torch.exp(other_total - level)
    return share[..., None] * average + rest[..., None] * other_average, both


def attention_in_blocks(query, blocks):
    for key, value, allowed in blocks:
        output = attention(query, key, value, allowed)
    return output


# %% log_shares: shares in proportion to the log totals instead of the totals
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


# %% mask_ignored: log totals over all keys, the forbidden ones included
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


# %% no_scale: log totals of scores that are not divided by sqrt(d_key)
# loses: log totals, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2)
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


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


# %% nothing_nan: minus infinity minus minus infinity where neither side allows anything
# loses: extremes, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    both = torch.logaddexp(total, other_total)
    share, rest = torch.exp(total - both), torch.exp(other_total - both)
    return share[..., None] * average + rest[..., None] * other_average, both


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average


# %% overflow: exponentials of the log totals as they are, which overflow or vanish
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


# %% plain_mean: the plain mean of two averages, however much each weighs
# loses: merge, extremes, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    return (average + other_average) / 2, torch.logaddexp(total, other_total)


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average


# %% totals_added: log totals that are added, as if the denominators were multiplied
# loses: merge, extremes, blocks, long
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return torch.where(allowed, scores, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    both = torch.logaddexp(total, other_total)
    level = torch.where(both == -math.inf, 0.0, both)
    share, rest = torch.exp(total - level), torch.exp(other_total - level)
    return share[..., None] * average + rest[..., None] * other_average, total + other_total


def attention_in_blocks(query, blocks):
    average, total = None, None
    for key, value, allowed in blocks:
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average


# %% two_hundred: attention over the first two hundred blocks alone
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
    average, total = None, None
    for number, (key, value, allowed) in enumerate(blocks):
        if number == 200:
            break
        here = attention(query, key, value, allowed), log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average


# %% divided_by_sums: forbidden weights taken away after the softmax, the rest divided by its sum, which may be 0
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
    average, total = None, None
    for key, value, allowed in blocks:
        scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
        weights = scores.softmax(2) * allowed
        sums = weights.sum(2, keepdim=True)
        here = weights / torch.where(sums > 0, sums, 1.0) @ value, log_total(query, key, allowed)
        average, total = here if total is None else merge(average, total, *here)
    return average
