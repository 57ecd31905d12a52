"""The stack of blocks that every Transformer here is made of."""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_probability
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.block_variants import PlacedTokens, recomputed
from transformer_lib.transformer.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions

__all__ = ["TransformerStack", "embed", "embed_with_dropout"]


def embed_with_dropout(
    embedding: nn.Embedding,
    tokens: Int[Tensor, "*batch"],
    input_dropout: float = 0.0,
    embedding_dropout: float = 0.0,
    training: bool = True,
) -> Float[Tensor, "*batch d_model"]:
    r"""Embedded tokens, some of them hidden: :math:`m_t \, r_{x_t} \, E_{x_t}`, and :math:`E_{x_t}` in use.

    :math:`m_t \in \{0, 1\}` is drawn for each token of each sequence, and is 0 with the probability
    ``input_dropout``: a history with that word missing. It is not rescaled, since a missing word leaves the
    others as they are. :math:`r_w \in \{0, 1 / (1 - p)\}` is drawn once a call for each row of the embedding
    matrix, and is 0 with the probability :math:`p =` ``embedding_dropout``: all occurrences of a word vanish
    together, and the mean embedding stays the same.

    The slides' embedding dropout masks single dimensions of the embedded input: that is ``F.dropout`` of what
    this returns.

    Parameters
    ----------
    training
        If not, nothing is hidden.

    Raises
    ------
    ValueError
        If a probability is not at least 0 and below 1.

    Source: slides, dataset augmentation; Dai and Le (2015) for input dropout; Gal and Ghahramani (2016) and
    Merity et al. (2018) for embedding dropout
    """
    check_probability("input_dropout", input_dropout)
    check_probability("embedding_dropout", embedding_dropout)
    embedded = embedding(tokens)  # (*batch, d_model)
    if not training:
        return embedded
    if embedding_dropout > 0:
        rows = embedded.new_ones(embedding.num_embeddings)  # (vocab,)
        rows = F.dropout(rows, embedding_dropout)  # 0 or 1 / (1 - p)
        embedded = embedded * rows[tokens.long()].unsqueeze(-1)
    if input_dropout > 0:
        # (*batch): a word is hidden whole
        hidden = torch.rand(tokens.shape, device=tokens.device) < input_dropout
        embedded = embedded.masked_fill(hidden.unsqueeze(-1), 0.0)
    return embedded


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
