"""How the width of the model is split among heads, and joined again."""

import numpy as np
import numpy.typing as npt
from torch import Tensor

from transformer_lib.plotting.attention import NARROW
from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram, Point

HEADS = ("blue", "orange")
CELL = 0.13


def split_and_join(weights: npt.ArrayLike | Tensor, d_head: int = 4) -> Diagram:
    """Draw how two heads split queries, keys and values, attend, and are joined; every matrix with its shape.

    Parameters
    ----------
    weights
        Shape ``2 objects objects``: what the cells of the two heads' weights show.
    """
    shades = as_numbers(weights, 3)
    _, p, _ = shades.shape
    width = 2 * d_head
    d = Diagram(8.1, NARROW)
    x = d.grid(2.8, 7.45, p, width, cell=CELL, color="grey")
    d.text(x.right[0] + 0.15, 7.45, rf"$X$:  {p} × {width}", align="left")

    parts = {}
    for name, center in (("Q", 0.95), ("K", 2.8), ("V", 4.65)):
        halves = _joined(d, center, 5.95, p, d_head)
        start = (2.8 + 0.4 * np.sign(center - 2.8), x.bottom[1])
        d.arrow(start, (center, halves[0].top[1]), f"$W_{name.lower()}$", text_offset=(0.0, 0.0), size=13)
        d.text(center + 0.6, 5.95, f"${name}$", align="left")
        parts[name] = halves

    mixed = []
    for h, (color, left) in enumerate(zip(HEADS, (0.0, 2.9))):
        below = {}
        for n, name in enumerate("QKV"):
            below[name] = d.grid(left + 0.5 + 0.85 * n, 4.35, p, d_head, cell=CELL, color=color)
            d.arrow(_low(parts[name][h]), below[name].top, color=color)
            d.text(below[name].x, below[name].bottom[1] - 0.17, rf"${name}^{{({h + 1})}}$", size=13)
        alpha = d.grid(left + 0.75, 2.65, p, p, cell=CELL, color="purple", shades=0.8 * shades[h])
        for name in "QK":
            d.arrow((below[name].x, below[name].bottom[1] - 0.34), alpha.top)
        d.text(alpha.x, alpha.bottom[1] - 0.2, rf"$\alpha^{{({h + 1})}}$:  {p} × {p}", size=12)
        out = d.grid(left + 2.2, 2.65, p, d_head, cell=CELL, color=color)
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
