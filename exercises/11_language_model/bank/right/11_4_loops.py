"""Place by place, in float64."""


def tied_gradient(E, M, R, tokens, targets):
    E, M, R = E.double(), M.double(), R.double()
    as_head, as_rows = torch.zeros_like(E), torch.zeros_like(E)
    n = targets.numel()
    for read, wanted in zip(tokens.tolist(), targets.tolist()):
        for t, target in enumerate(wanted):
            z = sum(M[t, s] * E[token] for s, token in enumerate(read)) @ R
            scores = E @ z
            error = torch.exp(scores - torch.logsumexp(scores, 0))
            error[target] -= 1.0
            as_head += torch.outer(error, z) / n
            back = R @ (E.T @ error) / n
            for s, token in enumerate(read):
                as_rows[token] += M[t, s] * back
    return as_head, as_rows
