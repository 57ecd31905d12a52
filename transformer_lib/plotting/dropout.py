"""Pictures of chapter 12: overfitting, where a block drops out, what is hidden of its input, and remedies."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy.typing as npt
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, Number, styled

NARROW = 5.6
LINE, BRANCH = 0.75, 2.3


def dropout_sites() -> Diagram:
    """Draw a pre-norm block with the places where it drops out, and the names of these places."""
    d = Diagram(7.7, NARROW)
    words = d.box(LINE + 0.45, 7.35, "word + position", width=1.6, height=0.42, color="grey")
    y = _drop(d, LINE, 6.7, "input", "before the first block", beside=LINE)
    d.arrow((LINE, words.bottom[1]), (LINE, 6.88), color="black")
    for steps, sum_y in (
        (
            [
                ("LayerNorm", "purple"),
                ("softmax of scores", "blue"),
                ("weights", "S15: of each head"),
                ("values, heads joined", "blue"),
                ("attended", "S16"),
            ],
            3.45,
        ),
        (
            [
                ("LayerNorm", "purple"),
                ("$W_1$, activation", "green"),
                ("inner", "S17"),
                ("$W_2$", "green"),
                ("output", "S18"),
            ],
            0.55,
        ),
    ):
        top = y - 0.25
        d.ax.plot([LINE] * 2, [y, sum_y], color=COLORS["black"], linewidth=2.6, linestyle="-", zorder=1)
        below: Box | None = None
        for n, (name, what) in enumerate(steps):
            here = top - 0.35 - 0.5 * n
            if name in ("weights", "attended", "inner", "output"):
                box = d.box(BRANCH, here, "drop", width=0.75, height=0.34, color="orange", size=12.5)
                d.text(BRANCH + 0.6, here, f"{name}, {what}", size=12.5, align="left", color="orange")
            else:
                box = d.box(BRANCH, here, name, width=1.95, height=0.38, color=what, size=12.5)
            d.arrow((LINE, top) if below is None else below, box, color="grey")
            below = box
        if below is not None:
            d.arrow(below, (LINE + 0.17, sum_y), color="grey")
        d.box(LINE, sum_y, "+", width=0.3, height=0.3, color="black", size=13)
        y = sum_y - 0.15
    d.arrow((LINE, y), (LINE, 0.05), color="black")
    return d


def hidden_inputs(words: Sequence[str], panels: Sequence[tuple[str, npt.ArrayLike | Tensor]]) -> Diagram:
    """Draw what is left of a sequence's vectors: a column per word, a cell per dimension, hidden ones white.

    Parameters
    ----------
    panels
        Titles, and the vectors (words, dimensions), exactly 0 where they are hidden.
    """
    arrays = [(title, as_numbers(vectors, 2)) for title, vectors in panels]
    left, pitch, cell = 0.15, (NARROW - 0.3) / len(words), 0.15
    height = 0.95 + cell * arrays[0][1].shape[1]
    d = Diagram(height * len(arrays), NARROW)
    for n, (title, vectors) in enumerate(arrays):
        top = height * (len(arrays) - n) - 0.2
        d.text(left, top, title, size=13, align="left")
        for word, vector, column in zip(words, vectors, range(len(words))):
            x = left + pitch * (column + 0.5)
            gone = not vector.any()
            d.text(x, top - 0.36, word, size=12, color="grey" if gone else "black")
            middle = top - 0.6 - cell * len(vector) / 2
            shades = [[0.0 if value == 0 else 0.55] for value in vector]
            d.grid(x, middle, len(vector), 1, cell=cell, color="grey" if gone else "blue", shades=shades)
    return d


def training_and_validation(runs: Mapping[str, npt.ArrayLike]) -> Figure:
    """Draw the losses of runs against their steps, training dashed, and mark the least validation loss.

    Parameters
    ----------
    runs
        By name, a row for each measured step: the step, the training loss and the validation loss.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 2.9 + 0.3 * len(runs)))
    for (name, curve), color in styled(runs.items(), ("orange", "blue")):
        steps, train, valid = as_numbers(curve, 2).T
        ax.plot(steps, valid, "-", marker="", color=COLORS[color], label=f"{name}, validation")
        ax.plot(steps, train, "--", marker="", color=COLORS[color], label=f"{name}, training")
        least = int(valid.argmin())
        ax.plot(steps[least], valid[least], "o", color=COLORS[color], markersize=9)
    ax.set(xlabel="steps", ylabel="nats per token", ylim=(0, 3.2))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def stopped_and_last(rows: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Figure:
    """Draw for each remedy the losses of its seeds where validation stops them, and at the end.

    Parameters
    ----------
    rows
        By name, the losses of stopped runs and those after the last step, one per seed.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 0.8 + 0.42 * len(rows)))
    for y, (stopped, last) in enumerate(rows.values()):
        ends = [sum(some) / len(some) for some in (stopped, last)]
        ax.plot(ends, [y, y], "-", marker="", color=COLORS["grey"], linewidth=1.5)
        label = {"stopped": "stopped by validation", "last": "at the end"} if y == 0 else {}
        ax.plot(last, [y] * len(last), "s", color=COLORS["orange"], label=label.get("last"))
        ax.plot(stopped, [y] * len(stopped), "o", color=COLORS["blue"], label=label.get("stopped"))
    ax.set_yticks(range(len(rows)), list(rows))
    ax.invert_yaxis()
    ax.set_xlabel("test loss, nats per token")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def _drop(d: Diagram, x: Number, y: Number, name: str, what: str, beside: Number) -> float:
    d.box(x, y, "drop", width=0.75, height=0.34, color="orange", size=12.5)
    d.text(beside + 0.55, y, f"{name}, {what}", size=12.5, align="left", color="orange")
    return y - 0.17
