"""Tokens and the parameters of a NADE, as several questions draw them."""

import torch
from autograder.authoring import normal


def tokens_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def parameters(rng, p, k, d):
    return {
        "V": normal(rng, p, k, d),
        "c": normal(rng, p, k),
        "W": normal(rng, p, d, k),
        "b": normal(rng, p, d),
    }


def near_zero(rng, value):
    """Numbers below a thousandth, of the same shape."""
    return normal(rng, *value.shape, scale=5e-4).clamp(-9e-4, 9e-4)


def with_large_sums(named, matrix):
    """Parameters of which one is large; c and it have few digits, so that no order of adding rounds."""
    return {**named, matrix: (1000 * named[matrix]).round(), "c": (64 * named["c"]).round() / 64}


def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = (parameter[:time].double() for parameter in (V, c, W, b))
    columns = V[torch.arange(time), :, tokens]
    read = torch.cat([torch.zeros_like(columns[:, :1]), columns.cumsum(1)[:, :-1]], 1)
    return b + torch.einsum("tdk,ntk->ntd", W, torch.sigmoid(c + read)).cumsum(1)
