"""Forbidden scores filled, the loss with PyTorch's own cross-entropy."""


def masked_weights(query, key, real):
    scores = query @ key.mT / key.shape[-1] ** 0.5
    place = torch.arange(query.shape[1])
    closed = (place > place[:, None]) | ~real[:, None, :]
    blind = closed.all(-1, keepdim=True)
    return scores.masked_fill(closed & ~blind, -math.inf).softmax(-1) * ~blind


def mean_nats(logits, targets, real):
    return F.cross_entropy(logits[real], targets[real])
