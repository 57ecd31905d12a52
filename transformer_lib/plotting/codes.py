"""Pictures of chapter 3: what stacks of convolutions see, a layer of WaveNet, an image as codes, a GPT."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers, curve_with_spread
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, WIDTH, Number, styled, tint

FAINT = "#CFCFCF"
STYLES = (("blue", "-", "o"), ("orange", "--", "s"), ("green", "-.", "^"))


class Size(NamedTuple):
    """A network in numbers: its layers, its width, and what else is to be said of it."""

    n_layers: int
    d_model: int
    note: str


def dilated_stacks(stacks: Mapping[str, Sequence[int]], n: int = 16) -> Figure:
    """Draw stacks of causal convolutions of two inputs each; all that reaches the last output is blue.

    Parameters
    ----------
    stacks
        For each title the dilations of its layers, the lowest first.
    n
        How many tokens are read.
    """
    heights = [len(dilations) + 1.0 for dilations in stacks.values()]
    figure, axes = plt.subplots(
        len(stacks),
        1,
        figsize=(WIDTH, 0.4 * sum(heights) + 0.5),
        height_ratios=heights,
        squeeze=False,
        sharex=True,
    )
    for ax, (title, dilations) in zip(axes[:, 0], stacks.items()):
        reached = [{n - 1}]
        for dilation in reversed(dilations):
            below = {i - tap for i in reached[0] for tap in (0, dilation)}
            reached.insert(0, {i for i in below if i >= 0})
        for level, dilation in enumerate(dilations):
            for i in range(n):
                for tap in (0, dilation):
                    if i - tap >= 0:
                        marked = i in reached[level + 1]
                        ax.plot(
                            [i - tap, i],
                            [level, level + 1],
                            "-",
                            color=COLORS["blue"] if marked else FAINT,
                            linewidth=1.6 if marked else 0.7,
                            zorder=2 if marked else 1,
                        )
        for level, marked_ones in enumerate(reached):
            for i in range(n):
                filled = COLORS["blue"] if i in marked_ones else "white"
                edge = COLORS["blue"] if i in marked_ones else FAINT
                ax.scatter(i, level, s=45, facecolor=filled, edgecolor=edge, zorder=3)
        ax.set_title(title)
        ax.set_yticks(range(len(dilations) + 1), ["tokens", *(f"δ = {d}" for d in dilations)])
        ax.tick_params(length=0)
        ax.set(xticks=[], xlim=(-0.5, n - 0.5), ylim=(-0.4, len(dilations) + 0.4))
        ax.spines[:].set_visible(False)
        ax.grid(visible=False)
    return figure


def wavenet_layer() -> Diagram:
    """Draw how data flow through one layer of WaveNet: two convolutions, their product, and two ways out."""
    d, line, middle = Diagram(3.2), 0.62, 1.75
    x = d.box(0.5, line, r"$\mathbf{x}_\ell$", width=0.66, height=0.46, color="blue")
    boxes = [
        d.box(2.3, y, text, width=1.9, height=0.5, color="orange", size=12)
        for y, text in (
            (2.15, r"$\tanh(W_f * \mathbf{x}_\ell)$"),
            (1.35, r"$\mathrm{sigmoid}(W_g * \mathbf{x}_\ell)$"),
        )
    ]
    d.text(1.37, 2.6, "what was found", align="left", color="orange", size=12)
    d.text(1.37, 0.95, "how much of it passes", align="left", color="orange", size=12)
    product = d.box(3.85, middle, r"$\odot$", width=0.4, height=0.4, color="orange", size=14)
    mixed = d.box(4.85, middle, r"$V_\ell$", width=0.6, height=0.46, color="green")
    total = d.box(6.35, 2.75, "+", width=0.34, height=0.34, color="purple", size=14)
    added = d.box(5.75, line, "+", width=0.34, height=0.34, color="blue", size=14)
    after = d.box(6.6, line, r"$\mathbf{x}_{\ell+1}$", width=0.72, height=0.46, color="blue")
    for box in boxes:
        d.arrow(x, box.left)
        d.arrow(box.right, product)
    d.arrow(product, mixed)
    d.arrow(x, added, color="blue")
    d.arrow(added, after, color="blue")
    d.arrow(mixed, added, r"$\mathbf{s}_\ell$", text_offset=(0.24, 0.08))
    d.arrow(mixed, total, color="purple")
    d.arrow((3.4, 2.75), total, color="purple")
    d.text(3.3, 3.02, "skip: the sum of all layers", align="left", color="purple", size=12)
    d.text(3.3, 0.36, "residual: the line that the next layer reads", color="blue", size=12)
    return d


def seen_pixels(maps: Mapping[str, npt.ArrayLike | Tensor], place: int, side: int = 8) -> Figure:
    """Draw which pixels of a square image a prediction depends on.

    Parameters
    ----------
    maps
        For each title one Boolean per pixel, row by row.
    place
        The pixel that is predicted, counted from 0; it and the later ones can't be read.
    side
        Pixels at each side of the image.
    """
    figure, axes = plt.subplots(1, len(maps), figsize=(WIDTH, WIDTH / len(maps) + 0.55))
    for ax, (title, seen) in zip(axes, maps.items()):
        kind = np.where(np.arange(side**2) < place, as_numbers(seen, 1), 2).reshape(side, side)
        colors = ["white", COLORS["blue"], "#DDDDDD"]
        ax.imshow(kind, cmap=mpl.colors.ListedColormap(colors), vmin=0, vmax=2)
        corner = (place % side - 0.5, place // side - 0.5)
        ax.add_patch(Rectangle(corner, 1, 1, facecolor="white", edgecolor=COLORS["orange"], linewidth=3))
        ax.set_xticks(np.arange(side + 1) - 0.5, [""] * (side + 1))
        ax.set_yticks(np.arange(side + 1) - 0.5, [""] * (side + 1))
        ax.tick_params(length=0)
        ax.grid(visible=True, color=FAINT)
        ax.set_axisbelow(False)
        ax.set_title(title, loc="center", fontsize=12.5)
    return figure


def image_rows(
    rows: Mapping[str, npt.ArrayLike | Tensor], side: int = 8, given: Mapping[str, int] | None = None
) -> Figure:
    """Draw rows of square images, each row with its name above it.

    Parameters
    ----------
    rows
        For each name the images, shape ``images pixels``, from 0 to 1 for ink.
    side
        Pixels at each side of an image.
    given
        For a name, how many lines of its images were given; an orange line stands below them.
    """
    images = {name: as_numbers(row, 2).reshape(-1, side, side) for name, row in rows.items()}
    columns, gap = max(map(len, images.values())), max(1, side // 8)
    height = WIDTH / columns + 0.32
    figure, axes = plt.subplots(len(images), 1, figsize=(WIDTH, len(images) * height), squeeze=False)
    for ax, (name, row) in zip(axes[:, 0], images.items()):
        strip = np.full((side, columns * (side + gap) - gap), np.nan)
        for i, image in enumerate(row):
            left = i * (side + gap)
            strip[:, left : left + side] = 1 - image
            frame: dict[str, Any] = {"fill": False, "edgecolor": FAINT, "linewidth": 0.8}
            ax.add_patch(Rectangle((left - 0.5, -0.5), side, side, clip_on=False, **frame))
            if (lines := (given or {}).get(name)) is not None:
                ends = [left - 0.5, left + side - 0.5]
                ax.plot(ends, [lines - 0.5] * 2, "-", color=COLORS["orange"], linewidth=1.2)
        ax.imshow(strip, cmap=mpl.colormaps["gray"].with_extremes(bad="white"), vmin=0, vmax=1)
        ax.set_axis_off()
        ax.set_title(name, pad=5)
    return figure


def curve_panels(
    panels: Mapping[str, Mapping[str, npt.ArrayLike]],
    x: Sequence[Number],
    x_title: str,
    *,
    levels: Mapping[str, Mapping[str, Number]] | None = None,
) -> Figure:
    """Draw curves over seeds in panels side by side, on an axis that doubles.

    Parameters
    ----------
    panels
        For each title the curves by name, each of shape ``runs points``.
    x, x_title
        Where they were measured.
    levels
        For a panel, lines to compare with, by name.
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(WIDTH, 3.3), squeeze=False)
    for ax, (title, curves) in zip(axes[0], panels.items()):
        for (name, runs), (color, style, marker) in styled(curves.items(), STYLES):
            curve_with_spread(ax, x, runs, name, color=color, linestyle=style, marker=marker)
        for name, level in (levels or {}).get(title, {}).items():
            ax.axhline(level, color=COLORS["grey"], linewidth=1.2, linestyle=":")
            ax.annotate(name, (x[0], level), xytext=(0, 3), textcoords="offset points", fontsize=12)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, [str(value) for value in x])
        ax.minorticks_off()
        ax.set(xlabel=x_title, title=title)
    axes[0][0].legend()
    return figure


def models_to_scale(models: Mapping[str, Size], pieces: Sequence[str]) -> Diagram:
    """Draw a GPT: how text becomes the next piece, and beside it the sizes of some networks, to one scale.

    Parameters
    ----------
    models
        By name, from the smallest to the largest: the higher, the more layers; the wider, the wider.
    pieces
        Of a text; the last is the one that is predicted.
    """
    d, reads = Diagram(4.7), pieces[:-1]
    xs = [0.45 + 2.5 * i / (len(reads) - 1) for i in range(len(reads))]
    for x, piece in zip(xs, reads):
        token = d.box(x, 0.62, piece, width=0.62, height=0.4, size=12)
        d.arrow(token, d.box(x, 1.3, "", width=0.3, height=0.26, color="blue"))
        d.arrow((x, 1.43), (x, 1.78))
    d.text(1.7, 0.2, "pieces of words, each with its place", size=11.5)
    frame = Rectangle((0.06, 1.78), 3.24, 1.22, fill=False, edgecolor=COLORS["grey"], linewidth=1.2)
    d.ax.add_patch(frame)
    d.box(1.68, 2.1, "attention: reads every place before", width=3.08, height=0.42, color="orange", size=11)
    d.box(1.68, 2.66, "a network, the same at every place", width=3.08, height=0.42, color="green", size=11)
    d.text(0.1, 3.22, "one of $L$ layers", align="left", size=11.5, color="grey")
    scores = d.box(2.3, 3.62, "softmax: all pieces", width=1.7, height=0.4, color="purple", size=11.5)
    d.arrow((xs[-1], 3.0), (xs[-1], 3.42))
    d.arrow(scores, d.box(2.3, 4.3, pieces[-1], width=0.62, height=0.4, size=12))
    widest, highest = max(m.d_model for m in models.values()), max(m.n_layers for m in models.values())
    left, base = 3.72, 0.95
    for (name, model), color in styled(models.items(), ("blue", "orange", "green")):
        width, height = 1.8 * model.d_model / widest, 3.1 * model.n_layers / highest
        look: dict[str, Any] = {"facecolor": tint(COLORS[color]), "edgecolor": COLORS[color]}
        d.ax.add_patch(Rectangle((left, base), width, height, linewidth=1.3, **look))
        center = left + width / 2
        d.text(center, base - 0.22, name, size=12, color=color)
        inside = width > 1.5
        d.text(center, base + (height / 2 if inside else height + 0.3), model.note, size=11)
        left += width + 0.5
    d.text(left - 0.5, 0.2, "up: layers; across: width", align="right", size=11.5, color="grey")
    return d


def vqvae_flow(
    image: npt.ArrayLike | Tensor, codes: npt.ArrayLike | Tensor, likely: npt.ArrayLike | Tensor, n_codes: int
) -> Diagram:
    """Draw how a VQ-VAE makes codes of an image and pixels of the codes, with the numbers of a real one.

    Parameters
    ----------
    image, likely
        The pixels before and after, from 0 to 1 for ink, as matrices.
    codes
        The numbers of the codes, as a matrix.
    n_codes
        How many codes the book has, numbered from 0.
    """
    d, numbers = Diagram(4.6), as_numbers(codes, 2).astype(int)
    top = 3.35
    read = d.grid(0.65, top, *as_numbers(image, 2).shape, cell=0.14, color="black", shades=image)
    written = d.grid(6.3, top, *as_numbers(likely, 2).shape, cell=0.14, color="black", shades=likely)
    outputs = d.box(2.45, top, "$z_e(x)$", width=0.84, height=0.6, color="blue")
    rows, columns = numbers.shape
    cell = 0.31
    chosen = d.grid(4.35, top, rows, columns, cell=cell, color="green")
    for i in range(rows):
        for j in range(columns):
            x = chosen.left[0] + cell * (j + 0.5)
            d.text(x, chosen.top[1] - cell * (i + 0.5), str(numbers[i, j]), size=11)
    d.arrow(read, outputs, "encoder", text_offset=(0.0, 0.22), size=11)
    d.arrow(outputs, chosen, "nearest", text_offset=(0.0, 0.22), size=11)
    d.arrow(chosen, written, "decoder", text_offset=(0.0, 0.22), size=11)
    d.arrow(
        (chosen.x, chosen.top[1] + 0.04),
        (outputs.x, outputs.top[1] + 0.04),
        color="orange",
        curve=0.22,
    )
    d.text(2.5, top + 0.98, "gradient, straight through", color="orange")
    d.text(0.65, top - 0.82, "pixels $x$")
    d.text(chosen.x, top - 0.88, "codes $z$", color="green")
    d.text(6.3, top - 0.82, r"$p(x_t \mid z)$")
    book: list[Box] = [
        d.box(0.95 + 0.62 * k, 1.45, text, width=0.52, height=0.4, color="purple", size=12)
        for k, text in enumerate(("$e_0$", "$e_1$", "$e_2$", "…", f"$e_{{{n_codes - 1}}}$"))
    ]
    d.text(0.69, 1.92, "codebook", align="left", color="purple")
    d.arrow((book[-1].right[0] + 0.04, 1.6), (chosen.x - 0.35, chosen.bottom[1] - 0.38), color="purple")
    sequence = " ".join(str(code) for code in numbers.flatten()[:6])
    prior = d.box(4.6, 0.42, f"prior:  {sequence} …", width=3.6, height=0.46, color="gold")
    d.arrow((chosen.x + 0.55, prior.top[1]), (chosen.x + 0.45, chosen.bottom[1] - 0.42), color="gold")
    d.text(2.65, 0.42, r"$\prod_m p(z_m \mid z_{<m})$", align="right", color="gold")
    return d
