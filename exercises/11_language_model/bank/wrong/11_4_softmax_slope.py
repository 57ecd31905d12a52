"""errors that are multiplied by the probabilities"""


# loses: head, rows, repeated, sum, large scores
def tied_gradient(E, M, R, tokens, targets):
    z = M @ E[tokens] @ R
    one_hot = torch.eye(len(E), dtype=E.dtype)[targets]
    error = ((z @ E.T).softmax(dim=-1) - one_hot) / targets.numel()
    error = error * (z @ E.T).softmax(dim=-1)
    as_head = error.flatten(0, 1).T @ z.flatten(0, 1)
    to_inputs = M.T @ (error @ E) @ R.T
    as_rows = torch.zeros_like(E)
    as_rows.index_add_(0, tokens.flatten(), to_inputs.flatten(0, 1))
    return as_head, as_rows
