"""One sentence at a time, cut to its length, in float64."""


def decode(x, keys, lengths, W_x, W_h, W_out):
    x, keys, W_x, W_h, W_out = (t.double() for t in (x, keys, W_x, W_h, W_out))
    logits, weights = [], []
    for given, source, n in zip(x, keys, lengths.tolist()):
        h = source[:n]
        state = h[n - 1]
        for vector in given:
            state = torch.tanh(W_x @ vector + W_h @ state)
            w = F.softmax(h @ state, dim=0)
            logits.append(W_out @ torch.cat((w @ h, state)))
            weights.append(F.pad(w, (0, len(source) - n)))
    shape = (len(x), x.shape[1], -1)
    return torch.stack(logits).reshape(shape), torch.stack(weights).reshape(shape)
