"""How parameters start: drawn once, where a module is built, from the generator that its caller passes."""

from typing import Any, TypeVar

import torch
from torch import nn

from transformer_lib.checks import check_positive

__all__ = ["embedding", "projection", "uninitialized"]

Module = TypeVar("Module", bound=nn.Module)


def projection(
    d_in: int,
    d_out: int,
    *,
    bias: bool = True,
    std: float | None = None,
    generator: torch.Generator | None = None,
) -> nn.Linear:
    """A linear map with normal weights and zero biases.

    The default deviation is ``d_in ** -0.5``: inputs of unit variance keep it. Where ``generator`` is given,
    nothing else is drawn from.

    Raises
    ------
    ValueError
        If a width is below 1.
    """
    check_positive(d_in=d_in, d_out=d_out)
    linear = uninitialized(nn.Linear, d_in, d_out, bias=bias)
    nn.init.normal_(linear.weight, std=d_in**-0.5 if std is None else std, generator=generator)
    if bias:
        nn.init.zeros_(linear.bias)
    return linear


def embedding(
    n_rows: int, width: int, *, std: float, generator: torch.Generator | None = None
) -> nn.Embedding:
    """A table of ``n_rows`` vectors, normal with the deviation ``std``.

    Raises
    ------
    ValueError
        If a size is below 1.
    """
    check_positive(n_rows=n_rows, width=width)
    table = uninitialized(nn.Embedding, n_rows, width)
    nn.init.normal_(table.weight, std=std, generator=generator)
    return table


def uninitialized(module_class: type[Module], *args: Any, **kwargs: Any) -> Module:
    """A module of PyTorch's whose parameters hold nothing yet, so that no random number is drawn for them."""
    return nn.utils.skip_init(module_class, *args, device=torch.get_default_device(), **kwargs)
