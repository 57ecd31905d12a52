"""The stack of blocks that every Transformer here is made of."""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.dropout import embed_with_dropout
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.block_variants import PlacedTokens, recomputed
from transformer_lib.transformer.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions

__all__ = ["TransformerStack", "embed"]


def embed(
    embedding: nn.Embedding, tokens: Int[Tensor, "batch time"], config: TransformerConfig, training: bool
) -> Float[Tensor, "batch time d_model"]:
    """The tokens' vectors; in training, some words are hidden if the configuration says so."""
    # An embedding looks up no integers of 8 or 16 bits, hence long().
    if training and (config.input_dropout or config.embedding_dropout):
        x = embed_with_dropout(embedding, tokens.long(), config.input_dropout, config.embedding_dropout)
    else:
        x = embedding(tokens.long())  # (batch, time, d_model)
    return x * math.sqrt(config.d_model) if config.scale_embeddings else x


class TransformerStack(nn.Module):
    """Positions and dropout of the inputs, ``n_layers`` blocks and, with pre-norm, a last normalization.

    Parameters
    ----------
    config
        The shape.
    cross_attention
        Whether every block also attends to a memory.
    continues
        Whether the inputs are another stack's outputs, which need no positions and no dropout.
    positions
        Positions of the inputs in place of the configuration's scheme.
    block
        What makes a block in place of the configuration's: it takes ``options`` and initial weights by name.
    std, join_std, generator
        As for :class:`~transformer_lib.transformer.block.TransformerBlock`.
    """

    recomputes = False
    """Whether, in training, what is inside a block is computed again for the gradient instead of being kept.

    The gradient is the same, dropout included. Keys and values in a cache are written once, so with one
    nothing is computed again.
    """

    def __init__(
        self,
        config: TransformerConfig,
        *,
        cross_attention: bool = False,
        continues: bool = False,
        positions: Positions | None = None,
        block: Callable[..., TransformerBlock] | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        scheme = POSITIONS[config.positions if positions is None else "none"]
        acts_on_input = scheme.acts_on == "input"
        block = config.block if block is None else block
        start: dict[str, Any] = {"std": std, "join_std": join_std, "generator": generator}

        def within_attention() -> Positions | None:
            return None if acts_on_input else scheme.build(config, generator)

        if positions is None:
            positions = scheme.build(config, generator) if acts_on_input and not continues else Positions()
        self.positions = positions
        positions.check_use(("embed",), "at the input of a stack", d_model=config.d_model)
        rate = config.dropout if config.feature_dropout is None else config.feature_dropout
        self.dropout = nn.Dropout(0.0 if continues else rate)
        blocks = [
            block(positions=within_attention(), cross_attention=cross_attention, **start)
            for _ in range(config.n_layers)
        ]
        self.blocks = cast(list[TransformerBlock], nn.ModuleList(blocks))
        self.final_norm: nn.Module = nn.Identity()
        if config.norm == "pre" and not config.attention_only:
            self.final_norm = config.block_options.norm(config.d_model)

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        start: int | Int[Tensor, "*batch time"] = 0,
        memory: Float[Tensor, "*sources keys d_model"] | Sequence[KeysValues] | None = None,
        memory_mask: Mask | None = None,
        caches: Sequence[KeyValueCache | InputMemory] | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The last block's output for each input, the first of which stands at ``start``.

        As a tensor, ``start`` says where each input stands. ``mask`` says what may attend to what. ``memory``
        is what cross-attention attends to, for all blocks or, as keys and values, for each. ``caches`` are
        what each block has read before; then a position for each input is a ``ValueError``. A sequence
        without a batch is a batch of one.
        """
        if x.ndim == 2:
            one = memory[None] if isinstance(memory, Tensor) else memory
            place = start[None] if isinstance(start, Tensor) else start
            read: dict[str, Any] = {"memory": one, "memory_mask": memory_mask, "caches": caches}
            return self.forward(x[None], mask, start=place, **read)[0]
        if isinstance(start, Tensor):
            if caches is not None:
                raise ValueError("what caches hold has no position_ids: give one of the two")
            caches = [PlacedTokens(start)] * len(self.blocks)
        x = self.dropout(self.positions.embed(x, start))  # (batch, time, d_model), as all that follows
        again = self.recomputes and self.training  # and, says checkpoint itself, where there are gradients
        for n, block in enumerate(self.blocks):
            cache = None if caches is None else caches[n]
            looks_at: dict[str, Any] = {
                "memory": memory if memory is None or isinstance(memory, Tensor) else memory[n],
                "memory_mask": memory_mask,
            }
            is_written = isinstance(cache, KeyValueCache) and not isinstance(cache, PlacedTokens)
            if again and not is_written:
                x = recomputed(block, x, mask, cache, looks_at)
            else:
                x = block(x, mask, cache=cache, **looks_at)
        return self.final_norm(x)

    def keys_values(self, memory: Float[Tensor, "sources keys d_model"]) -> list[KeysValues]:
        """What each block's cross-attention needs of the memory, computed once for all steps."""
        return [block.cross_attention.keys_values(memory) for block in self.blocks]

    def new_caches(self, batch_size: int, capacity: int) -> list[KeyValueCache]:
        """An empty cache for each block."""
        return [block.attention.new_cache(batch_size, capacity) for block in self.blocks]
