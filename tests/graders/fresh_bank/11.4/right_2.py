# question 11.4
def tied_gradient(E, M, R, tokens, targets):
    vocab, d = E.shape
    read = torch.nn.functional.one_hot(tokens, vocab).to(E.dtype)
    wanted = torch.nn.functional.one_hot(targets, vocab).to(E.dtype)
    as_head, as_rows = 0, 0
    for b in range(len(tokens)):
        Z = M @ (read[b] @ E) @ R
        scores = Z @ E.T
        p = torch.exp(scores - scores.logsumexp(dim=1, keepdim=True))
        G = (p - wanted[b]) / tokens.numel()
        as_head = as_head + G.T @ Z
        as_rows = as_rows + read[b].T @ (M.T @ G @ E @ R.T)
    return as_head, as_rows
