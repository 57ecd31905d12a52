"""Linear maps and how their weights begin."""

from typing import Any

import torch
from torch import nn

__all__ = ["projection", "uninitialized"]


def projection(
    d_in: int, d_out: int, *, bias: bool = True, generator: torch.Generator | None = None
) -> nn.Linear:
    """A linear map whose weights are normal with variance ``1 / d_in``: inputs of unit variance keep it.

    The biases are zero. Where ``generator`` is given, nothing else is drawn from.

    Raises
    ------
    ValueError
        If a width is below 1.
    """
    if d_in < 1 or d_out < 1:
        raise ValueError(f"a linear map needs widths of at least 1; got {d_in} inputs and {d_out} outputs")
    linear = uninitialized(nn.Linear, d_in, d_out, bias=bias)
    nn.init.normal_(linear.weight, std=d_in**-0.5, generator=generator)
    if bias:
        nn.init.zeros_(linear.bias)
    return linear


def uninitialized(module_class: type[nn.Module], *args: Any, **kwargs: Any) -> nn.Module:
    """A module of PyTorch's whose parameters hold nothing yet, so that no random number is drawn for them."""
    return nn.utils.skip_init(module_class, *args, device=torch.get_default_device(), **kwargs)
