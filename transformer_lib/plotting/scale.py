"""Pictures of training at scale: where the work goes, and who holds what when workers share it."""

from collections.abc import Mapping

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS

NARROW = 5.6
PARTS = ("blue", "orange", "green", "purple")
HELD = (("weights", "blue"), ("gradients", "orange"), ("moments", "green"))


def shares_by_length(flops: Mapping[int, Mapping[str, float]]) -> Figure:
    """Draw one bar for each length, cut into the shares of the parts.

    Parameters
    ----------
    flops
        The operations of each part, by length.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 1.5 + 0.75 * len(flops)))
    places = list(range(len(flops)))
    parts = list(next(iter(flops.values())))
    left = np.zeros(len(flops))
    for part, color in zip(parts, PARTS):
        share = np.array([100 * found[part] / sum(found.values()) for found in flops.values()])
        ax.barh(places, share, left=left, height=0.6, color=COLORS[color], label=part, edgecolor="white")
        for place, start, width in zip(places, left, share):
            if width >= 8:
                middle = start + width / 2
                ax.text(middle, place, f"{width:.0f}", ha="center", va="center", color="white", fontsize=12)
        left += share
    ax.set_yticks(places, [f"{length:,}" for length in flops])
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    ax.set(xlim=(0, 100), xlabel="share of the operations, %", ylabel="tokens")
    figure.legend(loc="outside upper center", ncols=2, handlelength=1.2)
    return figure


def data_parallel_step() -> Diagram:
    """Draw who holds what in a step of two workers, with everything whole and with everything in halves."""
    d = Diagram(6.3, NARROW)
    for title, top, is_sharded in (("replicated (DDP)", 6.25, False), ("sharded (FSDP)", 3.0, True)):
        d.text(0.08, top - 0.1, title, size=14, align="left")
        columns = [_worker(d, x, top - 0.35, rank, is_sharded) for rank, x in enumerate((1.5, 4.1))]
        for index, (name, color) in enumerate(HELD):
            if name == "moments":
                continue
            one, other = columns[0][index], columns[1][index]
            between = ("gather", "mean, scatter") if is_sharded else ("", "mean")
            text = between[index]
            if not text:
                continue
            d.arrow(one.right, other.left, color=color)
            d.arrow(other.left, one.right, text, color=color, text_offset=(0.0, 0.26), size=12)
    return d


def _worker(d: Diagram, x: float, top: float, rank: int, is_sharded: bool) -> list[Box]:
    """A worker's column: its part of the batch, and what it holds; halves are drawn filled and empty."""
    sentences = ("sentences 1, 2", "sentences 3, 4")[rank]
    d.text(x, top, f"worker {rank + 1}: {sentences}", size=12)
    boxes = []
    for row, (name, color) in enumerate(HELD):
        y = top - 0.52 - 0.78 * row
        n = 8
        shades = np.full((2, n), 0.45)
        if is_sharded:
            kept = slice(0, n // 2) if rank == 0 else slice(n // 2, n)
            shades[:] = 0.0
            shades[:, kept] = 0.45
        boxes.append(d.grid(x, y, 2, n, cell=0.15, color=color, shades=shades))
        d.text(x, y - 0.31, name, size=12)
    return boxes
