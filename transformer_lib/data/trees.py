"""Constituency trees as treebanks write them, one bracketing a line.

``(S (NP (DT the) (NN cat)) (VP (VBD sat)))`` is read as a `Tree`: a tuple of a label and its parts, of which
each is a word or again a tree.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from transformer_lib.data.grammar import Tree


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
