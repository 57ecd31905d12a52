"""Constituency trees as treebanks write them, one bracketing a line, and as lines that a model can write.

``(S (NP (DT the) (NN cat)) (VP (VBD sat)))`` is read as a `Tree`: a tuple of a label and its parts, of which
each is a word or again a tree. A tag with its word, such as ``(NN cat)``, is a *preterminal*; the other
labels are those of phrases. Chapter 18 parses by translating a sentence into its linearized tree.
"""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from transformer_lib.data.grammar import Tree
from transformer_lib.density.pcfg import PCFG

WORD = "XX"
"""What stands for a word in a linearized tree."""

UNSCORED_LABELS = frozenset({"", "TOP", "ROOT", "S1"})
UNSCORED_TAGS = frozenset({",", ":", "``", "''", ".", "-NONE-"})
EQUAL_LABELS = {"PRT": "ADVP"}

Preterminal = tuple[str, str]
"""A tag and its word."""

Span = tuple[str, int, int]
"""A label and where its words begin and end: the words from the first number to before the second."""


@dataclass(frozen=True)
class Treebank:
    """Sentences with their trees, in three parts.

    Attributes
    ----------
    name, description
        What the treebank is called and, in a sentence, what it is.
    train, valid, test
        The trees of each part.
    """

    name: str
    train: Sequence[Tree]
    valid: Sequence[Tree]
    test: Sequence[Tree]
    description: str


def read_tree(text: str) -> Tree:
    """The tree that `text` brackets; `format_tree` writes it back.

    Raises
    ------
    ValueError
        If a bracket is missing or left over, a label is missing, or a label has no parts.
    """
    opened: list[list[Tree | str]] = []
    pieces = re.findall(r"[()]|[^()\s]+", text)
    for number, piece in enumerate(pieces):
        if piece == "(":
            opened.append([])
        elif not opened:
            raise ValueError(f"{text!r} does not begin with a bracket: give one bracketing")
        elif piece != ")":
            opened[-1].append(piece)
        else:
            parts = opened.pop()
            if len(parts) < 2 or not isinstance(parts[0], str):
                raise ValueError(f"{text!r} has a bracket that is not a label and its parts: {parts}")
            if opened:
                opened[-1].append(tuple(parts))
            elif number + 1 == len(pieces):
                return tuple(parts)
            else:
                raise ValueError(f"{text!r} goes on after its last bracket: give one bracketing")
    raise ValueError(f"{text!r} ends with {len(opened)} brackets open, or is empty: give one bracketing")


def format_tree(tree: Tree) -> str:
    """The bracketing of `tree`, on one line."""
    label, *parts = tree
    return f"({label} {' '.join(part if isinstance(part, str) else format_tree(part) for part in parts)})"


def leaves(tree: Tree) -> list[str]:
    """The words of `tree`, from left to right."""
    return [word for part in tree[1:] for word in ([part] if isinstance(part, str) else leaves(part))]


def is_preterminal(tree: Tree) -> bool:
    """Whether it is a tag with its word."""
    return len(tree) == 2 and isinstance(tree[1], str)


def preterminals(tree: Tree) -> list[Preterminal]:
    """The tags of `tree`, each with its word, from left to right.

    Raises
    ------
    ValueError
        If a word stands without a tag.
    """
    if is_preterminal(tree):
        return [(tree[0], tree[1])]
    for part in tree[1:]:
        if isinstance(part, str):
            raise ValueError(f"the word {part!r} has no tag of its own in {format_tree(tree)}")
    return [found for part in tree[1:] for found in preterminals(part)]


def relabel(tree: Tree, label: Callable[[str], str]) -> Tree:
    """The tree with another label for each."""
    return (label(tree[0]), *(part if isinstance(part, str) else relabel(part, label) for part in tree[1:]))


def without_function(label: str) -> str:
    """The label without what says its function: ``NP`` for ``NP-SBJ``; ``-LRB-`` stays."""
    return label if label.startswith("-") else re.split("[-=]", label, maxsplit=1)[0]


def linearize(tree: Tree) -> list[str]:
    """The tree as a line: ``(S``, ``(NP``, ``XX``, ``)NP``, ..., ``)S``, with ``XX`` for a tag and its word.

    So a model writes nothing that the sentence already says. `tree_of_line` reads it back.

    Raises
    ------
    ValueError
        If a word stands without a tag.

    Source: Vinyals et al. (2015), section 2.2
    """
    if is_preterminal(tree):
        return [WORD]
    if any(isinstance(part, str) for part in tree[1:]):
        preterminals(tree)  # says which word has no tag
    inside = [token for part in tree[1:] for token in linearize(part)]
    return [f"({tree[0]}", *inside, f"){tree[0]}"]


def tree_of_line(line: Iterable[str], words: Sequence[Preterminal]) -> Tree:
    """The tree that `linearize` wrote, with these tags and words.

    Raises
    ------
    ValueError
        If the line is no tree of so many words: the message says what is wrong with it first.
    """
    opened: list[list[Tree | str]] = [[""]]
    to_come = list(reversed(words))
    for place, token in enumerate(line):
        if place > 0 and len(opened) == 1:
            raise ValueError(f"token {place}, {token}, follows after the tree is complete")
        if token == WORD:
            if not to_come:
                raise ValueError(f"token {place} is a word, but the sentence has {len(words)}")
            opened[-1].append(to_come.pop())
        elif token.startswith("(") and len(token) > 1:
            opened.append([token[1:]])
        elif token.startswith(")") and token[1:] == opened[-1][0]:
            if len(opened[-1]) == 1:
                raise ValueError(f"token {place}, {token}, closes a bracket with nothing in it")
            closed = tuple(opened.pop())
            opened[-1].append(closed)
        else:
            raise ValueError(f"token {place}, {token}, closes no bracket that is open")
    if len(opened) > 1 or to_come or len(opened[0]) < 2:
        raise ValueError(
            f"the line ends with {len(opened) - 1} brackets open and {len(to_come)} words to come"
        )
    tree = opened[0][1]
    assert isinstance(tree, tuple)
    return tree


def brackets(tree: Tree) -> list[Span]:
    """What is scored of a tree, by the rules of EVALB with Collins' parameters.

    Every phrase is a bracket, with its label and the words that it covers. Not scored are tags with their
    words and the label on top that all trees have (``TOP``, ``ROOT``). Punctuation is taken out before words
    are counted, and so are phrases of nothing else. What follows ``-`` or ``=`` in a label does not
    count, and ``PRT`` equals ``ADVP``.

    Source: Black et al. (1991); Sekine and Collins (1997), EVALB
    """
    found: list[Span] = []
    _add_brackets(tree, 0, found)
    return found


def _add_brackets(part: Tree | str, start: int, found: list[Span]) -> int:
    """Adds what is scored of a part whose first word has the place `start`; returns the place after it."""
    if isinstance(part, str):
        return start + 1
    if is_preterminal(part):
        return start + (part[0] not in UNSCORED_TAGS)
    place, end = len(found), start
    for one in part[1:]:
        end = _add_brackets(one, end, found)
    label = re.split("[-=]", part[0], maxsplit=1)[0]
    if end > start and label not in UNSCORED_LABELS:
        found.insert(place, (EQUAL_LABELS.get(label, label), start, end))
    return end


def right_branching(words: Sequence[Preterminal], top: str, label: str) -> Tree:
    """The tree in which every word is the sister of all that follow it: a guess that reads nothing.

    English goes to the right, so it is a baseline. The outermost bracket has the label `top`, the others
    have `label`.

    Raises
    ------
    ValueError
        If there is no word.
    """
    if not words:
        raise ValueError("a tree needs at least one word")
    inner: tuple[Tree, ...] = (words[-1],)
    for word in reversed(words[:-1]):
        inner = (word, (label, *inner) if len(inner) > 1 else inner[0])
    return (top, *inner)


SIGHTINGS = PCFG.parse("""
S: 1 NP-WHO VP
VP: 6 VBD-SEE NP-WHO | 4 VBD-SEE NP-WHO PP-USE | 2 VBD-SEE NP-WHO PP-AT | 1 VBD-SEE NP-WHO PP-AT PP-USE
    | 3 VBD-SAY SBAR-THAT | 2 VBD-GO PP-AT
NP-WHO: 5 NNP | 8 DT NN-WHO | 3 DT JJ NN-WHO | 5 NP-WHO PP-HAS | 1 NP-WHO PP-AT | 1 NP-WHO SBAR-WHO
NP-HAS: 3 DT NN-HAS | 1 DT JJ NN-HAS
NP-USE: 3 DT NN-USE | 1 DT JJ NN-USE
NP-AT: 5 DT NN-AT | 2 DT JJ NN-AT | 2 NP-AT PP-AT
PP-HAS: 1 IN-WITH NP-HAS
PP-USE: 1 IN-WITH NP-USE
PP-AT: 1 IN-AT NP-AT
SBAR-WHO: 1 WP VP
SBAR-THAT: 1 IN-THAT S
DT: 3 the | 2 a
JJ: 1 old | 1 tall | 1 red | 1 tiny | 1 strange
NNP: 1 ada | 1 ben | 1 clara | 1 hugo
NN-WHO: 1 girl | 1 boy | 1 painter | 1 sailor | 1 witch | 1 king
NN-HAS: 4 hat | 4 beard | 3 dog | 6 umbrella | 2 lantern | 1 mirror
NN-USE: 5 telescope | 4 camera | 3 mirror | 2 lantern | 1 umbrella
NN-AT: 1 garden | 1 park | 1 tower | 1 boat | 1 hill | 1 street
VBD-SEE: 3 saw | 2 watched | 2 found | 1 drew
VBD-SAY: 1 said | 1 thought
VBD-GO: 1 slept | 1 waited | 1 walked
IN-WITH: 1 with
IN-AT: 3 in | 2 near | 1 behind
IN-THAT: 1 that
WP: 1 who
""")
"""Who saw whom with what: a grammar in which the last noun decides where *with* belongs.

What follows the dash, such as the use of a telescope, is left out of the trees of `load_sightings`. The
grammar is written so that a sentence with such a tree comes about in one way, so the best tree of the grammar
is the best tree there is.

:meta hide-value:
"""


def load_sightings(
    n_train: int = 4000, n_held_out: int = 500, *, longest: int = 24, seed: int = 0
) -> Treebank:
    """Trees of sentences of at most `longest` words, drawn from `SIGHTINGS`; nothing is downloaded.

    A sentence may be in several parts, as short ones are likely; those of the validation and the test part
    are not in the training part.

    Raises
    ------
    ValueError
        If a part would be empty.
    """
    if min(n_train, n_held_out) < 1:
        raise ValueError(f"each part needs a tree; got n_train={n_train} and n_held_out={n_held_out}")
    rng = random.Random(seed)

    def draw(n: int, known: set[tuple[str, ...]]) -> list[Tree]:
        trees: list[Tree] = []
        while len(trees) < n:
            tree = relabel(SIGHTINGS.sample(rng), without_function)
            words = tuple(leaves(tree))
            if len(words) <= longest and words not in known:
                trees.append(tree)
        return trees

    train = draw(n_train, set())
    known = {tuple(leaves(tree)) for tree in train}
    return Treebank(
        name="sightings",
        train=train,
        valid=draw(n_held_out, known),
        test=draw(n_held_out, known),
        description="who saw whom with what, drawn from a grammar",
    )
