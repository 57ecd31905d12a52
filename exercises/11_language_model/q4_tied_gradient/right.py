"""Right answers to question 11.4."""


# %% loops: Place by place, in float64.
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


# %% numpy: NumPy, with add.at for the rows.
def tied_gradient(E, M, R, tokens, targets):
    E, M, R = (a.double().numpy() for a in (E, M, R))
    x, y = tokens.numpy(), targets.numpy()
    z = np.einsum("ts,bsd->btd", M, E[x]) @ R
    scores = z @ E.T
    error = np.exp(scores - scores.max(axis=2, keepdims=True))
    error /= error.sum(axis=2, keepdims=True)
    b, t = np.indices(y.shape)
    np.subtract.at(error, (b, t, y), 1.0)
    error /= y.size
    as_head = np.tensordot(error, z, axes=([0, 1], [0, 1]))
    as_rows = np.zeros_like(E)
    np.add.at(as_rows, x, np.einsum("ts,btd->bsd", M, error @ E @ R.T))
    return torch.from_numpy(as_head), torch.from_numpy(as_rows)


# %% one_hots: One-hot matrices throughout.
def tied_gradient(E, M, R, tokens, targets):
    eye = torch.eye(E.shape[0], dtype=E.dtype)
    X, Y = eye[tokens], eye[targets]
    Z = torch.einsum("ts,bsv,vd,de->bte", M, X, E, R)
    scores = torch.einsum("btd,vd->btv", Z, E)
    P = torch.exp(scores - torch.logsumexp(scores, dim=2, keepdim=True))
    D = (P - Y) / (Y.shape[0] * Y.shape[1])
    as_head = torch.einsum("btv,btd->vd", D, Z)
    as_rows = torch.einsum("btv,vd,ed,ts,bsw->we", D, E, R, M, X)
    return as_head, as_rows
