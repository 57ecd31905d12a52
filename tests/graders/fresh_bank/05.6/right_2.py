# question 05.6
def local_attention(query, keys, lengths, window, raw=None):
    """Window by window, with nothing but the keys in it."""
    batch, steps, d = query.shape
    time = keys.shape[1]
    contexts, weights = [], []
    for b in range(batch):
        size = int(lengths[b])
        source = keys[b, :size]
        for j in range(steps):
            q = query[b, j]
            if raw is None:
                p = j + 1
            else:
                p = size * raw[b, j].sigmoid()
            inside = [i for i in range(1, size + 1) if abs(i - float(p)) <= window]
            if not inside:
                nothing = 0.0 * q * source[0]
                contexts.append(nothing)
                weights.append(nothing.sum().expand(time))
                continue
            low, high = inside[0], inside[-1]
            h = source[low - 1:high]
            w = torch.softmax(h @ q, dim=0)
            if raw is not None:
                i = torch.arange(low, high + 1, dtype=query.dtype)
                w = w * torch.exp(-((i - p) ** 2) / (2 * (window / 2) ** 2))
            contexts.append(w @ h)
            weights.append(F.pad(w, (low - 1, time - high)))
    return (torch.stack(contexts).reshape(batch, steps, d),
            torch.stack(weights).reshape(batch, steps, time))
