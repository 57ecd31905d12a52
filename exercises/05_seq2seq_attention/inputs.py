"""Lengths, and a softmax that stops at them, for several questions."""

import torch


def whole(rng, low, high):
    return int(rng.integers(low, high))


def lengths_up_to(rng, batch, time, least):
    """Lengths below the time; of several rows one is as long as can be, of more than two one the least."""
    lengths = rng.integers(least, max(time, least + 1), batch)
    for row, length in zip(rng.permutation(batch), (time, least)[: batch - 1]):
        lengths[row] = length
    return torch.from_numpy(lengths)


def softmax_over(scores, allowed):
    """The softmax of the last axis over what is allowed; zeros where nothing is."""
    top = torch.where(allowed, scores, -1e300).amax(-1, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(-1, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0)
