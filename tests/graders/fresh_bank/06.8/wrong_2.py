# question 06.8
# wrong: where neither allows anything, -inf minus -inf makes NaN
# differs: total = other_total = -inf
def log_total(query, key, allowed):
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    nothing = ~allowed.any(dim=2)
    scores = scores.masked_fill(~(allowed | nothing[..., None]), -math.inf)
    return scores.logsumexp(dim=2).masked_fill(nothing, -math.inf)


def merge(average, total, other_average, other_total):
    totals = torch.stack([total, other_total])
    nothing = (totals == -math.inf).all(dim=0)
    safe = totals
    weights = safe.softmax(dim=0)[..., None]
    merged = weights[0] * average + weights[1] * other_average
    return merged, safe.logsumexp(dim=0).masked_fill(nothing, -math.inf)


def attention_in_blocks(query, blocks):
    average = total = None
    for key, value, allowed in blocks:
        new = attention(query, key, value, allowed)
        new_total = log_total(query, key, allowed)
        if average is None:
            average, total = new, new_total
        else:
            average, total = merge(average, total, new, new_total)
    return average
