"""Decoding within a grammar: what must not come next gets the probability 0, and the rest share what is left.

A constraint is a function of the tokens so far. :class:`Constrained` puts it on any sequence model, so that
``generate`` and ``beam_search`` keep to it; chapter 18 makes every output a tree by :func:`well_formed_tree`.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_lib.interfaces import SequenceModel

__all__ = ["Constrained", "ConstrainedState", "Constraint", "well_formed_tree"]

Constraint = Callable[[tuple[int, ...]], Collection[int]]
"""The tokens that may follow those so far, without start token; never none."""


def well_formed_tree(
    closing: Mapping[int, int], word: int, end_token: int, *, n_words: int, n_tokens: int
) -> Constraint:
    """What may follow in a linearized tree of a sentence of ``n_words`` words.

    A tree is one bracket with all words in it; no bracket is empty, and each is closed by the token that
    belongs to it. After it comes ``end_token``. A bracket is opened only where there is room to close it.

    Parameters
    ----------
    closing
        The token that closes each token that opens a bracket.
    word
        The token that stands for the next word.
    n_tokens
        The most tokens of a tree, its end counted.

    Raises
    ------
    ValueError
        If there is no word, or no room for a tree of one bracket.
    """
    if n_words < 1 or n_tokens < n_words + 3:
        raise ValueError(
            f"a tree of {n_words} words needs a word, two tokens for a bracket and one for the end: n_tokens "
            f"must be at least n_words + 3; got {n_tokens}"
        )

    def allowed(prefix: tuple[int, ...]) -> Collection[int]:
        to_close: list[int] = []
        is_empty, words_left = True, n_words
        for token in prefix:
            if token in closing:
                to_close.append(closing[token])
                is_empty = True
            elif token == word or (to_close and token == to_close[-1]):
                words_left -= token == word
                if token != word:
                    to_close.pop()
                is_empty = False
            else:
                return {end_token}
        if prefix and not to_close:
            return {end_token}
        options: set[int] = set()
        if words_left:
            # what is here and must still come: the words, the brackets that are open, the end
            n_needed = len(prefix) + words_left + len(to_close) + 1
            options |= set(closing) if n_needed + 2 <= n_tokens else set()
            options |= {word} if to_close else set()
        if to_close and not is_empty and (len(to_close) > 1 or not words_left):
            options.add(to_close[-1])
        return options

    return allowed


class ConstrainedState(NamedTuple):
    """The model's own state, and for each row its constraint and what it has read; at first nothing."""

    inner: Any
    rows: tuple[int, ...]
    prefixes: tuple[tuple[int, ...] | None, ...]


class Constrained(SequenceModel):
    r"""A model whose next token is one that a constraint allows.

    .. math::

        p'(y_t \mid y_{<t}) = \frac{p(y_t \mid y_{<t})\,[y_t \in A(y_{<t})]}
        {\sum_{y \in A(y_{<t})} p(y \mid y_{<t})}

    The allowed tokens keep their ratios, step by step. This is not the distribution of whole sequences given
    that they keep to the constraint, which would need to know where each prefix can lead.

    Parameters
    ----------
    model
        What predicts the next token.
    constraints
        One for each row of the batch.
    """

    def __init__(self, model: SequenceModel, constraints: Sequence[Constraint]) -> None:
        super().__init__()
        self.model, self.constraints = model, tuple(constraints)
        self.vocab_size, self.context_length = model.vocab_size, model.context_length
        self.start_token, self.training = model.start_token, model.training

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The model's logits, minus infinity for what may not follow; the first token is the start token.

        Raises
        ------
        ValueError
            If there are not as many rows as constraints.
        """
        self._check(len(tokens))
        logits = self.model.logits(tokens)
        blocked = [
            self._blocked(range(len(tokens)), [tuple(row[1 : t + 1]) for row in tokens.tolist()])
            for t in range(tokens.shape[1])
        ]
        if not blocked:
            return logits
        return logits.masked_fill(torch.stack(blocked, dim=1).to(logits.device), -math.inf)

    def init_state(self, batch_size: int) -> ConstrainedState:
        """Nothing read, in a batch of as many rows as there are constraints."""
        self._check(batch_size)
        return ConstrainedState(
            self.model.init_state(batch_size), tuple(range(batch_size)), (None,) * batch_size
        )

    def step(
        self, token: Int[Tensor, "batch"], state: ConstrainedState
    ) -> tuple[Float[Tensor, "batch vocab"], ConstrainedState]:
        """Read one more token, the start token first."""
        logits, inner = self.model.step(token, state.inner)
        prefixes = tuple(
            () if prefix is None else (*prefix, new) for prefix, new in zip(state.prefixes, token.tolist())
        )
        blocked = self._blocked(state.rows, prefixes).to(logits.device)
        return logits.masked_fill(blocked, -math.inf), ConstrainedState(inner, state.rows, prefixes)

    def select_state(self, state: ConstrainedState, rows: Int[Tensor, "selected"]) -> ConstrainedState:
        """The state of these rows, each with its own constraint."""
        chosen = rows.tolist()
        return ConstrainedState(
            self.model.select_state(state.inner, rows),
            tuple(state.rows[row] for row in chosen),
            tuple(state.prefixes[row] for row in chosen),
        )

    def _check(self, batch_size: int) -> None:
        if batch_size != len(self.constraints):
            raise ValueError(f"there are {len(self.constraints)} constraints for {batch_size} rows")

    def _blocked(
        self, rows: Sequence[int], prefixes: Sequence[tuple[int, ...]]
    ) -> Bool[Tensor, "batch vocab"]:
        blocked = torch.ones(len(rows), self.vocab_size, dtype=torch.bool)
        for place, (row, prefix) in enumerate(zip(rows, prefixes)):
            blocked[place, list(self.constraints[row](prefix))] = False
        return blocked
