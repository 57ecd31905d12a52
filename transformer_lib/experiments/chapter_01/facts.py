"""The facts of a tale where they are named: which words repeat one, how far back it was named last."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transformer_lib.data import TALES, Tree

__all__ = ["HEROES", "Mention", "mentions", "share_of_kept_heroes"]

PRONOUN = "he or she"
KINDS = {"quality": "object's quality", "kin": "animal's kin"}
IMPLIED = {"hero": PRONOUN, "object": "obstacle"}
SCENERY = {"Shape", "Color", "Landmark"}
"""Rules that write the same words without naming a fact."""


class Mention(NamedTuple):
    """What a token of a tale names: the kind of fact, or "", and how many words back it was named last, or 0.

    A pronoun repeats the hero and names nobody, so later words count from the name. An obstacle names its
    object.
    """

    kind: str
    back: int


def _kinds() -> dict[str, tuple[str, str]]:
    """For each word that can name a fact: its kind, and the fact."""
    kinds: dict[str, tuple[str, str]] = {}
    for fact in TALES.facts:
        for name, *others in fact.rows:
            kinds[name] = KINDS.get(fact.name, fact.name), fact.name
            if fact.name in IMPLIED:
                kinds |= dict.fromkeys(others[:3], (IMPLIED[fact.name], fact.name))
    return kinds


KIND_OF = _kinds()
HEROES = {word for word, (kind, _) in KIND_OF.items() if kind == "hero"}


def _words_and_rules(tree: Tree) -> Iterator[tuple[str, str]]:
    """The words of a tale in order, each with the rule that wrote it."""
    rule, *parts = tree
    for part in parts:
        if isinstance(part, str):
            yield part, str(rule)
        else:
            yield from _words_and_rules(part)


def mentions(story: str) -> list[Mention]:
    """What each word of a tale names, and at last the end token.

    Raises
    ------
    ValueError
        If the grammar cannot write the story.
    """
    if not (found := TALES.derivations(story)):
        raise ValueError(f"no tale: {story!r}")
    named: list[Mention] = []
    last: dict[str, int] = {}
    for place, (word, rule) in enumerate(_words_and_rules(found[0].tree)):
        kind, fact = ("", "") if rule in SCENERY else KIND_OF.get(word, ("", ""))
        named.append(Mention(kind, place - last.get(fact, place)))
        if fact and kind != PRONOUN:
            last[fact] = place
    return [*named, Mention("", 0)]


def share_of_kept_heroes(stories: Sequence[str]) -> float:
    """Of the texts that name a hero twice or more, the share with one and the same name; 0 for none."""
    named = [[word for word in story.split() if word in HEROES] for story in stories]
    again = [names for names in named if len(names) > 1]
    return sum(len(set(names)) == 1 for names in again) / max(len(again), 1)
