"""What many tests draw from a seed, and an exact comparison."""

from functools import partial

import torch

exactly = partial(torch.testing.assert_close, rtol=0, atol=1e-10)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=generator(seed), dtype=dtype)


def tokens(*shape, vocab_size, seed=0):
    return torch.randint(vocab_size, shape, generator=generator(seed))
