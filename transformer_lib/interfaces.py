r"""What every density model of the course promises, and how a sequence is padded before it is predicted.

The chain rule :math:`p(x) = \prod_t p(x_t \mid x_{<t})` turns a distribution over sequences into a list of
conditionals (chapter 1). A :class:`DensityModel` gives those conditionals and samples from their product. A
:class:`SequenceModel` gives them by one function of the tokens read so far, for sequences of any length; all
it has to define is :meth:`~SequenceModel.logits`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import (
    check_reading,
    check_sample_size,
    check_tokens,
    check_whole,
)
from transformer_lib.padding import shift_right

__all__ = [
    "ConditionalModel",
    "DensityModel",
    "Model",
    "ScoringWindow",
    "SequenceModel",
    "device_of",
    "map_state",
    "sample_categorical",
    "scoring_windows",
    "select_rows",
]


def device_of(module: nn.Module) -> torch.device:
    """The device of the module's first parameter or buffer; the CPU if it has none."""
    for tensor in (*module.parameters(), *module.buffers()):
        return tensor.device
    return torch.device("cpu")


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


def sample_categorical(
    logits: Float[Tensor, "batch vocab"], generator: torch.Generator | None = None
) -> Int[Tensor, "batch"]:
    r"""One draw per row from :math:`\mathrm{Categorical}(\mathrm{softmax}(\text{logits}))`.

    Source: S5
    """
    if logits.shape[0] == 0:
        return torch.empty(0, dtype=torch.long, device=logits.device)
    probabilities = at_least_float32(logits).softmax(dim=-1)
    # (batch, 1), then (batch,)
    return torch.multinomial(probabilities, 1, generator=generator).squeeze(1)


def select_rows(state: Any, rows: Int[Tensor, "selected"]) -> Any:
    """A state of these rows of the batch, copied: a row may be taken several times, or not at all.

    Tensors are taken to have the batch first; tuples, lists and dicts are gone through, ``None`` stays, and
    any other state selects by its own method ``select(rows)``.
    """

    def select(part: Any) -> Any:
        return part.index_select(0, rows) if isinstance(part, Tensor) else part.select(rows)

    return map_state(select, state)


def map_state(function: Callable[[Any], Any], state: Any) -> Any:
    """The state with ``function`` of each of its parts: tuples, lists and dicts are gone through."""
    if state is None:
        return None
    if isinstance(state, tuple | list):
        parts = [map_state(function, part) for part in state]
        return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
    if isinstance(state, dict):
        return {key: map_state(function, part) for key, part in state.items()}
    return function(state)


class ScoringWindow(NamedTuple):
    """A piece of a sequence that a model reads at once, and the first token in it that it scores."""

    begin: int
    end: int
    scored: int


def scoring_windows(length: int, context: int | None, stride: int | None) -> list[ScoringWindow]:
    """Windows of ``context`` tokens, each ``stride`` further on, that score each of ``length`` tokens once.

    A token is scored by the first window that contains it. A model without a ``context`` reads all at once.

    Raises
    ------
    ValueError
        If the stride is not from 1 to ``context``.
    """
    if context is None:
        return [ScoringWindow(0, length, 0)]
    stride = max(1, context // 2) if stride is None else stride
    check_whole("stride", stride, least=1, most=context)
    ends = [*range(min(context, length), length, stride), length]
    return [ScoringWindow(max(0, end - context), end, first) for end, first in zip(ends, [0, *ends])]


class Model(nn.Module):
    """What all models of sequences have."""

    def n_parameters(self) -> int:
        """The number of trainable numbers; what is shared counts once."""
        return sum(parameter.numel() for parameter in self.parameters())


class DensityModel(Model, ABC):
    r"""A distribution over token sequences, given by its conditionals :math:`p(x_t \mid x_{<t})`.

    Calling the model is :meth:`log_prob`.

    Attributes
    ----------
    vocab_size : int
        Tokens are the integers ``0..vocab_size - 1``.

    Source: S1
    """

    vocab_size: int

    @abstractmethod
    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats.

        Raises
        ------
        ValueError
            If a token is outside the vocabulary, or the sequence longer than the model can read.
        """

    @abstractmethod
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        """``n`` independent sequences, drawn token after token from the conditionals."""

    def log_prob(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch"]:
        r""":math:`\log p(x) = \sum_t \log p(x_t \mid x_{<t})`, in nats. The empty sequence has probability 1.

        Source: S1
        """
        return self.conditional_log_probs(x).sum(dim=1)

    def forward(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch"]:
        """The same as :meth:`log_prob`."""
        return self.log_prob(x)


class SequenceModel(DensityModel):
    r"""A density model that predicts each next token from those before it, starting from ``start_token``.

    A subclass defines :meth:`logits`. One that can carry a running state overrides :meth:`init_state` and
    :meth:`step` too, and then samples faster. Calling the model is :meth:`logits`.

    Attributes
    ----------
    start_token : int
        Stands before the first token.
    context_length : int or None
        The longest sequence that :meth:`logits` reads; ``None`` if any will do.
    """

    start_token: int = 0
    context_length: int | None = None

    @abstractmethod
    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token *after* ``tokens[:, t]``.

        Raises
        ------
        ValueError
            If there are more than ``context_length`` tokens.
        """

    def init_state(self, batch_size: int) -> Any:
        """The state in which nothing has been read. Here: the empty prefix."""
        return torch.empty(batch_size, 0, dtype=torch.long, device=device_of(self))

    def step(self, token: Int[Tensor, "batch"], state: Any) -> tuple[Float[Tensor, "batch vocab"], Any]:
        """Read one more token; return the logits of the token after it, and the new state.

        Here the state is the prefix read so far, cut to its last ``context_length`` tokens, and each step
        reads all of it again: correct for every model.

        A state stays as it was: reading may continue from it more than once.

        Raises
        ------
        ValueError
            If there are not as many tokens as rows in the state, or one is outside the vocabulary.
        """
        check_reading(token[:, None], max(self.vocab_size, self.start_token + 1), len(state))
        prefix = torch.cat([state, token[:, None]], dim=1)  # (batch, read + 1)
        if self.context_length is not None:
            prefix = prefix[:, -self.context_length :]
        return self.logits(prefix)[:, -1], prefix  # (batch, vocab)

    def read(self, tokens: Int[Tensor, "batch time"], state: Any) -> tuple[Float[Tensor, "batch vocab"], Any]:
        """Read several tokens, at least one; return the logits of the token after them, and the new state.

        Here: :meth:`step` for each. A model that can read many tokens at once overrides it.

        Raises
        ------
        ValueError
            As :meth:`step`, or if there is no token.
        """
        if tokens.shape[1] == 0:
            raise ValueError("reading needs at least one token in every row; got none")
        for token in tokens.unbind(dim=1):
            logits, state = self.step(token, state)
        return logits, state

    def select_state(self, state: Any, rows: Int[Tensor, "selected"]) -> Any:
        """The state in which the batch consists of these rows, as :func:`select_rows` copies them."""
        return select_rows(state, rows)

    def conditional_log_probs(
        self, x: Int[Tensor, "batch time"], *, stride: int | None = None
    ) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats.

        A sequence longer than ``context_length`` is read in windows of that length, each ``stride`` tokens
        further on, and each token is scored once, by the first window that contains it. This is the estimator
        with a finite history: a token beyond the first window is conditioned on at least ``context_length -
        stride + 1`` and at most ``context_length`` tokens before it. ``stride=1`` gives every token the
        longest history, as sampling does; a larger stride is that many times cheaper.

        Parameters
        ----------
        stride : int, optional
            From 1 to ``context_length``; by default half of ``context_length``.

        Raises
        ------
        ValueError
            If a token is outside the vocabulary, or the stride outside its range.

        Source: S1, S2
        """
        check_tokens(x, self.vocab_size)
        if x.shape[1] == 0:
            return at_least_float32(self.logits(x.long())[..., 0])
        inputs = shift_right(x.long(), self.start_token)
        scores = []
        for begin, end, scored in scoring_windows(x.shape[1], self.context_length, stride):
            logits = self.logits(inputs[:, begin:end])[:, scored - begin :]
            log_probs = at_least_float32(logits).log_softmax(dim=-1)
            target = x[:, scored:end, None].long()
            scores.append(log_probs.gather(2, target).squeeze(2))
        return torch.cat(scores, dim=1)

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        r"""``n`` independent sequences of ``length`` tokens: :math:`x_t \sim p(x_t \mid x_{<t})` in turn.

        Source: S1, S5
        """
        check_sample_size(n, length)
        tokens = torch.empty(n, length, dtype=torch.long, device=device_of(self))
        with evaluation_mode(self):
            token, state = tokens.new_full((n,), self.start_token), self.init_state(n)
            for t in range(length):
                logits, state = self.step(token, state)
                token = tokens[:, t] = sample_categorical(logits, generator)
        return tokens

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The same as :meth:`logits`."""
        return self.logits(tokens)


class ConditionalModel(Model, ABC):
    r"""A distribution :math:`p(y \mid x)` over target sequences, given source sequences.

    All that a :class:`SequenceModel` can do, ``log_prob``, ``sample`` and every way to decode, is done by the
    sequence model that :meth:`condition` returns. Calling the model gives the logits, as training needs them.

    Attributes
    ----------
    source_vocab_size, vocab_size : int
        Source tokens are the integers ``0..source_vocab_size - 1``, target tokens ``0..vocab_size - 1``.
    start_token : int
        Stands before the first target token.
    """

    source_vocab_size: int
    vocab_size: int
    start_token: int = 0

    @abstractmethod
    def condition(
        self, source: Int[Tensor, "batch source_time"], source_lengths: Int[Tensor, "batch"] | None = None
    ) -> SequenceModel:
        """The model of the targets that belong to these sources, row by row.

        The source is read once, with dropout if the model trains. What comes back shares the model's
        parameters, and reads and samples exactly one target per source: its batch is that of the sources.

        Parameters
        ----------
        source_lengths
            How many tokens of each row are the source; the others are padding, whatever their value. ``None``
            if there is no padding.

        Raises
        ------
        ValueError
            If a source token is outside the vocabulary, or a length is not 0 to ``source_time``, on a CPU.
        """

    def forward(
        self,
        source: Int[Tensor, "batch source_time"],
        inputs: Int[Tensor, "batch time"],
        source_lengths: Int[Tensor, "batch"] | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """The logits at each target position, of the token after ``inputs[:, t]``."""
        return self.condition(source, source_lengths).logits(inputs)
