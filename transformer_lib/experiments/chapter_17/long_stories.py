"""Tales that take their time: three and ten times as long, and the hero's name is not said on the way.

The grammar is that of the tales, but between the plea and the trial there are more journeys and rumors. Both
speak of the hero by a pronoun, so the words that do not say the name leave six names of twelve.
"""

import random
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.data.grammar import Grammar
from transformer_lib.data.tales import FACTS, NAMES, RULES, TALES
from transformer_lib.data.tokenizers import WordTokenizer

__all__ = ["FACTORS", "NOT_SCORED", "Recall", "grammar", "recalls", "rows", "stories", "words"]

FACTORS = {1: 1, 3: 12, 10: 52}
"""Sentences on the way, by how many times as long as a tale the story is."""

FAR = 21
"""Words back, as on the scoreboard: nearer mentions are 15 or 17 words back, the others 34 or more."""

NOT_SCORED = -100
SEEDS = {"train": 0, "valid": 1, "test": 2}


@cache
def words() -> WordTokenizer:
    """The words of the tales, which are those of the long ones."""
    return WordTokenizer(TALES.vocabulary())


@cache
def grammar(factor: int) -> Grammar:
    """Stories ``factor`` times as long as a tale."""
    _, opening, rest = RULES.partition("\nOpening:")
    way = " ".join(["Way"] * FACTORS[factor])
    start = f"Story: 1 Opening Finding Plea {way} Trial Ending\nWay: 4 Journey | 1 Rumor"
    return Grammar(start + opening + rest, FACTS)


@cache
def stories(factor: int, part: str, n: int) -> tuple[str, ...]:
    """The first ``n`` stories of a part: ``train``, ``valid`` or ``test``."""
    rng = random.Random(1000 * factor + SEEDS[part])
    return tuple(grammar(factor).sample(rng) for _ in range(n))


def rows(
    texts: tuple[str, ...] | list[str],
) -> tuple[Int[Tensor, "stories time"], Int[Tensor, "stories time"]]:
    """What is read and what is predicted; an end token stands in front, and behind, and pads what is read."""
    end = words().end_token
    tokens = [[end, *words().encode(text), end] for text in texts]
    longest = max(map(len, tokens)) - 1
    inputs = [row[:-1] + [end] * (longest - len(row) + 1) for row in tokens]
    targets = [row[1:] + [NOT_SCORED] * (longest - len(row) + 1) for row in tokens]
    return torch.tensor(inputs), torch.tensor(targets)


@dataclass(frozen=True)
class Recall:
    """A place of a row at which the hero's name comes next, and how many words back it was last said."""

    row: int
    place: int
    back: int

    @property
    def is_far(self) -> bool:
        """Whether the name is not just a sentence or two back."""
        return self.back >= FAR


def recalls(texts: tuple[str, ...] | list[str]) -> list[Recall]:
    """All mentions of the hero but the first of each story; ``place`` is that of the word read before it."""
    found = []
    for row, text in enumerate(texts):
        named = [place for place, word in enumerate(text.split()) if word in NAMES]
        # Word p of a story is predicted at place p of its row, because the end token stands in front.
        found += [Recall(row, here, here - last) for last, here in pairwise(named)]
    return found
