# question 02.6
def _grow(tokens, known, V, c, W, b):
    # all beginnings that agree with what is known, one place more at a time
    k, d = c.shape[1], b.shape[1]
    read = torch.zeros(1, k, dtype=c.dtype)
    written = torch.zeros(1, d, dtype=b.dtype)
    log_p = torch.zeros(1, dtype=b.dtype)
    paths = torch.zeros(1, 0, dtype=torch.long)
    for t, (token, given) in enumerate(zip(tokens.tolist(), known.tolist())):
        written = written + torch.sigmoid(c[t] + read) @ W[t].T
        row = torch.log_softmax(b[t] + written, dim=1)
        tries = [token] if given else list(range(d))
        read = torch.cat([read + V[t][:, a] for a in tries])
        log_p = torch.cat([log_p + row[:, a] for a in tries])
        paths = torch.cat([
            torch.cat([paths, torch.full((len(paths), 1), a)], dim=1)
            for a in tries
        ])
        written = written.repeat(len(tries), 1)
    return paths, log_p


def log_evidence(tokens, known, V, c, W, b):
    return _grow(tokens, known, V, c, W, b)[1].logsumexp(dim=0)


def fill_in(tokens, known, V, c, W, b):
    paths, log_p = _grow(tokens, known, V, c, W, b)
    weights = torch.exp(log_p - log_p.logsumexp(dim=0))
    result = torch.zeros(len(tokens), b.shape[1], dtype=b.dtype)
    for t in range(len(tokens)):
        result[t] = result[t].index_add(0, paths[:, t], weights)
    return result / result.sum(dim=1, keepdim=True)
