"""Pictures of an encoder-decoder: its bottleneck, its attention, one step of it with numbers, and maps."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lib.plotting.attention import NARROW
from transformer_lib.plotting.charts import as_numbers, curve_with_spread, heat_map
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, WIDTH, Number, styled, tint


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
    lift = 0.0 if weights is None else 2.1
    d = Diagram(3.6 if weights is None else 5.0, NARROW)
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
    if weights is None:
        for state, word in zip(q, out):
            d.arrow(state, word)
        d.text(write[0] - 0.15, 2.0, "$q_0 = h_T$:  $d$ numbers", align="right", color="orange", size=12)
        d.text(0.1, top + 0.85, "read", align="left", color="blue", size=13)
        d.text(0.1, top + 0.52, "states $h$:  $T × d$", align="left", size=12)
        d.text(NARROW - 0.1, top + 0.85, "write", align="right", color="green", size=13)
        d.text(NARROW - 0.1, top + 0.52, "states $q$:  $T' × d$", align="right", size=12)
    else:
        _attend(d, h, q, out, as_numbers(weights, 1))
    return d


def _attend(d: Diagram, h: Sequence[Box], q: Sequence[Box], out: Sequence[Box], weights: np.ndarray) -> None:
    """From each state of the encoder through its weight to the context of the first step, and to the word."""
    if len(weights) != len(h):
        raise ValueError(f"{len(h)} states need as many weights, not {len(weights)}")
    x, pitch = (h[0].x + h[-1].x) / 2, q[0].width / 0.62
    span = h[-1].x - h[0].x + pitch
    softmax = d.box(x, 2.5, "", width=span, height=0.62, color="grey")
    context = d.box(x, 3.6, r"$A_1$:  $d$ numbers", width=1.7, height=0.44, color="purple", size=12)
    for state, weight in zip(h, weights):
        share = d.box(state.x, 2.5, f"{weight:.2f}", width=0.66 * pitch, height=0.38, color="purple", size=12)
        end = (x + 0.45 * (state.x - x), context.bottom[1])
        for start, stop in ((state.top, share.bottom), (share.top, end)):
            line = {"color": COLORS["purple"], "linewidth": 0.8 + 6 * weight, "zorder": 2.5}
            d.ax.plot(*zip(start, stop), "-", solid_capstyle="butt", **line)
    d.arrow((q[0].x - 0.15, q[0].top[1]), softmax.right, "query", color="green", text_offset=(0.15, 0.33))
    joins = [d.box(state.x, 3.6, "$W_c$", width=state.width, height=0.44) for state in q]
    for state, join, word in zip(q, joins, out):
        d.arrow(state, join)
        d.arrow(join, word)
    d.arrow(context, joins[0], color="purple")
    for y, formula in (
        (out[0].y + 0.05, r"$\alpha_{i1} = \mathrm{softmax}_i \, \langle h_i, q_1 \rangle$"),
        (out[0].y - 0.37, r"$\tilde{q}_1 = \tanh(W_c\,[A_1; q_1] + b)$"),
    ):
        d.text(x, y, formula, size=12)


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
    """Draw matrices of weights as small grids, five side by side: one query a row, one key a column.

    Parameters
    ----------
    patterns
        By title; the darkest color is 1 in all of them.
    """
    rows = -(-len(patterns) // 5)
    figure, axes = plt.subplots(rows, 5, figsize=(WIDTH, 1.7 * rows + 0.2), squeeze=False)
    for ax in axes.flat:
        ax.set_axis_off()
    for n, (ax, (title, weights)) in enumerate(zip(axes.flat, patterns.items())):
        cells = as_numbers(weights, 2)
        blank_rows, blank_columns = ([""] * n for n in cells.shape)
        ax.set_axis_on()
        query = "query" * (n % 5 == 0)
        heat_map(ax, cells, blank_rows, blank_columns, row_title=query, values=None, limits=(0, 1))
        ax.set_xlabel("key")
        ax.xaxis.set_label_position("bottom")
        ax.set_title(title, fontsize=12, loc="center")
    return figure


def alignment_map(
    weights: npt.ArrayLike | Tensor, written: Sequence[str], read: Sequence[str], height: Number = 3.0
) -> Figure:
    """Draw how much each written word attends to each letter that was read.

    Parameters
    ----------
    read
        The parts of the source, in letters: each is named below its columns, between two lines.
    """
    cells = as_numbers(weights, 2)
    ends = np.cumsum([0, *map(len, read)])
    if cells.shape != (len(written), ends[-1]):
        raise ValueError(
            f"{len(written)} words and {ends[-1]} letters need weights of that shape, not {cells.shape}"
        )
    figure, ax = plt.subplots(figsize=(NARROW, height))
    ax.imshow(cells, aspect="auto", vmin=0, vmax=1)
    ax.grid(visible=False)
    for end in ends[1:-1]:
        ax.axvline(end - 0.5, color=COLORS["grey"], linewidth=0.8)
    ax.set_xticks((ends[:-1] + ends[1:] - 1) / 2, read, rotation=90)
    ax.set_yticks(range(len(written)), written)
    ax.tick_params(length=0)
    ax.set(xlabel="read", ylabel="written")
    return figure


def right_words(
    shares: Mapping[str, npt.ArrayLike | Tensor], words: Sequence[str], digits: Sequence[int] = ()
) -> Figure:
    """Draw how often each place of a translation has its word.

    Parameters
    ----------
    shares
        By model: a share for each place.
    words
        One translation, as the names of the places.
    digits
        The places that say a digit, from 0: they are shaded.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 3.4 + 0.32 * len(shares)))
    for place in digits:
        ax.axvspan(place - 0.5, place + 0.5, color=tint(COLORS["gold"], 0.25), zorder=0.5)
    colors, lines = ("blue", "orange", "green", "purple"), ("-", "--", "-.", ":")
    for (label, found), mark, color, line in styled(shares.items(), "os^D", colors, lines):
        found = as_numbers(found, 1)
        ax.plot(range(len(words)), found, line, marker=mark, color=COLORS[color], label=label)
    ax.set_xticks(range(len(words)), words, rotation=90)
    ax.set(xlabel="place in the translation", ylabel="right words", ylim=(-0.03, 1.05))
    ax.grid(visible=False, axis="x")
    figure.legend(loc="outside upper center", ncols=1)
    return figure


def right_by_training(
    panels: Mapping[str, Mapping[str, Sequence[Sequence[Number]]]], steps: Sequence[int]
) -> Figure:
    """Draw how many translations are right after so many steps of training.

    Parameters
    ----------
    panels
        By title: by model, the shares of all seeds after the first of ``steps``, the second, and so on.
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(NARROW, 4.4), sharey=True, squeeze=False)
    colors, lines = ("blue", "grey", "orange"), ("-", ":", "--")
    for ax, (title, models) in zip(axes.flat, panels.items()):
        for (label, shares), color, line, mark in styled(models.items(), colors, lines, "o^s"):
            runs = np.array(shares).T
            look = {"color": color, "linestyle": line, "marker": mark}
            curve_with_spread(ax, np.array(steps[: runs.shape[1]]), runs, label, **look)
        ax.set(xscale="log", title=title, xlabel="steps of training", ylim=(-0.03, 1.03))
        ax.set_xticks(steps, [f"{n / 1000:.0f}k" for n in steps])
        ax.minorticks_off()
    axes[0, 0].set_ylabel("right translations")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=1)
    return figure


def _vector(numbers: np.ndarray, digits: int) -> str:
    shown = ", ".join(f"{n:.{digits}f}".replace("-", "\N{MINUS SIGN}") for n in numbers)
    return f"({shown})"
