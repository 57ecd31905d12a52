"""Place by place, in float64."""


def tied_gradient(E, M, R, tokens, targets):
    E, M, R = E.double(), M.double(), R.double()
    as_head, as_rows = torch.zeros_like(E), torch.zeros_like(E)
    n = targets.numel()
    for read, wanted in zip(tokens, targets.tolist()):
        inputs = E[read]
        to_inputs = torch.zeros_like(inputs)
        for t, target in enumerate(wanted):
            z = M[t] @ inputs @ R
            scores = E @ z
            error = torch.exp(scores - torch.logsumexp(scores, 0))
            error[target] -= 1.0
            as_head += torch.outer(error, z) / n
            to_inputs += torch.outer(M[t].double(), R @ (E.T @ error) / n)
        for s, token in enumerate(read.tolist()):
            as_rows[token] += to_inputs[s]
    return as_head, as_rows
