"""Numbers that several questions draw, and the smoothed loss."""

import torch


def whole(rng, low, high):
    return int(rng.integers(low, high))


def normal(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def smoothed_loss(logits, targets, epsilon, ignored):
    vocab = logits.shape[-1]
    rows, places = logits.reshape(-1, vocab), targets.reshape(-1)
    rows, places = rows[places != ignored], places[places != ignored]
    if not len(places):
        return 0.0 * logits.sum()
    q = torch.full_like(rows, epsilon / vocab)
    q[torch.arange(len(places)), places] += 1 - epsilon
    log_p = rows - rows.logsumexp(-1, keepdim=True)
    return -(q * log_p).sum() / len(places)
