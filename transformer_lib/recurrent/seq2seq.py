r"""Recurrent encoder-decoders: one network reads the source, another writes the target.

Without attention, the decoder knows of the source only the state it starts from: the bottleneck. With it,
each of its states looks back at all of the encoder's. Chapters 5 and 13 compare them.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils import rnn

from transformer_lib.checks import (
    ConfigValues,
    check_choice,
    check_flag,
    check_inputs,
    check_lengths,
    check_probability,
    check_reading,
    check_token,
    check_whole,
)
from transformer_lib.initialization import projection
from transformer_lib.interfaces import ConditionalModel, SequenceModel, map_state
from transformer_lib.padding import without_padding
from transformer_lib.recurrent.alignment import Alignment, check_alignment
from transformer_lib.recurrent.cells import (
    LSTMLayer,
    LSTMState,
    RecurrentLayer,
    RecurrentStack,
    RNNLayer,
    RNNState,
    State,
    recurrent_kernel,
)
from transformer_lib.recurrent.language_model import token_embedding
from transformer_lib.transformer.masks import Mask

__all__ = ["ConditionedSeq2Seq", "DecoderState", "RecurrentEncoder", "Seq2Seq", "Seq2SeqConfig", "Source"]

KERNELS = {"lstm": nn.LSTM, "rnn": nn.RNN}
LAYERS: dict[str, type[RecurrentLayer]] = {"lstm": LSTMLayer, "rnn": RNNLayer}


@dataclass(frozen=True)
class Seq2SeqConfig(ConfigValues):
    """The shape of a recurrent encoder-decoder.

    Parameters
    ----------
    source_vocab_size, vocab_size
        The numbers of different source and target tokens.
    d_model, n_layers
        The width of embeddings and states, and the layers of encoder and decoder each.
    cell
        ``"lstm"`` or ``"rnn"``.
    bidirectional
        Whether the encoder reads in both directions, each with half the width, which then must be even.
    attention
        The scoring of the decoder's :class:`~transformer_lib.recurrent.alignment.Alignment`; ``None`` for no
        attention.
    weighting, window
        Its weighting, and the window of a local one.
    dropout
        The probability of dropping an input of a layer or of the head.
    tie_embeddings
        Whether the head's matrix is the embedding of target tokens.
    start_token
        The token that stands before the first target token.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    source_vocab_size: int
    vocab_size: int
    d_model: int = 128
    n_layers: int = 1
    cell: str = "lstm"
    bidirectional: bool = False
    attention: str | None = "general"
    weighting: str = "soft"
    window: int | None = None
    dropout: float = 0.0
    tie_embeddings: bool = False
    start_token: int = 0

    def __post_init__(self) -> None:
        self._check(check_whole, "source_vocab_size", "vocab_size", "d_model", "n_layers", least=1)
        self._check(check_probability, "dropout")
        self._check(check_choice, "cell", choices=LAYERS)
        self._check(check_flag, "bidirectional", "tie_embeddings")
        check_token("start_token", self.start_token, self.vocab_size)
        if self.bidirectional and self.d_model % 2:
            raise ValueError(f"two directions share d_model, which must be even then; got {self.d_model}")
        if self.attention is not None:
            check_alignment(self.attention, self.weighting, self.window)
        elif self.weighting != "soft" or self.window is not None:
            raise ValueError("weighting and window are attention's: leave them out, or choose an attention")


class Source(NamedTuple):
    """What a decoder with attention looks back at.

    Attributes
    ----------
    keys, projected : Tensor
        The encoder's states, and the part of the scores that depends on them alone.
    lengths : Tensor or None
        How many states of each row count.
    n_read : Tensor
        How many target tokens each row has read.
    """

    keys: Float[Tensor, "batch source_time d_model"]
    projected: Float[Tensor, "batch source_time d_score"]
    lengths: Int[Tensor, "batch"] | None
    n_read: Int[Tensor, "batch"]

    def after(self, n_tokens: int) -> "Source":
        """The same after ``n_tokens`` more target tokens."""
        return self._replace(n_read=self.n_read + n_tokens)


class DecoderState(NamedTuple):
    """What a recurrent decoder has read: its layers' states and, with attention, its source."""

    layers: State
    source: Source | None


class RecurrentEncoder(nn.Module):
    r"""The states :math:`h_1, \dots, h_T` of a source, one per token, and the state after the last.

    A bidirectional encoder's states have read the tokens before and, in their second half, those after.

    Parameters
    ----------
    vocab_size, d_model, n_layers, cell, bidirectional, dropout
        As in :class:`Seq2SeqConfig`.
    generator
        The source of the initial weights.

    Source: Schuster and Paliwal (1997) for the two directions
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        n_layers: int = 1,
        *,
        cell: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.vocab_size = vocab_size
        self.token_embedding = token_embedding(vocab_size, d_model, tied=False, generator=generator)
        self.dropout = nn.Dropout(dropout)
        self.kernel = recurrent_kernel(
            KERNELS[cell],
            d_model,
            d_model // 2 if bidirectional else d_model,
            num_layers=n_layers,
            bidirectional=bidirectional,
            dropout=dropout if n_layers > 1 else 0.0,
            generator=generator,
        )

    def forward(
        self, source: Int[Tensor, "batch time"], lengths: Int[Tensor, "batch"] | None = None
    ) -> tuple[Float[Tensor, "batch time d_model"], State]:
        """The states, zeros behind a source's end, and for each layer the state after the last token.

        Raises
        ------
        ValueError
            If a length is outside ``0..time`` or, for tokens in CPU memory, a token outside the vocabulary.
        """
        check_lengths("source_lengths", lengths, source)
        source = without_padding(source, lengths)
        check_inputs(source, self.vocab_size)
        x = self.dropout(self.token_embedding(source.long()))
        if source.numel() == 0:
            last = x.new_zeros(self.kernel.num_layers, x.shape[0], x.shape[2])
            return x, self._per_layer((last, last) if isinstance(self.kernel, nn.LSTM) else last)
        if lengths is None:
            states, last = self.kernel(x)
            return states, self._per_layer(last)
        # The kernel reads one token at least; what it makes of an empty source is thrown away.
        packed = rnn.pack_padded_sequence(
            x, lengths.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False
        )
        packed_states, last = self.kernel(packed)
        states, _ = rnn.pad_packed_sequence(packed_states, batch_first=True, total_length=source.shape[1])
        empty = (lengths == 0)[:, None].to(source.device)
        state = map_state(lambda part: part.masked_fill(empty, 0.0), self._per_layer(last))
        return states.masked_fill(empty[..., None], 0.0), state

    def _per_layer(self, last: Any) -> State:
        """The kernel's last states, the two directions side by side."""
        depth = self.kernel.num_layers
        parts = last if isinstance(self.kernel, nn.LSTM) else (last,)
        state_class: Any = LSTMState if isinstance(self.kernel, nn.LSTM) else RNNState
        layers = zip(*(part.unflatten(0, (depth, -1)).transpose(1, 2).flatten(2) for part in parts))
        return tuple(state_class(*layer) for layer in layers)


class Seq2Seq(ConditionalModel):
    r"""A recurrent encoder-decoder: :math:`p(y_j \mid y_{<j}, x) = \mathrm{softmax}(F(q_j))`.

    The decoder starts from the encoder's last state, :math:`q_0 = h_T`. With attention, the head reads the
    decoder's state and what it gathers from the encoder's, :math:`\tilde q_j = \tanh(W [a_j; q_j] + b)`. As
    in Luong et al. (2015), without their input feeding, what is gathered does not enter the next state: in
    training, all steps attend at once.

    Parameters
    ----------
    config
        The shape.
    generator
        The source of the initial weights.

    Source: G1, G2, G3, G4; Sutskever et al. (2014); Bahdanau et al. (2015); Luong et al. (2015)
    """

    def __init__(self, config: Seq2SeqConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.source_vocab_size, self.vocab_size = config.source_vocab_size, config.vocab_size
        self.start_token = config.start_token
        d_model = config.d_model
        shared: dict[str, Any] = {"dropout": config.dropout, "generator": generator}
        reading: dict[str, Any] = {"cell": config.cell, "bidirectional": config.bidirectional}
        self.encoder = RecurrentEncoder(
            config.source_vocab_size, d_model, config.n_layers, **reading, **shared
        )
        self.token_embedding = token_embedding(
            config.vocab_size, d_model, tied=config.tie_embeddings, generator=generator
        )
        self.decoder = RecurrentStack(LAYERS[config.cell], d_model, config.n_layers, **shared)
        self.alignment = self.join = None
        if config.attention is not None:
            how: dict[str, Any] = {"weighting": config.weighting, "window": config.window}
            how |= {"scoring": config.attention, "generator": generator}
            self.alignment = Alignment(d_model, d_model, **how)
            self.join = projection(2 * d_model, d_model, generator=generator)
        self.dropout = nn.Dropout(config.dropout)
        self.head = None
        if not config.tie_embeddings:
            self.head = projection(d_model, config.vocab_size, bias=False, generator=generator)
        self.head_bias = nn.Parameter(torch.zeros(config.vocab_size))

    def condition(
        self, source: Int[Tensor, "batch source_time"], source_lengths: Int[Tensor, "batch"] | None = None
    ) -> "ConditionedSeq2Seq":
        """The model of the targets that belong to these sources, which are read once."""
        states, last = self.encoder(source, source_lengths)
        memory = None
        if self.alignment is not None:
            n_read = torch.zeros(source.shape[0], dtype=torch.long, device=source.device)
            lengths = None if source_lengths is None else source_lengths.to(source.device)
            memory = Source(states, self.alignment.project_keys(states), lengths, n_read)
        return ConditionedSeq2Seq(self, DecoderState(last, memory), source.shape[0])

    def alignments(
        self,
        source: Int[Tensor, "batch source_time"],
        inputs: Int[Tensor, "batch time"],
        source_lengths: Int[Tensor, "batch"] | None = None,
    ) -> Float[Tensor, "batch time source_time"]:
        """How much the state after each of ``inputs`` attends to each source token.

        Raises
        ------
        ValueError
            If the model has no attention.

        Source: G2
        """
        if self.alignment is None:
            raise ValueError("a model without attention has no alignments")
        conditioned = self.condition(source, source_lengths)
        query, (_, memory) = conditioned.queries(inputs, conditioned.init_state(source.shape[0]))
        assert memory is not None
        return self.attend(query, memory)[1]

    def attend(
        self, query: Float[Tensor, "batch time d_model"], memory: Source
    ) -> tuple[Float[Tensor, "batch time d_model"], Float[Tensor, "batch time source_time"]]:
        """What the last queries read gather from the source, and the weights."""
        assert self.alignment is not None
        mask = None if memory.lengths is None else Mask.from_key_lengths(memory.lengths)
        positions = memory.n_read[:, None] + torch.arange(-query.shape[1], 0, device=query.device)
        return self.alignment(query, memory.keys, mask, projected=memory.projected, positions=positions)

    def output(
        self, query: Float[Tensor, "batch time d_model"], memory: Source | None
    ) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each query.

        Source: G1
        """
        if memory is not None and self.join is not None:
            context, _ = self.attend(query, memory)
            query = torch.tanh(self.join(torch.cat([context, query], dim=-1)))
        head = self.token_embedding if self.head is None else self.head
        return F.linear(self.dropout(query), head.weight, self.head_bias)


class ConditionedSeq2Seq(SequenceModel):
    """The decoder of a :class:`Seq2Seq` with its sources read; :meth:`Seq2Seq.condition` makes it.

    A state holds the decoder's own, and with attention what it attends to, so that re-ordering a state takes
    the sources along.
    """

    def __init__(self, model: Seq2Seq, state: DecoderState, n_sources: int) -> None:
        super().__init__()
        self.model = model
        self.training = model.training
        self.vocab_size, self.start_token = model.vocab_size, model.start_token
        self._initial, self._n_sources = state, n_sources

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Raises
        ------
        ValueError
            If there is not one row a source or, for tokens in CPU memory, a token outside the vocabulary.
        """
        query, (_, memory) = self.queries(tokens, self.init_state(tokens.shape[0]))
        return self.model.output(query, memory)

    def init_state(self, batch_size: int) -> DecoderState:
        """The state in which no target token has been read.

        Raises
        ------
        ValueError
            If ``batch_size`` is not the number of sources.
        """
        if batch_size != self._n_sources:
            raise ValueError(
                f"the model is conditioned on {self._n_sources} sources, which take one target each; "
                f"got {batch_size}"
            )
        return self._initial

    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read one more token through the cells, in time that does not grow with what has been read.

        Raises
        ------
        ValueError
            If there are not as many tokens as rows in the state, or one is outside the vocabulary.
        """
        layers, source = state
        check_reading(token[:, None], self.vocab_size, len(layers[0][0]))
        query, layers = self.model.decoder.step(self.model.token_embedding(token.long()), layers)
        source = None if source is None else source.after(1)
        return self.model.output(query[:, None], source)[:, 0], DecoderState(layers, source)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read several tokens; return the logits of the token after them, and the new state.

        Raises
        ------
        ValueError
            As :meth:`step`, or if there is no token.
        """
        check_reading(tokens, self.vocab_size, len(state.layers[0][0]))
        query, state = self.queries(tokens, state)
        return self.model.output(query[:, -1:], state.source)[:, 0], state

    def queries(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch time d_model"], DecoderState]:
        """The decoder's states :math:`q_j` after each token, and the new state."""
        check_inputs(tokens, self.vocab_size)
        layers, source = state
        embedded = self.model.token_embedding(tokens.long())
        query, layers = self.model.decoder(embedded, layers)
        source = None if source is None else source.after(tokens.shape[1])
        return query, DecoderState(layers, source)
