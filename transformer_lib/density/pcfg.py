r"""Probabilistic context-free grammars: samples, the probability of a sentence, and its best tree by CKY.

A rule :math:`A \to X_1 \dots X_k` replaces a symbol by symbols and words with a probability; the probability
of a tree is the product over its rules. A sentence has many trees. CKY finds the best of them in time
:math:`O(n^3)` because the best tree over words :math:`i` to :math:`j` does not depend on the words outside.
Chapter 18 compares it with a Transformer that translates sentences into trees.
"""

import math
import random
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from jaxtyping import Float64, Num

__all__ = ["PCFG"]

Tree = tuple[Any, ...]
"""A symbol and its parts; each part is a word or again a tree."""

Parts = tuple[str, ...]


class PCFG:
    r"""A grammar with a probability for each rule.

    Trees are tuples of a symbol and its parts, as in :mod:`transformer_lib.data.trees`.

    Parameters
    ----------
    rules
        For each symbol, the parts it can become and their probabilities, which sum to 1. A part that is no
        symbol is a word.
    start
        The symbol of a whole sentence.

    Raises
    ------
    ValueError
        If the start is no symbol, an alternative is empty, or the probabilities of a symbol are not positive
        or do not sum to 1.
    """

    def __init__(self, rules: Mapping[str, Mapping[Parts, float]], start: str) -> None:
        if start not in rules:
            raise ValueError(f"the start {start!r} has no rules; symbols are {', '.join(sorted(rules)[:8])}")
        for symbol, options in rules.items():
            if () in options:
                raise ValueError(f"{symbol} becomes nothing in one of its rules: give each rule its parts")
            if min(options.values(), default=0) <= 0 or abs(math.fsum(options.values()) - 1) > 1e-9:
                raise ValueError(f"the probabilities of {symbol} must be positive and sum to 1: {options}")
        self.rules = {symbol: dict(options) for symbol, options in rules.items()}
        self.start = start

    @classmethod
    def parse(cls, text: str) -> "PCFG":
        """Read lines ``Symbol: weight part part ... | weight part ...``; the first symbol is the start.

        An indented line goes on with the line before.

        Raises
        ------
        ValueError
            If a line has no colon, a symbol is defined twice, or an alternative is not a whole number and one
            or more parts.
        """
        rules: dict[str, dict[Parts, float]] = {}
        for line in re.sub(r"\n[ \t]+", " ", text).strip().splitlines():
            symbol, colon, alternatives = line.partition(":")
            if not colon or symbol in rules:
                raise ValueError(f"{line!r} should start with a new symbol and a colon")
            weights: dict[Parts, int] = {}
            for alternative in alternatives.split("|"):
                weight, *parts = alternative.split() or [""]
                if not weight.isdecimal() or not parts:
                    raise ValueError(
                        f"rule {symbol}: {alternative.strip()!r} should be a weight and its parts"
                    )
                weights[tuple(parts)] = int(weight)
            rules[symbol] = {parts: weight / sum(weights.values()) for parts, weight in weights.items()}
        return cls(rules, next(iter(rules)))

    @classmethod
    def from_trees(cls, trees: Iterable[Tree]) -> "PCFG":
        r"""The grammar read off a treebank: :math:`p(A \to \beta) = c(A \to \beta) / c(A)`.

        No grammar gives these trees a higher probability. All trees have the same symbol on top.

        Raises
        ------
        ValueError
            If there are no trees, or they have different symbols on top.
        """
        counts: dict[str, Counter[Parts]] = defaultdict(Counter)
        starts = set()
        for tree in trees:
            starts.add(tree[0])
            for symbol, parts in _rules_of(tree):
                counts[symbol][parts] += 1
        if len(starts) != 1:
            raise ValueError(f"all trees need one symbol on top; these have {sorted(starts) or 'none'}")
        rules = {a: {b: c / options.total() for b, c in options.items()} for a, options in counts.items()}
        return cls(rules, starts.pop())

    def sample(self, rng: random.Random, symbol: str | None = None) -> Tree:
        """Draw a tree from ``symbol`` on, by default the start. Only ``rng.random()`` is used."""
        symbol = self.start if symbol is None else symbol
        options = self.rules[symbol]
        bounds = list(accumulate(options.values()))
        place = min(bisect_right(bounds, rng.random()), len(bounds) - 1)
        parts = list(options)[place]
        return (symbol, *(self.sample(rng, part) if part in self.rules else part for part in parts))

    def tree_log_prob(self, tree: Tree) -> float:
        """The log-probability of a tree in nats; minus infinity if the grammar has no such tree."""
        found = [self.rules.get(symbol, {}).get(parts, 0.0) for symbol, parts in _rules_of(tree)]
        return math.fsum(map(math.log, found)) if all(found) else -math.inf

    def log_prob(self, words: Sequence[str]) -> float:
        r"""The log-probability of a sentence, :math:`\log \sum_{\text{trees}} p(\text{tree})`, in nats.

        Computed by the inside algorithm: CKY with sums in place of maxima. Chains of rules with one part
        each, also circular ones, are summed by one inverse.
        """
        if not words or not all(word in self._tables.number for word in words):
            return -math.inf
        tables, n = self._tables, len(words)
        per_word = len(tables.number)  # a factor for each word, so that products stay within floats
        chart = np.zeros((n, n + 1, len(tables.number)))
        for width in range(1, n + 1):
            for i in range(n - width + 1):
                j, cell = i + width, chart[i, i + width]
                if width == 1:
                    cell[tables.number[words[i]]] = per_word
                else:
                    left, right = chart[i, i + 1 : j], chart[i + 1 : j, j]
                    sums = (left[:, tables.left] * right[:, tables.right]).sum(0)
                    np.add.at(cell, tables.parent, np.exp(tables.log_p) * sums)
                chart[i, j] = tables.chains @ cell
        probability = chart[0, n, tables.number[self.start]]
        return math.log(probability) - n * math.log(per_word) if probability else -math.inf

    def best_tree(self, words: Sequence[str]) -> tuple[Tree, float] | None:
        """The most probable tree of a sentence and its log-probability, by CKY; None if it has no tree."""
        if not words or not all(word in self._tables.number for word in words):
            return None
        tables, n = self._tables, len(words)
        chart = np.full((n, n + 1, len(tables.number)), -np.inf)
        for width in range(1, n + 1):
            for i in range(n - width + 1):
                j, cell = i + width, chart[i, i + width]
                if width == 1:
                    cell[tables.number[words[i]]] = 0.0
                else:
                    left, right = chart[i, i + 1 : j], chart[i + 1 : j, j]
                    best = (left[:, tables.left] + right[:, tables.right]).max(0)
                    np.maximum.at(cell, tables.parent, tables.log_p + best)
                tables.extend_by_chains(cell)
        score = chart[0, n, tables.number[self.start]]
        if score == -np.inf:
            return None
        return tables.tree(chart, 0, n, tables.number[self.start]), float(score)

    @cached_property
    def _tables(self) -> "_Tables":
        return _Tables(self.rules)


class _Tables:
    """The rules as arrays, in which every rule has one part or two.

    A rule of more parts becomes several: its first part and the tuple of the others, which is a symbol.
    """

    def __init__(self, rules: Mapping[str, Mapping[Parts, float]]) -> None:
        self.number: dict[Any, int] = {}
        unary: list[tuple[int, int, float]] = []
        binary: list[tuple[int, int, int, float]] = []
        rests: set[Parts] = set()
        for symbol, options in rules.items():
            for parts, probability in options.items():
                parent, log_p = self._of(symbol), math.log(probability)
                if len(parts) == 1:
                    unary.append((parent, self._of(parts[0]), log_p))
                    continue
                while True:
                    rest = parts[1:] if len(parts) > 2 else parts[1]
                    binary.append((parent, self._of(parts[0]), self._of(rest), log_p))
                    if len(parts) == 2 or rest in rests:
                        break
                    rests.add(parts := parts[1:])
                    parent, log_p = self._of(rest), 0.0
        self.names = list(self.number)
        self.parent, self.left, self.right, self.log_p = _columns(binary, 4)
        self.above, self.below, self.chain_log_p = _columns(unary, 3)

    def _of(self, name: Any) -> int:
        return self.number.setdefault(name, len(self.number))

    @cached_property
    def chains(self) -> Float64[np.ndarray, "symbols symbols"]:
        """The summed probability of all chains from each symbol to each, of no rule included."""
        steps = np.zeros((len(self.number), len(self.number)))
        np.add.at(steps, (self.above, self.below), np.exp(self.chain_log_p))
        return np.linalg.inv(np.eye(len(steps)) - steps)

    def extend_by_chains(self, cell: Float64[np.ndarray, "symbols"]) -> None:
        """Let symbols become others by rules of one part, until none becomes more probable by it."""
        while True:
            before = cell.copy()
            np.maximum.at(cell, self.above, self.chain_log_p + cell[self.below])
            if (cell == before).all():
                return

    def tree(self, chart: Float64[np.ndarray, "n ends symbols"], i: int, j: int, symbol: int) -> Tree:
        """The tree whose probability stands in the chart, found again from the top."""
        (parts,) = self._parts(chart, i, j, symbol)
        return parts

    def _parts(self, chart: Float64[np.ndarray, "n ends symbols"], i: int, j: int, symbol: int) -> list[Any]:
        name, score = self.names[symbol], chart[i, j, symbol]
        for rule in np.flatnonzero(self.above == symbol):
            if self.chain_log_p[rule] + chart[i, j, self.below[rule]] == score:
                return [(name, *self._parts(chart, i, j, int(self.below[rule])))]
        rules = np.flatnonzero(self.parent == symbol)
        left, right = chart[i, i + 1 : j, self.left[rules]], chart[i + 1 : j, j][:, self.right[rules]].T
        for rule, split in zip(*np.nonzero(self.log_p[rules][:, None] + (left + right) == score)):
            found = rules[rule]
            middle = i + 1 + int(split)
            parts = [
                *self._parts(chart, i, middle, int(self.left[found])),
                *self._parts(chart, middle, j, int(self.right[found])),
            ]
            return parts if isinstance(name, tuple) else [(name, *parts)]
        return [name]  # a word


def _columns(rows: list[tuple[Any, ...]], n: int) -> list[Num[np.ndarray, "rules"]]:
    """Each column of the table as an array: numbers of symbols, and last the log-probabilities."""
    columns = list(zip(*rows)) if rows else [()] * n
    return [np.array(c, dtype=np.float64 if at == n - 1 else np.int64) for at, c in enumerate(columns)]


def _rules_of(tree: Tree) -> Iterable[tuple[str, Parts]]:
    symbol, *parts = tree
    yield symbol, tuple(part if isinstance(part, str) else part[0] for part in parts)
    for part in parts:
        if not isinstance(part, str):
            yield from _rules_of(part)
