"""Inputs and shapes for LayerNorm and the block, and a LayerNorm, for several questions."""

import torch
from autograder.authoring import normal, sizes

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


def shapes(rng, fewest=1):
    """Sizes of a batch, of the time and of the features."""
    yield from sizes(rng, batch=3, time=4, d=(fewest, 6))


def far_shapes(rng):
    """A long text, and many features."""
    yield int(rng.integers(1, 3)), int(rng.integers(101, 113)), int(rng.integers(2, 5))
    yield 2, 2, int(rng.integers(101, 113))


def spread_out(rng, *shape):
    """Features whose deviation at each position is between 1 and 3; a single one is of that size."""
    z = normal(rng, *shape).double()
    if shape[-1] > 1:
        z = (z - z.mean(-1, keepdim=True)) / z.std(-1, keepdim=True, correction=0)
    size = 2.0 + normal(rng, *shape[:-1], 1).double().tanh()
    return (size * z + normal(rng, *shape[:-1], 1)).float()


def a_norm(rng, batch, time, d, size=1.0):
    """Where there are many features, one of the first object is far from all others."""
    z = spread_out(rng, batch, time, d)
    if d > 100:
        z[0, 0, int(rng.integers(d))] += 100.0
    return {"z": size * z, "gain": 1.0 + normal(rng, d), "bias": normal(rng, d)}


def ordinary(rng):
    """Two features and more, far above the epsilon; at last tiny gains and biases, and large ones."""
    for shape in [*shapes(rng, 2), *far_shapes(rng)]:
        yield a_norm(rng, *shape, size=20.0)
    case = a_norm(rng, 2, 3, 4, size=20.0)
    yield case | {"gain": 1e-3 * case["gain"], "bias": 1e-3 * case["bias"]}
    yield {"z": 5 * case["z"], "gain": 12.0 + normal(rng, 4).abs(), "bias": 15.0 + normal(rng, 4)}


def with_epsilon(rng):
    """Another epsilon than the default, of the order of the variance."""
    for shape in [*shapes(rng), *list(far_shapes(rng))[1:]]:
        yield {**a_norm(rng, *shape), "eps": float(rng.uniform(0.25, 3.0))}


def far_off(rng, batch, time, d):
    steps = d * (4 * normal(rng, batch, time, d) / d).round() + torch.arange(d)
    return steps + (3000 * (2 + normal(rng, batch, time, 1).abs())).round()


def layer_norm(z, gain, bias, eps=1e-5):
    z = z.double()
    centered = z - z.mean(-1, keepdim=True)
    return gain.double() * centered / (centered.square().mean(-1, keepdim=True) + eps).sqrt() + bias.double()
