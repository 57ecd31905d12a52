"""The stack of blocks that every Transformer here is made of."""

import math
from collections.abc import Callable, Sequence
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.attention import Positions
from transformer_lib.augmentation import embed_with_dropout
from transformer_lib.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.config import TransformerConfig
from transformer_lib.layers import TransformerBlock, normalization
from transformer_lib.masks import Mask
from transformer_lib.positions import POSITIONS

__all__ = ["TransformerStack", "embed"]


def embed(
    config: TransformerConfig, embedding: nn.Embedding, tokens: Int[Tensor, "batch time"], training: bool
) -> Float[Tensor, "batch time d_model"]:
    """The tokens' vectors; in training, some words are hidden if the configuration says so."""
    x = embed_with_dropout(embedding, tokens, config.input_dropout, config.embedding_dropout, training)
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
    positions, attention
        Positions of the inputs in place of the configuration's scheme, and what makes the self-attention of
        a block in place of :class:`~transformer_lib.attention.MultiHeadAttention`.
    std, join_std, generator
        As for :class:`~transformer_lib.layers.TransformerBlock`.
    """

    def __init__(
        self,
        config: TransformerConfig,
        *,
        cross_attention: bool = False,
        continues: bool = False,
        positions: Positions | None = None,
        attention: Callable[[], nn.Module] | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        scheme = POSITIONS[config.positions if positions is None else "none"]
        acts_on_input = scheme.acts_on == "input"

        def block() -> TransformerBlock:
            return TransformerBlock(
                **config.block_options(),
                cross_attention=cross_attention,
                positions=None if acts_on_input else scheme.build(config, generator),
                attention=None if attention is None else attention(),
                std=std,
                join_std=join_std,
                generator=generator,
            )

        if positions is None:
            positions = scheme.build(config, generator) if acts_on_input and not continues else Positions()
        self.positions = positions
        positions.check_use(("embed",), "at the input of a stack", d_model=config.d_model)
        rate = config.dropout if config.feature_dropout is None else config.feature_dropout
        self.dropout = nn.Dropout(0.0 if continues else rate)
        self.blocks = cast(list[TransformerBlock], nn.ModuleList(block() for _ in range(config.n_layers)))
        self.final_norm: nn.Module = nn.Identity()
        if config.norm == "pre" and not config.attention_only:
            self.final_norm = normalization(
                config.norm_kind, config.d_model, eps=config.norm_eps, eps_on=config.norm_eps_on
            )

    def forward(
        self,
        x: Float[Tensor, "batch time d_model"],
        mask: Mask | None = None,
        *,
        start: int = 0,
        memory: Float[Tensor, "sources keys d_model"] | Sequence[KeysValues] | None = None,
        memory_mask: Mask | None = None,
        caches: Sequence[KeyValueCache] | None = None,
        past: Sequence[InputMemory] | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        """The last block's output for each input, the first of which stands at ``start``.

        ``mask`` says what may attend to what. ``memory`` is what cross-attention attends to, for all blocks
        or, as keys and values, for each. ``caches`` and ``past`` are what each block has read before.
        """
        x = self.dropout(self.positions.embed(x, start))
        for n, block in enumerate(self.blocks):
            x = block(
                x,
                mask,
                memory=memory if memory is None or isinstance(memory, Tensor) else memory[n],
                memory_mask=memory_mask,
                cache=None if caches is None else caches[n],
                past=None if past is None else past[n],
            )
        return self.final_norm(x)

    def keys_values(self, memory: Float[Tensor, "sources keys d_model"]) -> list[KeysValues]:
        """What each block's cross-attention needs of the memory, computed once for all steps."""
        return [block.cross_attention.keys_values(memory) for block in self.blocks]

    def new_caches(self, batch_size: int, capacity: int) -> list[KeyValueCache]:
        """An empty cache for each block."""
        return [block.attention.new_cache(batch_size, capacity) for block in self.blocks]
