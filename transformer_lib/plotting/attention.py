"""Pictures of attention: a lookup and a mixture, the flow of numbers, a shaded text, the split into heads."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram, Point
from transformer_lib.plotting.style import COLORS, Number

MINUS = "\N{MINUS SIGN}"
HEADS = ("blue", "orange")
CELL = 0.13
NARROW = 5.6
"""Width in inches of a drawing with many numbers: a telephone shows them larger than at 7 inches."""


def lookup_and_attention(
    query: npt.ArrayLike, keys: npt.ArrayLike, values: Sequence[Number], weights: Sequence[Number]
) -> Diagram:
    """Draw a table that finds one key, and below it a query that weighs every key.

    Parameters
    ----------
    query, keys, values, weights
        Of the lower drawing: a vector, three vectors, and three numbers each.

    Raises
    ------
    ValueError
        If there are more or fewer than three.
    """
    vectors = as_numbers(keys, 2)
    if not len(vectors) == len(values) == len(weights) == 3:
        raise ValueError("three keys are drawn, with a value and a weight each")
    d = Diagram(5.5, NARROW)
    d.text(0.1, 5.25, "a table", align="left", size=13)
    question = d.box(0.75, 4.2, "dog", width=0.9, color="blue", size=13)
    for y, name, number in [(4.75, "cat", 10), (4.2, "dog", 20), (3.65, "owl", 30)]:
        found = name == "dog"
        k = d.box(2.35, y, name, width=0.9, height=0.44, color="orange" if found else "grey", size=13)
        v = d.box(3.85, y, str(number), width=0.7, height=0.44, color="green" if found else "grey", size=13)
        if found:
            d.arrow(question, k, color="blue")
            d.arrow(v, (4.75, y), color="green")
    d.text(5.05, 4.2, "20", size=13)
    _titles(d, 3.2, {0.75: ("query", "blue"), 2.35: ("keys", "orange"), 3.85: ("values", "green")})

    d.text(0.1, 2.65, "attention", align="left", size=13)
    d.box(0.75, 1.35, _vector(query), width=0.9, color="blue", size=13)
    d.box(5.05, 1.35, f"{np.dot(weights, values):.1f}", width=0.8, color="purple", size=13)
    for y, key, value, weight in zip((2.05, 1.35, 0.65), vectors, values, weights):
        d.box(2.35, y, _vector(key), width=0.9, height=0.44, color="orange", size=13)
        d.box(3.85, y, str(value), width=0.7, height=0.44, color="green", size=13)
        middle = 1.35 + 0.15 * (y - 1.35)
        width = 0.7 + 5 * weight
        d.ax.plot([1.2, 1.9], [middle, y], color=COLORS["blue"], linewidth=width, linestyle="-", zorder=1)
        d.ax.plot([4.2, 4.6], [y, middle], color=COLORS["green"], linewidth=width, linestyle="-", zorder=1)
        d.text(3.15, y, f"{weight:.2f}", size=12)
    _titles(
        d,
        0.15,
        {
            0.75: ("query", "blue"),
            2.35: ("keys", "orange"),
            3.85: ("values", "green"),
            5.05: ("average", "purple"),
        },
    )
    return d


def attention_flow(
    X: npt.ArrayLike | Tensor,
    Q: npt.ArrayLike | Tensor,
    K: npt.ArrayLike | Tensor,
    V: npt.ArrayLike | Tensor,
    scores: npt.ArrayLike | Tensor,
    weights: npt.ArrayLike | Tensor,
    output: npt.ArrayLike | Tensor,
) -> Diagram:
    """Draw what one head computes for a few objects, with every number, from the top to the bottom."""
    d = Diagram(7.0, NARROW)
    x = _matrix(d, 2.8, 6.3, X, "grey", "g")
    d.text(2.3, 6.3, "$X$", size=14, align="right")
    q = _matrix(d, 0.95, 4.65, Q, "blue", "g")
    k = _matrix(d, 2.8, 4.65, K, "orange", "g")
    v = _matrix(d, 4.65, 4.65, V, "green", "g")
    for part, name, color in ((q, "Q", "blue"), (k, "K", "orange"), (v, "V", "green")):
        letter = name.lower()
        d.arrow(
            (2.8 + 0.35 * np.sign(part.x - 2.8), x.bottom[1]),
            part.top,
            f"$W_{letter}$",
            text_offset=(0.3 * np.sign(part.x - 2.8) or 0.28, 0.02),
            size=13,
        )
        d.text(part.x, part.bottom[1] - 0.17, f"${name}$", size=14, color=color)
    s = _matrix(d, 1.3, 2.75, scores, "purple", "g", cell=0.46)
    d.text(s.x, s.bottom[1] - 0.2, r"scores $QK^T/\sqrt{k}$", size=12)
    a = _matrix(d, 3.9, 2.75, weights, "purple", ".2f", cell=0.46)
    d.text(a.x, a.bottom[1] - 0.2, r"weights $\alpha$", size=12)
    d.arrow((0.95, q.bottom[1] - 0.32), (1.1, s.top[1]))
    d.arrow((2.55, k.bottom[1] - 0.32), (1.6, s.top[1]))
    d.arrow(s, a, "softmax of\neach row", text_offset=(0, 0.34), size=12)
    u = _matrix(d, 3.9, 0.72, output, "grey", ".2f", cell=0.46)
    d.text(u.left[0] - 0.12, 0.72, "output", size=12, align="right")
    d.arrow((a.x, a.bottom[1] - 0.36), u.top)
    d.arrow((5.1, v.bottom[1] - 0.32), (u.right[0], 0.95), r"$\alpha V W_c$", curve=-0.25, size=13)
    return d


def shaded_text(ax: Axes, words: Sequence[str], weights: npt.ArrayLike | Tensor, *, title: str = "") -> None:
    """Print a text with each word on a ground as dark as its weight.

    Parameters
    ----------
    ax
        Of a figure 5.6 inches wide; its limits and height are set by the text.
    weights
        One number per word; the ground is darkest from 0.5 on.

    Raises
    ------
    ValueError
        If there is not one weight for each word.
    """
    numbers = as_numbers(weights, 1)
    if len(numbers) != len(words):
        raise ValueError(f"{len(words)} words need as many weights, not {len(numbers)}")
    blues, letter, line, x, y = mpl.colormaps["Blues"], 0.1, 0.3, 0.0, 0.0
    for word, weight in zip(words, numbers):
        width = letter * len(word) + 0.1
        if x + width > NARROW:
            x, y = 0.0, y - line
        strength = min(1.0, weight / 0.5)
        box = Rectangle((x, y - 0.13), width - 0.02, 0.27, color=blues(strength), linewidth=0)
        ax.add_patch(box)
        ink = "white" if strength > 0.6 else COLORS["black"]
        ax.text(
            x + width / 2 - 0.01,
            y,
            word,
            ha="center",
            va="center_baseline",
            fontsize=11.5,
            family="monospace",
            color=ink,
        )
        x += width
    ax.set(xlim=(0, NARROW), ylim=(y - 0.15, 0.15), aspect="equal")
    ax.set_axis_off()
    ax.set_title(title)


def attention_over_steps(
    ax: Axes,
    steps: npt.ArrayLike | Tensor,
    weights: npt.ArrayLike | Tensor,
    words: Mapping[int, str],
    *,
    darkest: Number = 0.5,
) -> None:
    """Draw how attention to a text changes in training: a row for each word, a column for each step.

    Parameters
    ----------
    steps
        Shape ``columns``, evenly spaced.
    weights
        Shape ``columns words``.
    words
        The words that are named beside their rows, by their places in the text.
    darkest
        The weight of the darkest ground.

    Raises
    ------
    ValueError
        If there is not one row of weights for each step.
    """
    steps, numbers = as_numbers(steps, 1), as_numbers(weights, 2)
    if len(numbers) != len(steps):
        raise ValueError(f"{len(steps)} steps need as many rows of weights, not {len(numbers)}")
    half = (steps[1] - steps[0]) / 2
    extent = (steps[0] - half, steps[-1] + half, numbers.shape[1] - 0.5, -0.5)
    ax.imshow(numbers.T, cmap="Blues", vmin=0, vmax=darkest, aspect="auto", extent=extent)
    ax.set_yticks(list(words), list(words.values()))
    ax.grid(False)


def _matrix(
    d: Diagram,
    x: Number,
    y: Number,
    matrix: npt.ArrayLike | Tensor,
    color: str,
    format_: str,
    *,
    cell: Number = 0.4,
) -> Box:
    """A grid with the number in each cell, darker where it is larger."""
    numbers = as_numbers(matrix, 2)
    rows, columns = numbers.shape
    shades = 0.45 * np.clip(numbers, 0, None) / max(float(numbers.max()), 1e-9)
    box = d.grid(x, y, rows, columns, cell=cell, color=color, shades=shades)
    for i, j in np.ndindex(rows, columns):
        text = format(numbers[i, j], format_).replace("-", MINUS)
        d.text(box.left[0] + (j + 0.5) * cell, box.top[1] - (i + 0.5) * cell, text, size=12)
    return box


def _titles(d: Diagram, y: Number, titles: dict[float, tuple[str, str]]) -> None:
    for x, (text, color) in titles.items():
        d.text(x, y, text, color=color, size=13)


def _vector(numbers: npt.ArrayLike) -> str:
    return "(" + ", ".join(f"{n:g}".replace("-", MINUS) for n in as_numbers(numbers, 1)) + ")"


def split_and_join(weights: npt.ArrayLike | Tensor, d_head: int = 4) -> Diagram:
    """Draw how two heads split queries, keys and values, attend, and are joined; every matrix with its shape.

    Parameters
    ----------
    weights
        Shape ``2 objects objects``: what the cells of the two heads' weights show.

    Raises
    ------
    ValueError
        If they are not those of two heads.
    """
    shades = as_numbers(weights, 3)
    n_heads, p, _ = shades.shape
    if n_heads != len(HEADS):
        raise ValueError(f"two heads are drawn; got the weights of {n_heads}")
    width = 2 * d_head
    d = Diagram(7.25, NARROW)
    x = d.grid(2.8, 6.6, p, width, cell=CELL, color="grey")
    d.text(x.right[0] + 0.15, 6.6, rf"$X$:  {p} × {width}", align="left")

    parts = {}
    for name, center, aside in (("Q", 0.95, 0.0), ("K", 2.8, 0.35), ("V", 4.65, 0.0)):
        halves = _joined(d, center, 5.3, p, d_head)
        start = (2.8 + 0.4 * np.sign(center - 2.8), x.bottom[1])
        end = (center, halves[0].top[1])
        d.arrow(start, end, f"$W_{name.lower()}$", text_offset=(aside, 0.0), size=13)
        d.text(center + 0.6, 5.3, f"${name}$", align="left")
        parts[name] = halves

    mixed = []
    for h, (color, left) in enumerate(zip(HEADS, (0.0, 2.9))):
        below = {}
        for n, name in enumerate("QKV"):
            below[name] = d.grid(left + 0.5 + 0.85 * n, 3.9, p, d_head, cell=CELL, color=color)
            d.arrow(_low(parts[name][h]), below[name].top, color=color)
            d.text(below[name].x, below[name].bottom[1] - 0.17, rf"${name}^{{({h + 1})}}$", size=13)
        alpha = d.grid(left + 0.75, 2.4, p, p, cell=CELL, color="purple", shades=0.8 * shades[h])
        for name in "QK":
            d.arrow((below[name].x, below[name].bottom[1] - 0.34), alpha.top)
        d.text(alpha.x, alpha.bottom[1] - 0.2, rf"$\alpha^{{({h + 1})}}$:  {p} × {p}", size=12)
        out = d.grid(left + 2.2, 2.4, p, d_head, cell=CELL, color=color)
        d.arrow(alpha, out)
        d.arrow((below["V"].x, below["V"].bottom[1] - 0.34), out.top)
        d.text(out.x, out.bottom[1] - 0.2, f"{p} × {d_head}", size=12)
        mixed.append(out)

    joined = _joined(d, 1.35, 0.75, p, d_head)
    for out, half, color in zip(mixed, joined, HEADS):
        d.arrow((out.x, out.bottom[1] - 0.36), half.top, color=color)
    right = joined[1].right
    d.text(1.35, 0.16, f"side by side:  {p} × {width}", size=12)
    u = d.grid(4.3, 0.75, p, width, cell=CELL, color="grey")
    d.arrow(right, u, rf"$W^O$:  {width} × {width}", text_offset=(0.0, 0.2), size=12)
    d.text(4.3, 0.16, f"output:  {p} × {width}", size=12)
    return d


def _joined(d: Diagram, x: float, y: float, rows: int, columns: int) -> list[Box]:
    """The two heads' columns side by side."""
    offset = columns * CELL / 2
    return [
        d.grid(x + side, y, rows, columns, cell=CELL, color=color)
        for side, color in zip((-offset, offset), HEADS)
    ]


def _low(box: Box) -> Point:
    return (box.x, box.bottom[1])
