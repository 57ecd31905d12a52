"""Pictures of training at scale: where the work goes, and who holds what when workers share it."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, Number, styled

NARROW = 5.6
PARTS = ("blue", "orange", "green", "purple")
HELD = (("weights", "blue"), ("gradients", "orange"), ("moments", "green"))


def data_parallel_step() -> Diagram:
    """Draw who holds what in a step of two workers, with everything whole and with everything in halves."""
    d = Diagram(4.5, NARROW)
    for title, top, is_sharded in (("replicated (DDP)", 4.45, False), ("sharded (FSDP)", 2.15, True)):
        d.text(0.08, top - 0.1, title, size=14, align="left")
        columns = [_worker(d, x, top - 0.46, rank, is_sharded) for rank, x in enumerate((1.95, 4.6))]
        for index, (name, color) in enumerate(HELD):
            d.text(0.08, columns[0][index].y, name, size=12, align="left")
            if name == "moments":
                continue
            one, other = columns[0][index], columns[1][index]
            between = ("gather", "mean, scatter") if is_sharded else ("", "mean")
            text = between[index]
            if not text:
                continue
            d.arrow(one.right, other.left, color=color)
            d.arrow(other.left, one.right, text, color=color, text_offset=(0.0, 0.24), size=12)
    return d


def draw_roofline(
    machines: Mapping[str, tuple[float, float]], points: Sequence[tuple[str, str, float, float]]
) -> Figure:
    """Draw the roof of each machine, and under it the speeds that were measured.

    Parameters
    ----------
    machines
        By name, operations per second of matrix products and bytes per second of the memory.
    points
        The machine, what was timed, operations per byte and operations per second.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 3.9))
    at = np.geomspace(0.2, 2e4, 200)
    for (name, (rate, bandwidth)), color in styled(machines.items(), PARTS):
        ridge = rate / bandwidth
        ax.plot(at, np.minimum(rate, at * bandwidth), "-", marker="", color=COLORS[color])
        ax.text(ridge, 1.3 * rate, name, ha="right", color=COLORS[color])
        ax.plot([ridge, ridge], [1e9, rate], ":", marker="", color=COLORS[color], linewidth=1)
        for machine, what, operations_per_byte, speed in points:
            if machine == name:
                ax.plot(operations_per_byte, speed, "o", color=COLORS[color])
                _name_speed(ax, what, operations_per_byte, speed, rate)
    ax.set(
        xscale="log",
        yscale="log",
        xlim=(0.2, 2e4),
        ylim=(1e9, 4e15),
        xlabel="arithmetic intensity, operations per byte",
        ylabel="operations per second",
    )
    return figure


def _name_speed(ax: Axes, what: str, x: float, y: float, rate: float) -> None:
    """Write beside a speed what was timed, where no other speed of the chapter's figure has its name."""
    if what == "large product":
        ax.text(x, 1.3 * rate, what, fontsize=12, ha="center")
    elif what == "train":
        ax.text(x, 0.72 * y, what, fontsize=12, ha="center", va="top")
    elif what.startswith("train"):
        ax.text(1.3 * x, y, what, fontsize=12, va="center")
    else:
        ax.text(1.25 * x, 0.72 * y, what, fontsize=12, va="top")


def memory_bars(bills: Mapping[str, Mapping[str, float]], sizes: Sequence[Number]) -> Figure:
    """Draw what fills the memory of a GPU, a bar for each way to train.

    Parameters
    ----------
    bills
        By the way to train, the bytes of each part; at most six parts, the same for all.
    sizes
        Gigabytes of GPUs, which are marked.

    Raises
    ------
    ValueError
        If the bills have not the same parts, or more than six.
    """
    parts, *others = bills.values()
    if any(other.keys() != parts.keys() for other in others):
        raise ValueError(f"every bill needs the parts of the first, {', '.join(parts)}")
    figure, ax = plt.subplots(figsize=(NARROW, 1.7 + 0.5 * len(bills)))
    names, left = list(bills), np.zeros(len(bills))
    for part, color in styled(parts, (*PARTS, "sky", "gold")):
        gigabytes = np.array([bill[part] / 1e9 for bill in bills.values()])
        ax.barh(range(len(names)), gigabytes, left=left, height=0.6, color=COLORS[color], label=part)
        left += gigabytes
    for y, total in enumerate(left):
        ax.text(total + 2, y, f"{total:.0f}", va="center", fontsize=12)
    for size in sizes:
        ax.axvline(size, color=COLORS["black"], linewidth=1, linestyle=":")
    ax.set_yticks(range(len(names)), names)
    ax.set_xticks([0, *sizes])
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.set(xlim=(0, 1.05 * max(*sizes, *left)), xlabel="gigabytes on one GPU")
    figure.legend(loc="outside upper center", ncols=3, handlelength=1.2, columnspacing=1.2)
    return figure


def losses_by_width(losses: Mapping[float, Mapping[int, Sequence[float]]], floor: float) -> Figure:
    """Draw a curve of loss against width for each budget of operations: the means, and the seeds.

    Parameters
    ----------
    losses
        By budget and width, the losses of the seeds.
    floor
        The entropy, which no model goes below.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 3.4))
    for (budget, by_width), marker, color in styled(losses.items(), "osD^", PARTS):
        widths = list(by_width)
        means = [float(np.mean(seeds)) for seeds in by_width.values()]
        label = f"{budget / 1e10:g}"
        ax.plot(widths, means, "-", marker=marker, color=COLORS[color], label=label)
        for width, seeds in by_width.items():
            ax.plot(
                [width] * len(seeds), seeds, linestyle="", marker=marker, markersize=3, color=COLORS[color]
            )
    ax.axhline(floor, color=COLORS["black"], linewidth=1, linestyle=":")
    ticks = sorted({width for by_width in losses.values() for width in by_width})
    ax.set(xscale="log", xlabel="width $d$", ylabel="nats per token", ylim=(0.8, 2.6))
    ax.set_xticks(ticks, [str(width) for width in ticks])
    ax.minorticks_off()
    figure.legend(
        *ax.get_legend_handles_labels(),
        loc="outside upper center",
        ncols=4,
        title="operations / $10^{10}$",
        columnspacing=1.2,
        handlelength=1.8,
    )
    return figure


def tensor_and_pipeline() -> Diagram:
    """Draw the two ways to cut a model between two GPUs: through its matrices, and between its blocks."""
    d = Diagram(5.45, NARROW)
    d.text(0.08, 5.3, "tensor parallel: each matrix is cut", size=14, align="left")
    sums = []
    for rank, y in enumerate((4.55, 3.4)):
        color = ("blue", "orange")[rank]
        d.text(0.08, y + 0.44, f"GPU {rank + 1}", size=12, align="left", color=color)
        half = np.zeros((4, 8))
        half[:, 4 * rank : 4 * rank + 4] = 0.5
        x = d.grid(0.45, y, 2, 4, cell=0.13, color="grey")
        first = d.grid(1.6, y, 4, 8, cell=0.13, color=color, shades=half)
        inner = d.grid(2.65, y, 2, 4, cell=0.13, color=color)
        second = d.grid(3.45, y, 8, 4, cell=0.13, color=color, shades=half.T)
        partial = d.grid(5.0, y, 2, 4, cell=0.13, color=color)
        for start, end in ((x, first), (first, inner), (inner, second), (second, partial)):
            d.arrow(start.right, end.left)
        d.text(0.45, y - 0.3, "$x$", size=12)
        d.text(1.6, y - 0.45, "$W_1$", size=12)
        d.text(2.65, y - 0.3, "GELU", size=12)
        d.text(3.92, y - 0.35, "$W_2$", size=12)
        sums.append(partial)
    d.arrow(sums[0].bottom, sums[1].top, color="purple")
    d.arrow(sums[1].top, sums[0].bottom, color="purple")
    d.text(4.88, 3.98, "all-reduce:", size=12, color="purple", align="right")
    d.text(5.12, 3.98, "sum", size=12, color="purple", align="left")
    d.text(0.08, 2.58, "pipeline parallel: the stack of blocks is cut", size=14, align="left")
    for rank, (x_at, blocks) in enumerate(((0.93, "blocks 1 to 12"), (4.63, "blocks 13 to 24"))):
        color = ("blue", "orange")[rank]
        d.box(x_at, 1.87, blocks, width=1.7, height=0.6, color=color, size=12.5)
    d.arrow((1.8, 1.99), (3.76, 1.99), "activations", color="purple", text_offset=(0, 0.21), size=12)
    d.arrow((3.76, 1.75), (1.8, 1.75), "gradients", color="purple", text_offset=(0, -0.22), size=12)
    _timeline(d, top=1.47)
    return d


def _timeline(d: Diagram, top: float, n_pieces: int = 4, cell: float = 0.42) -> None:
    """When each of two stages works on which piece of the batch, forward and then backward."""
    slots = {0: range(n_pieces), 1: range(1, n_pieces + 1)}
    for rank, y in enumerate((top - 0.35, top - 0.85)):
        d.text(0.08, y, f"GPU {rank + 1}", size=12, align="left", color=("blue", "orange")[rank])
        last = 2 * n_pieces + 1
        work = {slot: piece for piece, slot in enumerate(slots[rank])}
        back = {last - slot: piece for slot, piece in work.items()}
        for slot in range(last + 1):
            x = 0.95 + cell * slot
            if slot in work or slot in back:
                piece = work.get(slot, back.get(slot, 0)) + 1
                color = "green" if slot in work else "gold"
                d.box(x, y, str(piece), width=cell - 0.05, height=0.36, color=color, size=12)
            else:
                d.box(x, y, "", width=cell - 0.05, height=0.36, color="grey", size=12)
    d.text(0.95 + cell * 2, top - 1.28, "forward", size=12, color="green")
    d.text(0.95 + cell * 7, top - 1.28, "backward", size=12, color="gold")


def _worker(d: Diagram, x: float, top: float, rank: int, is_sharded: bool) -> list[Box]:
    """A worker's column: its part of the batch, and what it holds; halves are drawn filled and empty."""
    sentences = ("sentences 1, 2", "sentences 3, 4")[rank]
    d.text(x, top, f"worker {rank + 1}: {sentences}", size=12)
    boxes = []
    for row, (_, color) in enumerate(HELD):
        y = top - 0.4 - 0.5 * row
        n = 8
        shades = np.full((2, n), 0.45)
        if is_sharded:
            kept = slice(0, n // 2) if rank == 0 else slice(n // 2, n)
            shades[:] = 0.0
            shades[:, kept] = 0.45
        boxes.append(d.grid(x, y, 2, n, cell=0.15, color=color, shades=shades))
    return boxes
