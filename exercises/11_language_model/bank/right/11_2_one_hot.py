"""A one-hot matrix, with zeros for padding, and the logarithm of the softmax."""


def next_token_loss(z, E, targets):
    flat, wanted = z.reshape(-1, z.shape[-1]), targets.reshape(-1)
    one_hot = torch.zeros(len(flat), len(E), dtype=z.dtype)
    rows = torch.nonzero(wanted != -100)[:, 0]
    one_hot[rows, wanted[rows]] = 1.0
    surprisals = -(one_hot * torch.log_softmax(flat @ E.mT, dim=1)).sum(dim=1)
    return surprisals.sum() / len(rows)
