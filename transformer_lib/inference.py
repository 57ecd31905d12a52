"""What reading a model's numbers takes: dropout that is off, and enough digits."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["at_least_float32", "evaluation_mode"]


def at_least_float32(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Numbers of half precision as float32: probabilities, and sums of their logarithms, need its digits."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


@contextmanager
def evaluation_mode(model: nn.Module) -> Iterator[None]:
    """Dropout is off inside; afterwards, also after an error, each module trains or not as before."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, was_training in modes:
            module.training = was_training
