"""Pictures of an encoder-decoder: its bottleneck, its attention, one step of it with numbers, and maps."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lib.plotting.attention import NARROW
from transformer_lib.plotting.charts import as_numbers, heat_map
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, Number


def encoder_decoder(
    source: Sequence[str],
    target: Sequence[str],
    *,
    weights: npt.ArrayLike | Tensor | None = None,
) -> Diagram:
    """Draw a recurrent network that reads a source and one that writes a target, with the shapes of the data.

    Parameters
    ----------
    weights
        How much the first step of the target attends to each state of the encoder, drawn as lines of this
        width; without them all that the decoder gets is the encoder's last state.
    """
    lift = 0.0 if weights is None else 0.95
    d = Diagram(3.6 + lift, NARROW)
    gap = 0.5
    pitch = (NARROW - 0.2 - gap) / (len(source) + len(target))
    read = [0.1 + pitch * (i + 0.5) for i in range(len(source))]
    write = [0.1 + gap + pitch * (len(source) + j + 0.5) for j in range(len(target))]
    size, width = 12, 0.86 * pitch
    h, q = [], []
    for i, (x, token) in enumerate(zip(read, source)):
        h.append(d.box(x, 1.45, f"$h_{i + 1}$", width=0.62 * pitch, height=0.44, color="blue"))
        d.arrow(d.box(x, 0.5, token, width=width, height=0.4, size=size), h[i])
    for j, (x, token) in enumerate(zip(write, ["SOS", *target[:-1]])):
        q.append(d.box(x, 1.45, f"$q_{j + 1}$", width=0.62 * pitch, height=0.44, color="green"))
        d.arrow(d.box(x, 0.5, token, width=width, height=0.4, size=size), q[j])
    for row in (h, q):
        for left, right in pairwise(row):
            d.arrow(left, right)
    d.arrow(h[-1], q[0], color="orange" if weights is None else "grey")
    top = 2.5 + lift
    out = [d.box(x, top, y, width=width, height=0.4, size=size) for x, y in zip(write, target)]
    for state, word in zip(q, out):
        d.arrow(state, word)
    if weights is None:
        d.text(write[0] - 0.15, 2.0, "$q_0 = h_T$:  $d$ numbers", align="right", color="orange", size=12)
    else:
        _attend(d, h, q, out, as_numbers(weights, 1), 2.45)
    d.text(0.1, top + 0.85, "read", align="left", color="blue", size=13)
    d.text(0.1, top + 0.52, "states $h$:  $T × d$", align="left", size=12)
    d.text(NARROW - 0.1, top + 0.85, "write", align="right", color="green", size=13)
    d.text(NARROW - 0.1, top + 0.52, "states $q$:  $T' × d$", align="right", size=12)
    return d


def _attend(
    d: Diagram,
    h: Sequence[Box],
    q: Sequence[Box],
    out: Sequence[Box],
    weights: np.ndarray,
    y: Number,
) -> None:
    """Lines from each state to the context of the first step, and from there to the word."""
    if len(weights) != len(h):
        raise ValueError(f"{len(h)} states need as many weights, not {len(weights)}")
    x = (h[0].x + h[-1].x) / 2
    context = d.box(x, y, "$A_1$:  $d$ numbers", width=1.6, height=0.44, color="purple", size=12)
    for state, weight in zip(h, weights):
        end = (x + 0.35 * (state.x - x), context.bottom[1])
        (x0, y0), (x1, y1) = state.top, end
        d.ax.plot(
            [x0, x1], [y0, y1], color=COLORS["purple"], linewidth=0.6 + 6 * weight, linestyle="-", zorder=1
        )
        d.text((x0 + x1) / 2, (y0 + y1) / 2, f"{weight:.2f}", size=12, halo=True)
    asked = ((h[-1].x + h[-1].right[0]) / 2 + 0.1, (h[-1].top[1] + context.bottom[1]) / 2)
    d.arrow((q[0].x - 0.15, q[0].top[1]), asked, "query", color="green", text_offset=(0.12, 0.2))
    d.arrow(context.right, (out[0].left[0], out[0].y - 0.05), color="purple")


def alignment_step(
    query: npt.ArrayLike, keys: npt.ArrayLike, weights: npt.ArrayLike, context: npt.ArrayLike
) -> Diagram:
    """Draw one query and a few keys: scores, exponentials, weights and average, all with numbers."""
    q, h, a = as_numbers(query, 1), as_numbers(keys, 2), as_numbers(weights, 1)
    d = Diagram(2.25 + 0.62 * len(h), NARROW)
    scores = h @ q
    top = 0.62 * len(h) + 0.85
    product = r"\langle h_i, q_j \rangle"
    columns = ("state $h_i$", f"${product}$", f"$e^{{{product}}}$", r"weight $\alpha_{ij}$")
    xs = (0.75, 2.05, 3.05, 4.3)
    asking = d.box(xs[1], top + 0.85, _vector(q, 2), width=1.3, height=0.44, color="green", size=12)
    d.text(asking.right[0] + 0.12, asking.y, "the query $q_j$", align="left", size=12)
    d.arrow(asking.bottom, (xs[1], top + 0.16), color="green")
    for x, title in zip(xs, columns):
        d.text(x, top, title, size=12)
    for i, (key, score, weight) in enumerate(zip(h, scores, a)):
        y = top - 0.45 - 0.62 * i
        boxes = [
            d.box(xs[0], y, _vector(key, 0), width=1.0, height=0.44, color="blue", size=12),
            d.box(xs[1], y, f"{score:.2f}", width=0.75, height=0.44, size=12),
            d.box(xs[2], y, f"{np.exp(score):.2f}", width=0.75, height=0.44, size=12),
            d.box(xs[3], y, f"{weight:.2f}", width=0.75, height=0.44, color="purple", size=12),
        ]
        for left, right in pairwise(boxes):
            d.arrow(left, right)
        d.ax.barh(y, 0.75 * weight, left=xs[3] + 0.47, height=0.3, color=COLORS["purple"], zorder=2)
    d.text(xs[2], 0.3, f"sum {np.exp(scores).sum():.2f}", size=12)
    d.text(NARROW - 0.1, 0.3, f"$A_j$ = {_vector(as_numbers(context, 1), 2)}", align="right", size=13)
    return d


def weight_patterns(patterns: Mapping[str, npt.ArrayLike | Tensor]) -> Figure:
    """Draw matrices of weights as small grids, three side by side: one query a row, one key a column.

    Parameters
    ----------
    patterns
        By title; the darkest color is 1 in all of them.
    """
    rows = -(-len(patterns) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(NARROW, 1.95 * rows), squeeze=False)
    for ax in axes.flat:
        ax.set_axis_off()
    for ax, (title, weights) in zip(axes.flat, patterns.items()):
        cells = as_numbers(weights, 2)
        blank_rows, blank_columns = ([""] * n for n in cells.shape)
        ax.set_axis_on()
        heat_map(ax, cells, blank_rows, blank_columns, values=None, limits=(0, 1))
        ax.set_title(title, fontsize=12.5, loc="center")
    return figure


def alignment_map(
    weights: npt.ArrayLike | Tensor, written: Sequence[str], read: Sequence[str], height: Number = 3.0
) -> Figure:
    """Draw how much each written word attends to each character that was read."""
    figure, ax = plt.subplots(figsize=(NARROW, height))
    heat_map(ax, weights, written, read, values=None, limits=(0, 1))
    ax.set_xlabel("read")
    ax.set_ylabel("written")
    return figure


def _vector(numbers: np.ndarray, digits: int) -> str:
    shown = ", ".join(f"{n:.{digits}f}".replace("-", "\N{MINUS SIGN}") for n in numbers)
    return f"({shown})"
