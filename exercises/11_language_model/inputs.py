"""Tokens, as several questions draw them."""

import torch


def one_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))
