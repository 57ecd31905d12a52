"""Pictures of sequences: surprisals by word, kind of word and memory, the chain rule, padded windows."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import matplotlib as mpl
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers, curve_with_spread
from transformer_lib.plotting.diagram import Diagram
from transformer_lib.plotting.style import COLORS, WIDTH

LONG_WORD, PER_ROW = 8, 12


def surprisal_strip(
    words: Sequence[str],
    surprisals: Mapping[str, npt.ArrayLike | Tensor],
) -> Figure:
    """Draw a text in rows of words, and under each word one cell per model, darker where it was surprised.

    Parameters
    ----------
    words
        The tokens of the text.
    surprisals
        For each model the nats that each word cost it; the color is darkest from 5 on.

    Raises
    ------
    ValueError
        If a model has not one number for each word.
    """
    cells = {name: as_numbers(values, 1) for name, values in surprisals.items()}
    for name, values in cells.items():
        if len(values) != len(words):
            raise ValueError(f"{name} has {len(values)} surprisals for {len(words)} words")
    rows, pitch = math.ceil(len(words) / PER_ROW), 0.42 + 0.22 * len(cells)
    height = pitch * rows + 0.7
    figure = plt.figure(figsize=(WIDTH, height), layout="none")
    ax = figure.add_axes((0.01, 0.7 / height, 0.98, 1 - 0.72 / height))
    shade = Normalize(0, 5)
    for i, word in enumerate(words):
        row, column = divmod(i, PER_ROW)
        size = 11 if len(word) < LONG_WORD else 11 * LONG_WORD / (len(word) + 1)
        top = -pitch * row
        ax.text(column + 0.5, top + 0.16, word, ha="center", va="center", fontsize=size)
        for k, values in enumerate(cells.values()):
            color = mpl.colormaps["Blues"](shade(values[i]))
            corner = (column + 0.03, top - 0.22 - 0.22 * k)
            ax.add_patch(Rectangle(corner, 0.94, 0.19, facecolor=color, edgecolor="#CFCFCF", linewidth=0.6))
    ax.set(xlim=(0, PER_ROW), ylim=(-pitch * rows + 0.38, 0.4))
    ax.set_axis_off()
    bar = figure.add_axes((0.25, 0.28 / height, 0.5, 0.12 / height))
    scale = mpl.cm.ScalarMappable(shade, "Blues")
    figure.colorbar(scale, cax=bar, orientation="horizontal")
    bar.set_title("surprisal (nats)", loc="center", fontsize=mpl.rcParams["axes.labelsize"], pad=5)
    return figure


def chain_rule_tree(
    conditional: Callable[[int, tuple[int, ...]], float],
    joint: Mapping[tuple[int, ...], float],
    highlighted: tuple[int, ...],
) -> Figure:
    """Draw all binary sequences of one length as a tree with the conditional probability on each arrow.

    Parameters
    ----------
    conditional
        ``conditional(x_t, history)``, the probability on the arrow from ``history`` to ``(*history, x_t)``.
    joint
        The probability of each whole sequence, written at its leaf.
    highlighted
        The sequence whose path is drawn in blue.
    """
    depth = len(highlighted)
    tree = Diagram(height=3.8)
    places: dict[tuple[int, ...], tuple[float, float]] = {(): (0.6, 1.9)}
    prefixes = itertools.chain.from_iterable(itertools.product((0, 1), repeat=n) for n in range(1, depth + 1))
    for x in prefixes:
        step = 1.7 / 2 ** len(x)
        height = places[x[:-1]][1] + (step if x[-1] == 0 else -step)
        places[x] = (0.6 + 1.85 * len(x), height)

    def color(x: tuple[int, ...]) -> str:
        return "blue" if highlighted[: len(x)] == x else "grey"

    boxes = {
        x: tree.box(
            *place,
            "".join("ab"[i] for i in x) or "start",
            width=0.68,
            height=0.34,
            color=color(x),
            size=11,
        )
        for x, place in places.items()
    }
    for x in places:
        if x:
            label = f"{conditional(x[-1], x[:-1]):.2f}"
            tree.arrow(boxes[x[:-1]], boxes[x], label, text_offset=(0, 0.0), color=color(x), size=10)
    for x, probability in joint.items():
        tree.text(places[x][0] + 0.42, places[x][1], f"{probability:.2f}", align="left", size=11)
    return tree.figure


def padding_windows(tokens: Sequence[str], history: int) -> Figure:
    """Draw how a window of ``history`` tokens slides over a padded sequence and predicts each token."""
    pitch, padded = 6.3 / (history + len(tokens) + 1), ["start"] * history + list(tokens)
    picture = Diagram(height=0.64 * len(tokens) + 0.2)
    for t in range(len(tokens)):
        y = 0.64 * (len(tokens) - t) - 0.2
        for i, token in enumerate(padded):
            x = 0.5 + pitch * i
            if t <= i <= t + history:
                color = "orange" if i == t + history else "blue"
                picture.box(x, y, token, width=0.88 * pitch, height=0.44, color=color, size=11)
            else:
                picture.text(x, y, token, size=11, color=COLORS["grey"])
        target = rf"$\hat p(x_{t + 1} \mid \cdot)$"
        picture.text(0.5 + pitch * len(padded), y, target, size=12)
    return picture.figure


def excess_bars(excess: Mapping[str, float], unlike: str) -> Figure:
    """Draw the mean excess surprisal of each kind of word as a bar, the highest first.

    Parameters
    ----------
    unlike
        The kind that the others are compared with, in grey.
    """
    figure, ax = plt.subplots(figsize=(7, 3.4))
    for kind in sorted(excess, key=excess.__getitem__):
        ax.barh([kind], [excess[kind]], color=COLORS["grey" if kind == unlike else "blue"])
    ax.set_xlabel("nats per word above the source")
    ax.grid(axis="y", visible=False)
    return figure


def loss_by_memory(curves: Mapping[str, tuple[Sequence[int], npt.ArrayLike, str]]) -> Figure:
    """Draw how far losses lie above the source's against the number of words that a model reads.

    Parameters
    ----------
    curves
        For each label the numbers of words, the excess with one row per seed, and a color.
    """
    figure, ax = plt.subplots()
    for label, (words, excess, color) in curves.items():
        curve_with_spread(ax, words, excess, label, color=color)
    ticks = sorted({n for words, _, _ in curves.values() for n in words})
    ax.set_xscale("log", base=2)
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    ax.set(xlabel="words that a prediction reads", ylabel="nats above the source")
    ax.set_ylim(0, None)
    ax.legend()
    return figure
