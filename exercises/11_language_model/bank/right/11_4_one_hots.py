"""One-hot matrices throughout."""


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
