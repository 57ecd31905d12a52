"""Convolutions, and weights for them, that several questions share."""

import numpy as np
import torch
from autograder.authoring import normal


def positive(rng, *shape):
    """Weights from 0.2 to 0.6: whatever is added to an input adds to the output."""
    return torch.from_numpy(rng.uniform(0.2, 0.6, shape).astype(np.float32))


def causal_conv(x, kernel, dilation=1):
    time, output = x.shape[1], 0.0
    for i in range(len(kernel)):
        moved = torch.zeros(x.shape, dtype=torch.float64)
        if i * dilation < time:
            moved[:, i * dilation :] = x[:, : time - i * dilation]
        output = output + torch.einsum("bti,oi->bto", moved, kernel[i].double())
    return output


def weights(rng, layers, k, d):
    return {
        "filters": normal(rng, layers, k, d, d),
        "gates": normal(rng, layers, k, d, d),
        "mixes": normal(rng, layers, d, d),
    }


def quarters(rng, *shape, scale=1.0):
    """Multiples of a quarter, with which float32 computes distances exactly."""
    return (normal(rng, *shape, scale=scale) * 4).round() / 4
