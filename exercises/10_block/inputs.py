"""Inputs and shapes for LayerNorm and the block, and a LayerNorm, for several questions."""

import torch
from autograder.authoring import normal

FUSED = (
    "torch.nn.functional.layer_norm",
    "torch.layer_norm",
    "torch.native_layer_norm",
    "torch.nn.LayerNorm",
    "torch.nn.functional.group_norm",
    "torch.nn.functional.batch_norm",
    "torch.nn.functional.instance_norm",
    "torch.nn.functional.rms_norm",
    "torch.rms_norm",
)

SHAPES = [
    (2, 3, 5),
    (1, 4, 4),
    (3, 1, 6),
    (2, 5, 2),
    (1, 2, 3),
    (3, 3, 3),
    (2, 3, 5),
    (1, 101, 4),
    (2, 2, 104),
]


def spread_out(rng, *shape):
    """Features whose deviation at each position is between 1 and 3."""
    z = normal(rng, *shape).double()
    z = (z - z.mean(-1, keepdim=True)) / z.std(-1, keepdim=True, correction=0)
    size = 2.0 + normal(rng, *shape[:-1], 1).double().tanh()
    return (size * z + normal(rng, *shape[:-1], 1)).float()


def ordinary(rng):
    for shape in SHAPES:
        yield {
            "z": spread_out(rng, *shape),
            "gain": 1.0 + normal(rng, shape[2]),
            "bias": normal(rng, shape[2]),
        }


def with_epsilon(rng):
    """Another epsilon than the default, of the order of the variance."""
    for case, eps in zip(ordinary(rng), (0.5, 2.0, 1.0, 3.0, 0.25, 1.5, 0.7, 0.3, 2.5)):
        yield {**case, "eps": eps}


def offset(rng):
    """A mean thousands of times as large as the deviation, in steps that float32 holds; no two are equal."""
    for shape in SHAPES[:6]:
        yield {"z": far_off(rng, *shape), "gain": 1.0 + normal(rng, shape[2]), "bias": normal(rng, shape[2])}


def far_off(rng, batch, time, d):
    steps = d * (4 * normal(rng, batch, time, d) / d).round() + torch.arange(d)
    return steps + (3000 * (2 + normal(rng, batch, time, 1).abs())).round()


def layer_norm(z, gain, bias, eps=1e-5):
    z = z.double()
    centered = z - z.mean(-1, keepdim=True)
    return gain.double() * centered / (centered.square().mean(-1, keepdim=True) + eps).sqrt() + bias.double()


BLOCKS = [(2, 3, 5, 7), (1, 4, 4, 4), (3, 1, 6, 5), (2, 5, 2, 3), (1, 2, 3, 9), (3, 3, 3, 3), (2, 3, 5, 7)]
LONG = [(1, 101, 4, 3), (2, 2, 3, 120)]
