"""probabilities of whole sequences, which are zero in floating point"""


# loses: improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, known, V, c, W, b)[1].exp().sum().log()


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = log_probs.exp() / log_probs.exp().sum()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)
