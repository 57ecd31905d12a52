r"""Recurrent language models: what has been read is kept in a state of fixed size.

:class:`RNN`, :class:`LSTM` and :class:`AblatedLSTM` predict the next token from the state after the tokens
before it. Training reads whole sequences; sampling carries the state along, and costs the same for every
token. Chapter 4 teaches the models.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import (
    ConfigValues,
    check_choice,
    check_flag,
    check_inputs,
    check_probability,
    check_reading,
    check_token,
    check_whole,
)
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import SequenceModel, map_state
from transformer_lib.recurrent.cells import (
    ACTIVATIONS,
    AblatedLSTMLayer,
    GateTrace,
    LSTMLayer,
    RecurrentLayer,
    RecurrentStack,
    RNNLayer,
    State,
)

__all__ = [
    "LSTM",
    "RNN",
    "AblatedLSTM",
    "RecurrentConfig",
    "RecurrentModel",
    "detach_state",
    "token_embedding",
]


@dataclass(frozen=True)
class RecurrentConfig(ConfigValues):
    r"""The shape of a recurrent language model.

    The note's LSTM is ``cell_activation="sigmoid", bias=False``; the slides' RNN is
    ``cell_activation="sigmoid", learned_initial_state=True, tie_embeddings=False``.

    Parameters
    ----------
    vocab_size
        The number of different tokens.
    d_model, n_layers
        The width of embeddings and states, and the number of layers.
    dropout
        The probability of dropping an input of a layer or of the head: between layers and around them, never
        from one step to the next.
    cell_activation
        What squashes a new state or candidate, and the LSTM's memory where it is shown, by its name in
        :data:`~transformer_lib.activations.ACTIVATIONS`: ``"tanh"``, as is common, or ``"sigmoid"``, as the
        sources have it. Gates are logistic in any case.
    bias
        Whether cells and head have biases.
    learned_initial_state
        Whether the state in which nothing has been read is a parameter; otherwise it is zero.
    tie_embeddings
        Whether the head's matrix is the token embedding.
    start_token
        The token that stands before the first.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    vocab_size: int
    d_model: int = 128
    n_layers: int = 1
    dropout: float = 0.0
    cell_activation: str = "tanh"
    bias: bool = True
    learned_initial_state: bool = False
    tie_embeddings: bool = True
    start_token: int = 0

    def __post_init__(self) -> None:
        self._check(check_whole, "vocab_size", "d_model", "n_layers", least=1)
        self._check(check_probability, "dropout")
        self._check(check_choice, "cell_activation", choices=ACTIVATIONS)
        self._check(check_flag, "bias", "learned_initial_state", "tie_embeddings")
        check_token("start_token", self.start_token, self.vocab_size)


class RecurrentModel(SequenceModel):
    r"""A language model with a running state: :math:`f_t(x_{<t}) = b + W_o h_{t-1}`.

    Token embeddings pass through recurrent layers of the same width; a linear head, by default the transposed
    token embedding, gives the logits. The subclasses say which layers.

    Parameters
    ----------
    config
        The shape.
    generator
        The source of the initial weights.

    Source: S19, S20, S21, S5
    """

    layer_class: type[RecurrentLayer]

    def __init__(self, config: RecurrentConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.start_token = config.vocab_size, config.start_token
        self.token_embedding = token_embedding(
            config.vocab_size, config.d_model, tied=config.tie_embeddings, generator=generator
        )
        self.stack = RecurrentStack(
            self.layer_class,
            config.d_model,
            config.n_layers,
            bias=config.bias,
            activation=config.cell_activation,
            dropout=config.dropout,
            learned_initial_state=config.learned_initial_state,
            generator=generator,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.head = None
        if not config.tie_embeddings:
            self.head = projection(config.d_model, config.vocab_size, bias=False, generator=generator)
        self.head_bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.bias else None

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Raises
        ------
        ValueError
            For tokens in CPU memory, where looking is free, if one is outside the vocabulary.

        Source: S21
        """
        return self.logits_and_state(tokens)[0]

    def logits_and_state(
        self, tokens: Int[Tensor, "batch time"], state: State | None = None
    ) -> tuple[Float[Tensor, "batch time vocab"], State]:
        """The logits, and the state after the last token; both as if ``state`` had been read before.

        In this way a long text can be read piece by piece. The state keeps its gradient: truncated
        backpropagation carries :func:`detach_state` of it.
        """
        hidden, state = self._read(tokens, state)
        return self._output(hidden), state

    def init_state(self, batch_size: int) -> State:
        """The state in which nothing has been read: for each layer (batch, d_model) tensors.

        Source: S19
        """
        return self.stack.init_state(batch_size)

    def step(self, token: Int[Tensor, "batch"], state: State) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read one more token through the cells, in constant time.

        Raises
        ------
        ValueError
            If there are not as many tokens as rows in the state, or one is outside the vocabulary.
        """
        check_reading(token[:, None], self.vocab_size, len(state[0][0]))
        hidden, state = self.stack.step(self.token_embedding(token.long()), state)
        return self._output(hidden), state

    def read(
        self, tokens: Int[Tensor, "batch time"], state: State
    ) -> tuple[Float[Tensor, "batch vocab"], State]:
        """Read several tokens; return the logits of the token after them, and the new state.

        Raises
        ------
        ValueError
            As :meth:`step`, or if there is no token.
        """
        check_reading(tokens, self.vocab_size, len(state[0][0]))
        hidden, state = self._read(tokens, state)
        return self._output(hidden[:, -1]), state

    def _read(self, tokens: Tensor, state: State | None) -> tuple[Tensor, State]:
        state = self.init_state(tokens.shape[0]) if state is None else state
        return self.stack(self._embed(tokens), state)

    def _embed(self, tokens: Tensor) -> Float[Tensor, "batch time d_model"]:
        check_inputs(tokens, self.vocab_size)
        return self.token_embedding(tokens.long())

    def _output(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        head = self.token_embedding if self.head is None else self.head
        return F.linear(self.dropout(hidden), head.weight, self.head_bias)


class RNN(RecurrentModel):
    r"""The plain recurrent network, :math:`h_t = \phi(c + W_h h_{t-1} + W_x x_t)`.

    Source: S19, S20, S21
    """

    layer_class = RNNLayer


class LSTM(RecurrentModel):
    """The long short-term memory.

    Source: N13, N14, N15, N16, N17, N18
    """

    layer_class: type[RecurrentLayer] = LSTMLayer

    def trace(
        self, tokens: Int[Tensor, "batch time"], layer: int = -1, state: State | None = None
    ) -> GateTrace:
        """Gates, candidates and memory of one layer at each token, from ``state`` on or from the beginning.

        Source: N13, N14, N15, N16, N17, N18
        """
        state = self.init_state(tokens.shape[0]) if state is None else state
        return self.stack.trace(self._embed(tokens), state, layer)


class AblatedLSTM(LSTM):
    """The LSTM whose only recurrence is that of its memory; all steps of a layer are computed at once.

    Source: N20, N21; Levy et al. (2018)
    """

    layer_class = AblatedLSTMLayer


def detach_state(state: State) -> State:
    """The same state without its history: what truncated backpropagation carries from batch to batch."""
    return map_state(Tensor.detach, state)


def token_embedding(
    vocab_size: int, d_model: int, *, tied: bool, generator: torch.Generator | None = None
) -> nn.Embedding:
    """Normal embeddings: of unit variance, or of unit length where they are the head's matrix too."""
    return embedding(vocab_size, d_model, std=d_model**-0.5 if tied else 1.0, generator=generator)
