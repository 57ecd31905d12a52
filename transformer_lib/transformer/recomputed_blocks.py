"""Activation checkpointing: what is inside a block is computed again for its gradient."""

from typing import Any

from torch import Tensor
from torch.utils.checkpoint import checkpoint

from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.cache import InputMemory, KeyValueCache
from transformer_lib.transformer.masks import Mask

__all__ = ["recomputed"]


def recomputed(
    block: TransformerBlock,
    x: Tensor,
    mask: Mask | None,
    cache: KeyValueCache | InputMemory | None,
    looks_at: dict[str, Any],
) -> Tensor:
    """The block's output, of whose computation the inputs alone are kept for the gradient."""
    if not isinstance(cache, InputMemory):
        return checkpoint(block, x, mask, use_reentrant=False, cache=cache, **looks_at)
    inputs, longest = cache.inputs, cache.longest

    def run(x: Tensor) -> tuple[Tensor, Tensor]:
        own = InputMemory(inputs, longest)  # the second time begins with what the first began with
        return block(x, mask, cache=own, **looks_at), own.inputs

    y, cache.inputs = checkpoint(run, x, use_reentrant=False)
    return y
