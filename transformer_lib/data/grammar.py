r"""A probabilistic grammar whose probabilities can all be computed: what the tales are drawn from.

A story is drawn in two steps. First its *facts*: each fact (such as the hero) takes one of its values,
independently of the others. Then its *words*: from the name of the first rule on, the leftmost name is
replaced by one of its alternatives until only words are left. Weights are integers. In the rules ::

    Story: 1 once there was Pet . | 2 {hero} had Pet and Pet .
    Pet:   3 a dog | 1 a bird that loved {hero.them}

names of rules begin with a capital, and ``{hero.them}`` is a slot: the word that this story's hero has in
the column ``them``. So words far apart agree.

Where every string has one derivation, the entropy of a story is that of its facts plus the expected sum of
:math:`-\ln p` over its choices of rules. And a reader who keeps the short list of everything that may be
going on (which parts are still to come, which facts are settled) knows the exact probability of each next
word.
"""

import math
import random
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from transformer_lib.data.tokenizers import END

T = TypeVar("T")

Tree = tuple[Any, ...]
"""A bracketing ``(rule, part, part, ...)``; each part is a word or again a tree."""


class Slot(NamedTuple):
    """The place of the word in column `column` of the story's value of fact `fact` (both by number)."""

    fact: int
    column: int


Part = str | Slot
Settled = tuple[int | None, ...]
"""Per fact, the number of its value in this story, or None while the story has not named it."""

State = tuple[tuple[Part, ...] | None, Settled]
"""The parts still to come (None once the end token is out) and the facts settled so far."""


class Derivation(NamedTuple):
    """How a story came about: its bracketing, its facts by name, and the log-probability of both, in nats."""

    tree: Tree
    facts: dict[str, str]
    log_prob: float


class Choice:
    """A choice by integer weights that asks nothing of a random generator but `random()`."""

    def __init__(self, weights: Sequence[int]) -> None:
        if not weights or min(weights) < 1:
            raise ValueError(f"weights must be whole numbers from 1 on, not {list(weights)}")
        self._bounds = list(accumulate(weights))
        self.probabilities = [weight / self._bounds[-1] for weight in weights]

    def draw(self, rng: random.Random) -> int:
        """A number from 0 on, drawn in proportion to the weights; the same for a seed on every platform."""
        return bisect_right(self._bounds, int(rng.random() * self._bounds[-1]))

    def entropy(self) -> float:
        """In nats."""
        return -sum(p * math.log(p) for p in self.probabilities)


@dataclass(frozen=True)
class Fact:
    """A property of a whole story: one of several values.

    Each value is a row of single words under the same columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    choice: Choice

    @property
    def name(self) -> str:
        """The first column's heading; the slot ``{name}`` is short for that column."""
        return self.columns[0]

    @classmethod
    def parse(cls, table: str) -> "Fact":
        """Read a table: a line of headings, then lines of a weight and a word for each heading."""
        (columns, *lines) = [line.split() for line in table.strip().splitlines()]
        for line in lines:
            if len(line) != len(columns) + 1 or not line[0].isdecimal():
                raise ValueError(
                    f"fact {columns[0]!r}: {' '.join(line)!r} should be a weight and {len(columns)} words"
                )
        rows = tuple(tuple(line[1:]) for line in lines)
        if len({row[0] for row in rows}) < len(rows):
            raise ValueError(f"fact {columns[0]!r}: every row needs another first word")
        return cls(tuple(columns), rows, Choice([int(line[0]) for line in lines]))


class Grammar:
    """Rules and facts, checked on construction.

    Parameters
    ----------
    rules
        Lines ``Name: weight part part ... | weight part ...``; an indented line goes on with the line before.
        Stories start from the first rule. Every string should have one derivation: `derivations` lists them.
    facts
        Tables as `Fact.parse` reads them.

    Raises
    ------
    ValueError
        If a line cannot be read; a name, fact or column does not exist; a rule is defined twice, never
        used, or can reach itself; or a story can end without naming one of its facts (`entropy` would then
        be wrong).
    """

    def __init__(self, rules: str, facts: Sequence[str] = ()) -> None:
        self.facts = tuple(Fact.parse(table) for table in facts)
        self._choices: dict[str, Choice] = {}
        self._alternatives: dict[str, list[tuple[Part, ...]]] = {}
        for line in re.sub(r"\n[ \t]+", " ", rules).strip().splitlines():
            name, colon, alternatives = line.partition(":")
            if not colon or not name[:1].isupper() or name in self._alternatives:
                raise ValueError(f"{line!r} should start with a new rule's name and a colon")
            self._define(name, [text.split() for text in alternatives.split("|")])
        self._start = next(iter(self._alternatives))
        self._leaves_up = self._order()
        self._check_that_every_fact_is_named()
        self._openings: dict[Part, list[tuple[float, Part, tuple[Part, ...]]]] = {}
        for name in self._leaves_up:
            self._openings[name] = [
                (p * q, word, (*more, *rest))
                for p, (first, *rest) in self._weighted(name)
                for q, word, more in self._openings.get(first, [(1.0, first, ())])
            ]

    def _define(self, name: str, alternatives: list[list[str]]) -> None:
        for alternative in alternatives:
            if len(alternative) < 2 or not alternative[0].isdecimal():
                raise ValueError(
                    f"rule {name}: {' '.join(alternative)!r} should be a weight and one or more parts"
                )
        self._choices[name] = Choice([int(weight) for weight, *_ in alternatives])
        self._alternatives[name] = [tuple(self._part(name, p) for p in parts) for _, *parts in alternatives]

    def _part(self, rule: str, text: str) -> Part:
        if not text.startswith("{"):
            return text
        name, _, column = text.strip("{}").partition(".")
        for number, fact in enumerate(self.facts):
            if fact.name == name and (column or name) in fact.columns:
                return Slot(number, fact.columns.index(column or name))
        raise ValueError(f"rule {rule}: no fact has {text}")

    def _order(self) -> list[str]:
        uses = {
            name: {
                part
                for parts in alternatives
                for part in parts
                if isinstance(part, str) and part[0].isupper()
            }
            for name, alternatives in self._alternatives.items()
        }
        used = {self._start}.union(*uses.values())
        if undefined := used - uses.keys():
            raise ValueError(f"no line defines {', '.join(sorted(undefined))}")
        if unused := uses.keys() - used:
            raise ValueError(f"no rule uses {', '.join(sorted(unused))}")
        try:
            return list(TopologicalSorter(uses).static_order())
        except CycleError as error:
            raise ValueError(f"stories would be unbounded: {' in '.join(error.args[1])}") from None

    def _check_that_every_fact_is_named(self) -> None:
        named = self._fold(
            lambda leaf: {leaf.fact} if isinstance(leaf, Slot) and leaf.column == 0 else set(),
            lambda alternatives: set.intersection(*(set().union(*parts) for _, parts in alternatives)),
        )
        for number, fact in enumerate(self.facts):
            if number not in named:
                raise ValueError(f"a story can end without {{{fact.name}}}: every story must name every fact")

    def _weighted(self, name: str) -> list[tuple[float, tuple[Part, ...]]]:
        return list(zip(self._choices[name].probabilities, self._alternatives[name]))

    def _fold(self, leaf: Callable[[Part], T], combine: Callable[[list[tuple[float, list[T]]]], T]) -> T:
        """Compute a quantity of every rule from those of its alternatives' parts, and return the start's."""
        values: dict[Part, T] = {}
        for name in self._leaves_up:
            values[name] = combine(
                [
                    (p, [values[part] if part in values else leaf(part) for part in parts])
                    for p, parts in self._weighted(name)
                ]
            )
        return values[self._start]

    def expected_length(self) -> float:
        """Expected tokens per story, the end token included."""
        return 1 + self._fold(lambda _: 1.0, lambda options: sum(p * sum(parts) for p, parts in options))

    def longest(self) -> int:
        """Tokens of the longest story, the end token included."""
        return 1 + self._fold(lambda _: 1, lambda options: max(sum(parts) for _, parts in options))

    def entropy(self) -> float:
        r"""Nats per story: :math:`H(\text{facts}) + \sum_A H(A)\,\mathbb{E}[\text{uses of rule } A]`.

        With :math:`H_A` the entropy of all that rule :math:`A` becomes, each alternative of probability
        :math:`p` and parts :math:`B` adds :math:`p\,(-\ln p + \sum_B H_B)` to it.
        """
        of_rules = self._fold(
            lambda _: 0.0, lambda options: sum(p * (sum(parts) - math.log(p)) for p, parts in options)
        )
        return of_rules + sum(fact.choice.entropy() for fact in self.facts)

    def entropy_rate(self) -> float:
        """Nats per token: the entropy of a story over its expected length. No model's loss is lower."""
        return self.entropy() / self.expected_length()

    def vocabulary(self) -> tuple[str, ...]:
        """All words that stories are made of, sorted."""
        words: set[str] = set()
        for alternatives in self._alternatives.values():
            for part in (part for parts in alternatives for part in parts):
                if isinstance(part, Slot):
                    words.update(row[part.column] for row in self.facts[part.fact].rows)
                elif part not in self._alternatives:
                    words.add(part)
        return tuple(sorted(words))

    def sample(self, rng: random.Random) -> str:
        """Draw a story: words separated by single spaces. Only `rng.random()` is used."""
        rows = [fact.rows[fact.choice.draw(rng)] for fact in self.facts]
        words: list[str] = []
        to_come: list[Part] = [self._start]
        while to_come:
            part = to_come.pop()
            if isinstance(part, Slot):
                words.append(rows[part.fact][part.column])
            elif part in self._choices:
                to_come.extend(reversed(self._alternatives[part][self._choices[part].draw(rng)]))
            else:
                words.append(part)
        return " ".join(words)

    def next_word_probs(self, prefix: str) -> dict[str, float]:
        """The probability of every word that can follow `prefix`, ``<eos>`` included; most probable first.

        Raises
        ------
        ValueError
            If no story begins with `prefix`.
        """
        *_, (_, following) = self._read(prefix.split())
        probs = {word: sum(beliefs.values()) for word, beliefs in following.items()}
        return dict(sorted(probs.items(), key=lambda item: (-item[1], item[0])))

    def token_log_probs(self, story: str) -> list[float]:
        """The log-probability ln p(token | tokens before) of each word of `story` and, last, for its end.

        Raises
        ------
        ValueError
            If the grammar has no such story.
        """
        words = story.split()
        log_probs = [log_prob for log_prob, _ in self._read([*words, END])]
        return log_probs[1:]

    def log_prob(self, story: str) -> float:
        """The log-probability of `story`, in nats; minus infinity if the grammar has no such story."""
        probability = sum(math.exp(derivation.log_prob) for derivation in self.derivations(story))
        return math.log(probability) if probability else -math.inf

    def derivations(self, story: str) -> list[Derivation]:
        """All ways in which `story` can come about: exactly one for a story of an unambiguous grammar."""
        words = story.split()
        nothing_settled = (None,) * len(self.facts)
        return [
            Derivation(
                tree,
                {
                    fact.name: fact.rows[value][0]
                    for fact, value in zip(self.facts, settled)
                    if value is not None
                },
                log_prob,
            )
            for tree, end, settled, log_prob in self._match(self._start, words, 0, nothing_settled)
            if end == len(words) and isinstance(tree, tuple)
        ]

    def _words(self, leaf: Part, settled: Settled) -> list[tuple[float, str, Settled]]:
        """What a word or slot can become: (probability, word, facts settled thereafter)."""
        if not isinstance(leaf, Slot):
            return [(1.0, leaf, settled)]
        fact, value = self.facts[leaf.fact], settled[leaf.fact]
        if value is not None:
            return [(1.0, fact.rows[value][leaf.column], settled)]
        before, after = settled[: leaf.fact], settled[leaf.fact + 1 :]
        return [
            (p, row[leaf.column], (*before, value, *after))
            for value, (p, row) in enumerate(zip(fact.choice.probabilities, fact.rows))
        ]

    def _match(
        self, part: Part, words: list[str], at: int, settled: Settled
    ) -> Iterator[tuple[Tree | str, int, Settled, float]]:
        """Every way to make `part` of the words from `at` on: (tree, where it ends, settled facts, log p)."""
        if part in self._alternatives:
            for p, parts in self._weighted(part):
                for trees, end, now, log_prob in self._match_all(parts, words, at, settled):
                    yield (part, *trees), end, now, log_prob + math.log(p)
        elif at < len(words):
            for p, word, now in self._words(part, settled):
                if word == words[at]:
                    yield word, at + 1, now, math.log(p)

    def _match_all(
        self, parts: tuple[Part, ...], words: list[str], at: int, settled: Settled
    ) -> Iterator[tuple[Tree, int, Settled, float]]:
        if not parts:
            yield (), at, settled, 0.0
            return
        for tree, middle, now, log_prob in self._match(parts[0], words, at, settled):
            for trees, end, later, more in self._match_all(parts[1:], words, middle, now):
                yield (tree, *trees), end, later, log_prob + more

    def _read(self, words: list[str]) -> Iterator[tuple[float, dict[str, dict[State, float]]]]:
        """Before the first word and after each: (its log-probability, the states by the next word)."""
        following = self._follow({((self._start,), (None,) * len(self.facts)): 1.0})
        yield 0.0, following
        for count, word in enumerate(words):
            if word not in following:
                raise ValueError(
                    f"no story has {word!r} as word {count + 1}, after {' '.join(words[:count][-8:])!r}; "
                    f"possible are {', '.join(sorted(following)[:8]) or 'no words'}"
                )
            belief = following[word]
            p = sum(belief.values())
            following = self._follow({state: weight / p for state, weight in belief.items()})
            yield math.log(p), following

    def _follow(self, belief: dict[State, float]) -> dict[str, dict[State, float]]:
        """For every word that can come next, the states it leads to and their joint probabilities with it."""
        following: dict[str, dict[State, float]] = defaultdict(lambda: defaultdict(float))
        for (to_come, settled), weight in belief.items():
            if to_come is None:
                continue
            if not to_come:
                following[END][None, settled] += weight
                continue
            first, rest = to_come[0], to_come[1:]
            for p, leaf, more in self._openings.get(first, [(1.0, first, ())]):
                for q, word, now in self._words(leaf, settled):
                    following[word][more + rest, now] += weight * p * q
        return following
