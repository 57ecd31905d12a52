"""Constituency trees, drawn with their words in a row."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from transformer_lib.plotting.style import COLORS, WIDTH

Tree = tuple[Any, ...]
Span = tuple[str, int, int]

ROW = 0.5  # inches between a label and those under it


def constituency_trees(
    trees: Mapping[str, Tree], marked: Mapping[str, Collection[Span]] | None = None
) -> Figure:
    """Draw trees one below the other, each with its title.

    A tree is a label and its parts; a tag is drawn as its word. A phrase stands over the middle of its parts.

    Parameters
    ----------
    trees
        The trees by title.
    marked
        By title, brackets ``(label, begin, end)`` to draw in orange and framed, of the words from `begin` to
        before `end`. A bracket that is named twice is drawn so twice.
    """
    heights = [_height(tree) for tree in trees.values()]
    sizes = [ROW * (height + 1) + 0.5 for height in heights]
    figure, axes = plt.subplots(
        len(trees),
        1,
        figsize=(WIDTH, sum(sizes)),
        squeeze=False,
        gridspec_kw={"height_ratios": sizes},
    )
    for ax, (title, tree), height in zip(axes[:, 0], trees.items(), heights):
        n_words = _draw(ax, tree, 0, Counter((marked or {}).get(title, ())))[2]
        ax.set(xlim=(-0.6, n_words - 0.4), ylim=(-0.45, height + 0.45))
        ax.set_title(title)
        ax.set_axis_off()
    return figure


def _is_word(tree: Tree | str) -> bool:
    return isinstance(tree, str) or (len(tree) == 2 and isinstance(tree[1], str))


def _height(tree: Tree | str) -> int:
    return 0 if _is_word(tree) else 1 + max(_height(part) for part in tree[1:])


def _draw(ax: Axes, tree: Tree | str, begin: int, marked: Counter[Span]) -> tuple[float, float, int]:
    """Draw what stands over the words from `begin` on; where its label is, and where its words end."""
    if _is_word(tree):
        word = tree if isinstance(tree, str) else tree[1]
        ax.text(begin, 0, word, ha="center", va="center", color=COLORS["black"])
        return float(begin), 0.0, begin + 1
    places, end = [], begin
    for part in tree[1:]:
        x, y, end = _draw(ax, part, end, marked)
        places.append((x, y))
    x, y = sum(x for x, _ in places) / len(places), float(_height(tree))
    span = (tree[0], begin, end)
    is_marked = marked[span] > 0
    marked[span] -= 1
    color = COLORS["orange"] if is_marked else COLORS["blue"]
    for below_x, below_y in places:
        ax.plot(
            [x, below_x],
            [y - 0.22, below_y + 0.25],
            color=COLORS["grey"],
            linewidth=1,
            linestyle="-",
            marker="",
        )
    box = {"boxstyle": "round,pad=0.2", "edgecolor": color, "facecolor": "none"} if is_marked else None
    ax.text(x, y, tree[0], ha="center", va="center", color=color, bbox=box)
    return x, y, end
