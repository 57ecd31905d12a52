"""Python numbers, one query at a time."""


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
