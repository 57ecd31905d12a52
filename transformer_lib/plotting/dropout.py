"""Pictures of chapter 12: where a block drops out, and what is hidden from the words that enter it."""

from collections.abc import Sequence

import numpy.typing as npt
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, Number

NARROW = 5.6
LINE, BRANCH = 0.75, 2.3


def dropout_sites() -> Diagram:
    """Draw a pre-norm block with the places where it drops out, and the names of these places."""
    d = Diagram(8.2, NARROW)
    words = d.box(LINE + 0.45, 7.85, "word + position", width=1.6, height=0.42, color="grey")
    y = _drop(d, LINE, 7.2, "input", "before the first block", beside=LINE)
    d.arrow((LINE, words.bottom[1]), (LINE, 7.38), color="black")
    for steps, sum_y in (
        (
            [
                ("LayerNorm", "purple"),
                ("softmax of scores", "blue"),
                ("weights", "S15: of each head"),
                ("values, heads joined", "blue"),
                ("attended", "S16"),
            ],
            3.7,
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
            here = top - 0.35 - 0.55 * n
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
    left, pitch, cell = 0.15, (NARROW - 0.3) / len(words), 0.2
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


def _drop(d: Diagram, x: Number, y: Number, name: str, what: str, beside: Number) -> float:
    d.box(x, y, "drop", width=0.75, height=0.34, color="orange", size=12.5)
    d.text(beside + 0.55, y, f"{name}, {what}", size=12.5, align="left", color="orange")
    return y - 0.17
