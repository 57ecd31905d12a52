"""A choice among shapes, for several questions."""

import torch


def one_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))
