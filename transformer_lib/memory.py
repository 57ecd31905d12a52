r"""Transformer-XL: attention that reaches back into what was read before, by distances instead of positions.

A decoder reads a text segment by segment. What each block read of the segments before is remembered, so that
queries attend to it too; and since scores know distances alone, it does not matter where a segment begins.
Chapter 17 measures what a longer past is worth.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.autoregressive import SequenceModel, check_tokens
from transformer_lib.layers import ACTIVATIONS, FeedForward, LayerNorm
from transformer_lib.positions import SinusoidalPositions
from transformer_lib.relative_attention import Distances, RelativeAttention
from transformer_lib.stack import token_embedding
from transformer_lib.validation import (
    MOST_LAYERS,
    ConfigValues,
    check_choice,
    check_probability,
    check_start_token,
    check_whole,
)

__all__ = ["TransformerXL", "TransformerXLConfig"]

State = tuple[Float[Tensor, "rows _ d_model"], ...]
"""For each block, what it read last: at most ``memory_length`` inputs a row."""


@dataclass(frozen=True)
class TransformerXLConfig(ConfigValues):
    """The shape of a Transformer-XL.

    Parameters
    ----------
    vocab_size
        The number of different tokens.
    memory_length
        How many inputs before its own a query of each block sees, and so how many are remembered.
    d_model, n_heads, n_layers
        The width, the heads of a block, and the blocks.
    d_ff
        The width inside the position-wise networks; by default ``4 * d_model``.
    dropout
        The probability of dropping an embedding's feature, an attention weight, an inner activation of a
        position-wise network, or an output of a branch: at least 0, below 1.
    norm
        ``"post"``, as in the paper, or ``"pre"``: where blocks normalize.
    activation
        ``"relu"``, as in the paper, or ``"gelu"``.
    start_token
        The token that stands before the first.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    vocab_size: int
    memory_length: int
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 4
    d_ff: int | None = None
    dropout: float = 0.0
    norm: str = "post"
    activation: str = "relu"
    start_token: int = 0

    def __post_init__(self) -> None:
        self._check(check_whole, "vocab_size", "memory_length", "d_model", "n_heads", "d_ff", least=1)
        self._check(check_whole, "n_layers", least=1, most=MOST_LAYERS)
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model={self.d_model} is not a multiple of n_heads={self.n_heads}")
        self._check(check_probability, "dropout")
        check_choice("norm", self.norm, ("post", "pre"))
        check_choice("activation", self.activation, ACTIVATIONS)
        check_start_token(self.start_token, self.vocab_size)


class _Block(nn.Module):
    """A Transformer block with a memory of its own inputs, normalized as they are."""

    def __init__(self, config: TransformerXLConfig, generator: torch.Generator | None) -> None:
        super().__init__()
        d_model, dropout = config.d_model, config.dropout
        self.is_pre_norm = config.norm == "pre"
        self.attention = RelativeAttention(d_model, config.n_heads, dropout=dropout, generator=generator)
        self.attention_norm = LayerNorm(d_model)
        self.feed_forward = FeedForward(
            d_model,
            config.d_ff or 4 * d_model,
            dropout=dropout,
            activation=config.activation,
            generator=generator,
        )
        self.feed_forward_norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, distances: Distances) -> Float[Tensor, "batch time d_model"]:
        if self.is_pre_norm:
            near, far = self.attention_norm(x), self.attention_norm(memory)
            u = x + self.dropout(self.attention(near, far, distances))
            return u + self.dropout(self.feed_forward(self.feed_forward_norm(u)))
        u = self.attention_norm(x + self.dropout(self.attention(x, memory, distances)))
        return self.feed_forward_norm(u + self.dropout(self.feed_forward(u)))


class TransformerXL(SequenceModel):
    r"""A decoder that remembers, for each block, the last ``memory_length`` inputs before its segment.

    In every block a query sees itself and the ``memory_length`` inputs before it, remembered or not: the
    logits do not depend on where a text is cut, and they depend on the current token and the
    ``n_layers * memory_length`` tokens before it. (In the paper's training a query sees all of
    its segment and all of the memory, so that later queries of a segment see more than earlier ones; in the
    authors' evaluation all see equally many, as here.) Gradients stop at the memory.

    Parameters
    ----------
    config
        The shape.
    generator
        The source of the initial weights: normal with variance 1 / (number of inputs), embeddings with
        variance ``1 / d_model``, which is also the head; they are scaled by the root of ``d_model``.

    Source: Dai et al. (2019), sections 3.2 and 3.3
    """

    def __init__(self, config: TransformerXLConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.start_token = config.vocab_size, config.start_token
        self.token_embedding = token_embedding(config.vocab_size, config.d_model, generator)
        self.distances = SinusoidalPositions(config.memory_length + 1, config.d_model)
        shape = (config.n_heads, config.d_model // config.n_heads)
        self.content_bias = nn.Parameter(torch.zeros(shape))
        self.distance_bias = nn.Parameter(torch.zeros(shape))
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(_Block(config, generator) for _ in range(config.n_layers))
        self.final_norm = LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Nothing has been read before. A text of any length is read in one piece.

        Raises
        ------
        ValueError
            For tokens in CPU memory, where looking is free, if one is outside the vocabulary.
        """
        return self.logits_and_state(tokens)[0]

    def logits_and_state(
        self, tokens: Int[Tensor, "batch time"], state: State | None = None
    ) -> tuple[Float[Tensor, "batch time vocab"], State]:
        """The logits, and the state after the last token; both as if ``state`` had been read before.

        So a long text can be read, and trained on, segment after segment. The new state carries no gradient.

        Raises
        ------
        ValueError
            As :meth:`logits`, or if the state has not as many rows as there are tokens.
        """
        z, state = self._read(tokens, state)
        return F.linear(z, self.token_embedding.weight), state

    def init_state(self, batch_size: int) -> State:
        """The state in which nothing has been read: no inputs of any block."""
        weight = self.token_embedding.weight
        return tuple(weight.new_empty(batch_size, 0, self.config.d_model) for _ in self.blocks)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read several tokens, at least one; return the logits of the token after them, and the new state.

        Raises
        ------
        ValueError
            As :meth:`logits_and_state`, or if there is no token.
        """
        if tokens.shape[1] == 0:
            raise ValueError("there is no token to read: give at least one a row")
        z, state = self._read(tokens, state)
        return F.linear(z[:, -1], self.token_embedding.weight), state

    def step(self, token: Int[Tensor, "batch"], state: State) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one more token, which attends to the memory: as costly for the last token as for any."""
        return self.read(token[:, None], state)

    def n_parameters(self) -> int:
        """The number of trainable numbers; what is shared counts once."""
        return sum(parameter.numel() for parameter in self.parameters())

    def _read(self, tokens: Tensor, state: State | None) -> tuple[Float[Tensor, "batch time d_model"], State]:
        if tokens.is_cpu and not torch.compiler.is_compiling():
            check_tokens(tokens, self.vocab_size)
        state = self.init_state(len(tokens)) if state is None else state
        if len(state) != len(self.blocks) or any(len(memory) != len(tokens) for memory in state):
            raise ValueError(
                f"the state needs {len(tokens)} rows for each of {len(self.blocks)} blocks; "
                f"got {[len(memory) for memory in state]}"
            )
        distances = Distances(self.distances.table, self.content_bias, self.distance_bias)
        x = self.dropout(self.token_embedding(tokens.long()) * math.sqrt(self.config.d_model))
        read = []
        for block, memory in zip(self.blocks, state):
            read.append(torch.cat([memory, x], dim=1)[:, -self.config.memory_length :].detach())
            x = block(x, memory, distances)
        return self.final_norm(x), tuple(read)
