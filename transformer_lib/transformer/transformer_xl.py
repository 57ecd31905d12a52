r"""Transformer-XL: attention that reaches back into what was read before, by distances instead of positions.

A decoder reads a text segment by segment. What each block read of the segments before is remembered, so that
queries attend to it too; and since scores know distances alone, it does not matter where a segment begins.
Chapter 17 builds one, and asks from how far back it fetches a name.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import (
    ConfigValues,
    check_choice,
    check_inputs,
    check_positive,
    check_probability,
    check_token,
    check_whole,
)
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.attention import attention, attention_weights
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.block_variants import MemoryBlock, PostNormMemoryBlock
from transformer_lib.transformer.cache import InputMemory
from transformer_lib.transformer.config import NORMS, TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.positions import SinusoidalPositions
from transformer_lib.transformer.stack import TransformerStack

__all__ = [
    "Distances",
    "RelativeAttention",
    "TransformerXL",
    "TransformerXLConfig",
    "XLState",
    "relative_shift",
]


class XLState(NamedTuple):
    """What a Transformer-XL remembers: for each block its latest inputs, at most ``memory_length`` a row."""

    inputs: tuple[Float[Tensor, "rows _ d_model"], ...]


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
        A name in :data:`~transformer_lib.activations.ACTIVATIONS`, such as ``"relu"``, as in the paper.
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
        sizes = ("vocab_size", "memory_length", "d_model", "n_heads", "n_layers", "d_ff")
        self._check(check_whole, *sizes, least=1)
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model={self.d_model} is not a multiple of n_heads={self.n_heads}")
        self._check(check_probability, "dropout")
        check_choice("norm", self.norm, NORMS)
        check_choice("activation", self.activation, ACTIVATIONS)
        check_token("start_token", self.start_token, self.vocab_size)

    @property
    def shape(self) -> TransformerConfig:
        """The shape of the stack."""
        return TransformerConfig(
            self.vocab_size,
            self.memory_length,
            self.d_model,
            self.n_heads,
            self.n_layers,
            self.d_ff,
            dropout=self.dropout,
            norm=self.norm,
            activation=self.activation,
            bias=True,
            positions="none",
            start_token=self.start_token,
        )


class Distances(nn.Module):
    """What all blocks share: how distances are encoded, and the queries that ask alike from everywhere.

    Parameters
    ----------
    longest
        The largest distance that is encoded.
    d_model, n_heads
        The width, and the number of heads.

    Attributes
    ----------
    encodings : SinusoidalPositions
        Row :math:`r` of its table is :math:`R_r`.
    content_bias, distance_bias : Tensor
        The vectors :math:`u` and :math:`v` of each head, zero at first.
    """

    def __init__(self, longest: int, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.encodings = SinusoidalPositions(longest + 1, d_model)
        self.content_bias = nn.Parameter(torch.zeros(n_heads, d_model // n_heads))
        self.distance_bias = nn.Parameter(torch.zeros(n_heads, d_model // n_heads))


def relative_shift(
    by_distance: Float[Tensor, "*batch queries keys"],
) -> Float[Tensor, "*batch queries keys"]:
    r"""From a column for each distance, the farthest first, to a column for each key.

    Column :math:`c` of the input belongs to distance :math:`\text{keys} - 1 - c`, whatever the query. Row
    :math:`i` moves left by :math:`\text{queries} - 1 - i`, so that the entry of each key at or before the
    query is that of their distance: the queries are the last positions. Entries of later keys mean nothing.

    Source: Huang et al. (2019), section 3.4.1; Dai et al. (2019), appendix B
    """
    queries, keys = by_distance.shape[-2:]
    padded = F.pad(by_distance, (1, 0)).flatten(-2)
    return padded[..., queries:].unflatten(-1, (queries, keys))


class RelativeAttention(nn.Module):
    r"""Attention of a segment to itself and to its memory, by content and by distance.

    .. math::
        A_{ij} = \langle q_i + u,\; W_{k,E} \tilde h_j \rangle + \langle q_i + v,\; W_{k,R} R_{i-j} \rangle,
        \qquad \tilde h = [m \circ h], \quad q_i = W_q h_i

    The weights are the softmax of :math:`A_{ij} / \sqrt{d_\text{head}}` over the keys that the mask allows,
    whose distances must have an encoding.

    Parameters
    ----------
    d_model, n_heads
        The width, and the number of heads, which divides it.
    distances
        What is shared with other modules, one of which must register it.
    dropout, output_dropout
        The probabilities of dropping an attention weight, and an output, during training.
    generator
        The source of the initial weights.

    Source: Dai et al. (2019), section 3.3
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        distances: Distances,
        *,
        dropout: float = 0.0,
        output_dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(d_model=d_model, n_heads=n_heads)
        self.d_model, self.n_heads = d_model, n_heads
        self.dropout, self.output_dropout = dropout, output_dropout
        self.query = projection(d_model, d_model, bias=False, generator=generator)
        self.key = projection(d_model, d_model, bias=False, generator=generator)
        self.value = projection(d_model, d_model, bias=False, generator=generator)
        self.distance_key = projection(d_model, d_model, bias=False, generator=generator)
        self.output = projection(d_model, d_model, bias=False, generator=generator)
        # In a tuple it is no submodule: a block that is sharded by itself must not split what others share.
        self._shared = (distances,)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        context: Float[Tensor, "batch keys d_model"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """What each position of ``x`` gathers from ``context``.

        Parameters
        ----------
        context
            The memory and then ``x``; by default ``x`` alone.
        mask
            What may attend to what; later keys have no distance, so it should be causal.
        """
        context = x if context is None else context
        query, key, bias = self._ask(x, context)
        dropout = self.dropout if self.training else 0.0
        mixed = attention(query, key, self._heads(self.value(context)), mask, dropout=dropout, bias=bias)
        y = self.output(mixed.transpose(1, 2).flatten(2))  # (batch, queries, d_model)
        return F.dropout(y, self.output_dropout, self.training)

    def weights(
        self,
        x: Float[Tensor, "batch queries d_model"],
        context: Float[Tensor, "batch keys d_model"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch heads queries keys"]:
        """The weights that :meth:`forward` uses, before dropout; the memory's keys come first."""
        query, key, bias = self._ask(x, x if context is None else context)
        return attention_weights(query, key, mask, bias=bias)

    def _ask(
        self, x: Tensor, context: Tensor
    ) -> tuple[
        Float[Tensor, "batch heads queries d_head"],
        Float[Tensor, "batch heads keys d_head"],
        Float[Tensor, "batch heads queries keys"],
    ]:
        (distances,) = self._shared
        n_keys, encodings = context.shape[1], distances.encodings.table
        query, key = self._heads(self.query(x)), self._heads(self.key(context))
        encoded = self._heads(self.distance_key(encodings[None, :n_keys]))
        farthest_first = torch.arange(n_keys, device=x.device).flip(0).clamp(max=len(encodings) - 1)
        asked = query + distances.distance_bias[:, None]
        by_distance = (asked @ encoded.mT).index_select(-1, farthest_first)
        bias = relative_shift(by_distance) * query.shape[-1] ** -0.5
        return query + distances.content_bias[:, None], key, bias

    def _heads(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch heads time d_head"]:
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)


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
        self.token_embedding = embedding(
            config.vocab_size, config.d_model, std=config.d_model**-0.5, generator=generator
        )
        self.distances = Distances(config.memory_length, config.d_model, config.n_heads)
        self.mask = Mask.window(config.memory_length + 1)
        self.stack = TransformerStack(config.shape, block=self._block, generator=generator)

    def _block(self, **more: Any) -> TransformerBlock:
        """A block that attends by content and distance, to itself and to its memory."""
        shape, sizes = self.config.shape, (self.config.d_model, self.config.n_heads)
        rates: dict[str, Any] = dict.fromkeys(("dropout", "output_dropout"), self.config.dropout)
        attention = RelativeAttention(*sizes, self.distances, **rates, generator=more["generator"])
        kind = MemoryBlock if self.config.norm == "pre" else PostNormMemoryBlock
        return kind(
            *sizes, self.config.d_ff, shape.block_options, attention=attention, **more | {"positions": None}
        )

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
        self, tokens: Int[Tensor, "batch time"], state: XLState | None = None
    ) -> tuple[Float[Tensor, "batch time vocab"], XLState]:
        """The logits, and the state after the last token; both as if ``state`` had been read before.

        In this way a long text can be read, and trained on, segment by segment. The new state carries no
        gradient.

        Raises
        ------
        ValueError
            As :meth:`logits`, or if the state has not as many rows as there are tokens.
        """
        z, state = self._read(tokens, state)
        return F.linear(z, self.token_embedding.weight), state

    def init_state(self, batch_size: int) -> XLState:
        """The state in which nothing has been read: no inputs of any block."""
        weight = self.token_embedding.weight
        shape = (batch_size, 0, self.config.d_model)
        return XLState(tuple(weight.new_empty(shape) for _ in range(self.config.n_layers)))

    def read(
        self, tokens: Int[Tensor, "batch time"], state: XLState
    ) -> tuple[Float[Tensor, "batch vocab"], XLState]:
        """Read several tokens, at least one; return the logits of the token after them, and the new state.

        Raises
        ------
        ValueError
            As :meth:`logits_and_state`, or if there is no token.
        """
        if tokens.shape[1] == 0:
            raise ValueError("there is no token to read: give at least one per row")
        z, state = self._read(tokens, state)
        return F.linear(z[:, -1], self.token_embedding.weight), state

    def step(
        self, token: Int[Tensor, "batch"], state: XLState
    ) -> tuple[Float[Tensor, "batch vocab"], XLState]:
        """Read one more token, which attends to the memory: as costly for the last token as for any."""
        return self.read(token[:, None], state)

    def _read(
        self, tokens: Tensor, state: XLState | None
    ) -> tuple[Float[Tensor, "batch time d_model"], XLState]:
        check_inputs(tokens, self.vocab_size)
        state = self.init_state(len(tokens)) if state is None else state
        n_layers, longest = self.config.n_layers, self.config.memory_length
        if len(state.inputs) != n_layers or any(len(inputs) != len(tokens) for inputs in state.inputs):
            raise ValueError(
                f"the state needs {len(tokens)} rows for each of {n_layers} blocks; "
                f"got {[len(inputs) for inputs in state.inputs]}"
            )
        past = [InputMemory(inputs, longest) for inputs in state.inputs]
        x = self.token_embedding(tokens.long()) * math.sqrt(self.config.d_model)
        z = self.stack(x, self.mask, caches=past)  # (batch, time, d_model)
        return z, XLState(tuple(memory.inputs for memory in past))
