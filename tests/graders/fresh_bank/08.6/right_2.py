# question 08.6
def texts_of(document):
    """Row, begin and end of every text."""
    for b, row in enumerate(document.tolist()):
        t = 0
        while t < len(row):
            end = t
            while end < len(row) and row[end] == row[t]:
                end += 1
            if row[t] != -1:
                yield b, t, end
            t = end


def packed_mask(document):
    batch, time = document.shape
    allowed = torch.zeros(batch, time, time, dtype=torch.bool)
    for b, t, end in texts_of(document):
        allowed[b, t:end, t:end] = torch.ones(end - t, end - t).tril().bool()
    return allowed


def packed_positions(document):
    positions = torch.zeros_like(document)
    for b, t, end in texts_of(document):
        positions[b, t:end] = torch.arange(end - t)
    return positions


def packed_attention(query, key, value, document):
    # every text by itself; what padding holds is never read
    batch, time, d = query.shape
    output = torch.zeros(batch, time, value.shape[2], dtype=value.dtype)
    for b, t, end in texts_of(document):
        q, k, v = query[b, t:end], key[b, t:end], value[b, t:end]
        future = torch.ones(end - t, end - t, dtype=torch.bool).triu(1)
        scores = (q @ k.T / d**0.5).masked_fill(future, -math.inf)
        output[b, t:end] = scores.softmax(dim=-1) @ v
    return output
