r"""The interpolated Kneser-Ney n-gram: what counting alone can predict.

Every language model of the course is measured against it. It is fitted by sorting and scored by binary
search, so that millions of tokens take seconds in NumPy.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.checks import check_positive, check_reading, check_token, check_tokens
from transformer_lib.interfaces import SequenceModel
from transformer_lib.padding import history_windows, shift_right

__all__ = ["KneserNey"]

ABSENT = -1


@dataclass(frozen=True)
class _Order:
    """The counts of one order n, discounted and divided: n-grams and their contexts, each sorted by a key.

    A context is keyed by its first token and the number of the context without it, an n-gram by the number of
    its context and its last token. A context's or n-gram's number is its place in the sorted keys.
    """

    discount: float
    context_keys: Int[np.ndarray, " contexts"]
    backoff: Float[np.ndarray, " contexts"]
    gram_keys: Int[np.ndarray, " grams"]
    probability: Float[np.ndarray, " grams"]


class KneserNey(SequenceModel):
    r"""Interpolated Kneser-Ney smoothing with one absolute discount for each order.

    With :math:`h = (x_{t-n+1}, \dots, x_{t-1})`, and :math:`h'` the same without its first token,

    .. math::
        p_n(x \mid h) = \frac{\max(c_n(hx) - D_n, 0)}{c_n(h\,\cdot)} + \frac{D_n\,
        N_{1+}(h\,\cdot)}{c_n(h\,\cdot)}\, p_{n-1}(x \mid h'), \qquad D_n = \frac{n_1}{n_1 + 2 n_2}, \qquad
        p_0(x) = \frac{1}{\mathtt{vocab\_size}},

    where :math:`n_1` and :math:`n_2` are the numbers of n-grams of order n with count 1 and 2, and
    :math:`N_{1+}(h\,\cdot)` is the number of different tokens seen after :math:`h`. At the highest order
    :math:`c_n` counts occurrences; below it, the different tokens seen before the n-gram. After a context
    never seen, :math:`p_n = p_{n-1}`.

    ``start_token`` ends each document and stands before the next one. What lies before the latest start token
    is no part of a history: a document has the same probability alone and in a stream. An n-gram that begins
    with it is preceded by nothing, and keeps its number of occurrences. Where an order has no n-gram that was
    seen once, :math:`D_n = 1/2`, so that every token keeps a positive probability.

    The model has no parameters to train or save: :meth:`fit` it again.

    Parameters
    ----------
    order : int
        The length of the longest n-gram; a prediction reads up to ``order - 1`` tokens.
    vocab_size : int
        Tokens are ``0..vocab_size - 1``.
    start_token : int
        The token that ends a document.

    Raises
    ------
    ValueError
        If a size is not positive or the start token is no token; by the methods, if a token is outside the
        vocabulary or the model was not fitted.

    Source: S2; S. Chen and J. Goodman, An Empirical Study of Smoothing Techniques for Language Modeling,
    1999.
    """

    def __init__(self, order: int, vocab_size: int, *, start_token: int = 0) -> None:
        super().__init__()
        check_positive(order=order, vocab_size=vocab_size)
        check_token("start_token", start_token, vocab_size)
        self.order, self.vocab_size, self.start_token = order, vocab_size, start_token
        self._orders: list[_Order] = []

    def fit(self, tokens: Int[np.ndarray, " time"] | Int[Tensor, " time"]) -> "KneserNey":
        """Count the n-grams of a stream of documents, each followed by ``start_token``. Returns the model.

        Raises
        ------
        ValueError
            If there are no tokens.
        """
        stream = torch.as_tensor(tokens).cpu()[None]
        check_tokens(stream, self.vocab_size)
        if stream.shape[1] == 0:
            raise ValueError("Kneser-Ney needs at least one token to count; got an empty stream")
        histories = self._histories(shift_right(stream, self.start_token))
        token = stream[0].long().numpy()

        levels = []
        context, n_contexts, context_keys = np.zeros(len(token), np.int64), 1, np.zeros(1, np.int64)
        for n in range(1, self.order + 1):
            if n > 1:
                keys = _extend(context, histories[:, n - 2], n_contexts)
                context_keys, context = _number(keys)
                n_contexts = len(context_keys)
            gram_keys, gram = _number(_extend(token, context, self.vocab_size))
            levels.append((context_keys, gram_keys, gram))

        self._orders, continuations = [], None
        for n, (context_keys, gram_keys, gram) in reversed(list(enumerate(levels, start=1))):
            counted = gram >= 0
            count = np.bincount(gram[counted], minlength=len(gram_keys))
            example = np.empty(len(gram_keys), np.int64)
            example[gram[counted]] = np.flatnonzero(counted)
            if continuations is not None:
                different = np.bincount(gram[continuations], minlength=len(gram_keys))
                begins = n > 1 and histories[example, n - 2] == self.start_token
                count = np.where(begins, count, different)
            continuations = example
            self._orders.insert(0, _discounted(count, context_keys, gram_keys, self.vocab_size))
        return self

    @property
    def discounts(self) -> list[float]:
        """:math:`D_1, D_2, ...`: the discount of each order."""
        return [order.discount for order in self._fitted()]

    def distribution(
        self, context: Int[np.ndarray, " time"] | Int[Tensor, " time"]
    ) -> Float[np.ndarray, " vocab"]:
        """The probability of each token after ``context``: all that was read, at first the start token."""
        tokens = torch.as_tensor(context)[None]
        check_tokens(tokens, self.vocab_size)
        if tokens.shape[1] == 0:
            raise ValueError(f"context must hold at least the start token, {self.start_token}; got none")
        return self._distributions(self._histories(tokens)[-1:])[0]

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Log-probabilities of each token after ``tokens[:, t]``, in float64 on the CPU."""
        check_tokens(tokens, self.vocab_size)
        log_probs = torch.from_numpy(np.log(self._distributions(self._histories(tokens))))
        return log_probs.reshape(*tokens.shape, self.vocab_size)

    def step(
        self, token: Int[Tensor, "batch"], state: Int[Tensor, "batch read"]
    ) -> tuple[Float[Tensor, "batch vocab"], Int[Tensor, "batch kept"]]:
        """Read one more token; the state is the latest ``order - 1`` tokens read."""
        check_reading(token[:, None], self.vocab_size, len(state))
        prefix = torch.cat([state, token[:, None]], dim=1)[:, -max(1, self.order - 1) :]
        last = self._histories(prefix).reshape(*prefix.shape, self.order - 1)[:, -1]
        return torch.from_numpy(np.log(self._distributions(last))), prefix

    def conditional_log_probs(
        self, x: Int[Tensor, "batch time"], *, stride: int | None = None
    ) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats, in float64 on the CPU.

        Every token has its whole history, whatever the ``stride``.
        """
        check_tokens(x, self.vocab_size)
        histories = self._histories(shift_right(x, self.start_token))
        token = x.reshape(-1).long().cpu().numpy()
        probability = np.full(len(token), 1 / self.vocab_size)
        for order, context in self._contexts(histories):
            gram = _find(order.gram_keys, _extend(token, context, self.vocab_size))
            known = np.flatnonzero(context >= 0)
            probability[known] *= order.backoff[context[known]]
            seen = np.flatnonzero(gram >= 0)
            probability[seen] += order.probability[gram[seen]]
        return torch.from_numpy(np.log(probability)).reshape(x.shape)

    def _fitted(self) -> list[_Order]:
        if not self._orders:
            raise ValueError("this Kneser-Ney model has counted nothing yet; call fit(tokens) first")
        return self._orders

    def _histories(self, read: Int[Tensor, "batch time"]) -> Int[np.ndarray, "rows history"]:
        """After each token: the latest ``order - 1`` tokens, nearest first, back to a start token at most."""
        longest = self.order - 1
        windows = history_windows(F.pad(read.long().cpu(), (0, 1)), longest, ABSENT)[:, 1:]
        history = windows.flip(-1).reshape(read.numel(), longest).numpy()
        start = history == self.start_token
        return np.where(start.cumsum(axis=1) - start > 0, ABSENT, history)

    def _contexts(self, histories: np.ndarray) -> Iterator[tuple[_Order, np.ndarray]]:
        """Each order with the number of each row's context in it, or ``ABSENT``."""
        context, n_contexts = np.zeros(len(histories), np.int64), 1
        for n, order in enumerate(self._fitted(), start=1):
            if n > 1:
                context = _find(order.context_keys, _extend(context, histories[:, n - 2], n_contexts))
                n_contexts = len(order.context_keys)
            yield order, context

    def _distributions(self, histories: np.ndarray) -> Float[np.ndarray, "rows vocab"]:
        probabilities = np.full((len(histories), self.vocab_size), 1 / self.vocab_size)
        for order, context in self._contexts(histories):
            known = np.flatnonzero(context >= 0)
            probabilities[known] *= order.backoff[context[known], None]
            first = np.searchsorted(order.gram_keys, context[known] * self.vocab_size)
            sizes = np.searchsorted(order.gram_keys, (context[known] + 1) * self.vocab_size) - first
            offsets = np.arange(sizes.sum()) - np.repeat(sizes.cumsum() - sizes, sizes)
            gram = np.repeat(first, sizes) + offsets
            probabilities[np.repeat(known, sizes), order.gram_keys[gram] % self.vocab_size] += (
                order.probability[gram]
            )
        return probabilities


def _extend(low: np.ndarray, high: np.ndarray, base: int) -> np.ndarray:
    """One key for each pair of numbers, ``ABSENT`` where either is."""
    return np.where((low == ABSENT) | (high == ABSENT), ABSENT, high * base + low)


def _number(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different keys in order, and the place of each key among them; ``ABSENT`` is no key."""
    numbers = np.full(len(keys), ABSENT)
    present = keys != ABSENT
    different, numbers[present] = np.unique(keys[present], return_inverse=True)
    return different, numbers


def _find(sorted_keys: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The place of each key among the sorted ones, or ``ABSENT``."""
    place = np.searchsorted(sorted_keys, keys)
    inside = place < len(sorted_keys)
    found = np.zeros(len(keys), bool)
    found[inside] = sorted_keys[place[inside]] == keys[inside]
    return np.where(found, place, ABSENT)


def _discounted(
    count: np.ndarray, context_keys: np.ndarray, gram_keys: np.ndarray, vocab_size: int
) -> _Order:
    once, twice = (count == 1).sum(), (count == 2).sum()
    discount = float(once / (once + 2 * twice)) if once else 0.5
    context = gram_keys // vocab_size
    total = np.bincount(context, weights=count, minlength=len(context_keys))
    different = np.bincount(context, minlength=len(context_keys))
    return _Order(
        discount, context_keys, discount * different / total, gram_keys, (count - discount) / total[context]
    )
