"""Pictures of small binary images and of the models that read them pixel by pixel."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, WIDTH, tint

UNREAD = tint(COLORS["sky"], 0.25)


def pixel_questions(
    image: npt.ArrayLike | Tensor, chances: npt.ArrayLike | Tensor, places: Sequence[int]
) -> Figure:
    """Draw what a model sees of a square image at some places, and the probability of ink it gives there.

    Parameters
    ----------
    image
        The pixels row by row, each 0 or 1.
    chances
        For each pixel the model's probability of a 1, given the pixels before it.
    places
        The pixels to ask about, counted from 0; one panel each.
    """
    pixels, probabilities = as_numbers(image, 1), as_numbers(chances, 1)
    side = round(len(pixels) ** 0.5)
    figure, axes = plt.subplots(1, len(places), figsize=(WIDTH, WIDTH / len(places) + 0.9))
    for ax, place in zip(axes, places):
        seen = np.where(np.arange(len(pixels)) < place, 1.0 - pixels, np.nan)
        _show(ax, seen.reshape(side, side))
        corner = (place % side - 0.5, place // side - 0.5)
        ax.add_patch(Rectangle(corner, 1, 1, facecolor="white", edgecolor=COLORS["orange"], linewidth=3))
        ax.set_title(f"pixel {place + 1}", loc="center")
        truth = "ink" if pixels[place] else "no ink"
        ax.set_xlabel(f"p(ink) = {probabilities[place]:.2f}\n{truth}")
    return figure


def pixel_images(rows: Mapping[str, npt.ArrayLike | Tensor], side: int = 8) -> Figure:
    """Draw rows of square images, each row with its name above it.

    Parameters
    ----------
    rows
        For each name the images, shape ``images pixels``, with 1 for ink.
    side
        Pixels at each side of an image.
    """
    images = {name: as_numbers(row, 2) for name, row in rows.items()}
    columns = max(len(row) for row in images.values())
    figure, axes = plt.subplots(
        len(images), columns, figsize=(WIDTH, len(images) * (WIDTH / columns + 0.35)), squeeze=False
    )
    for line, (name, row) in zip(axes, images.items()):
        for ax, image in zip(line, row):
            _show(ax, 1.0 - image.reshape(side, side))
        _title_row(line, {0: name})
    return figure


def completions(
    given: npt.ArrayLike | Tensor, drawn: npt.ArrayLike | Tensor, real: npt.ArrayLike | Tensor
) -> Figure:
    """Draw a row for each image: what a model was given of it, what it drew, and the image itself.

    Parameters
    ----------
    given, real
        Shape ``images pixels``; in ``given``, pixels that the model does not know are not-a-number.
    drawn
        Shape ``drawings images pixels``.
    """
    rows = np.concatenate([as_numbers(given, 2)[None], as_numbers(drawn, 3), as_numbers(real, 2)[None]])
    columns, images, pixels = rows.shape
    side = round(pixels**0.5)
    figure, axes = plt.subplots(
        images, columns, figsize=(WIDTH, images * WIDTH / columns + 0.4), squeeze=False
    )
    for ax, image in zip(axes.T.flat, rows.reshape(-1, side, side)):
        _show(ax, 1.0 - image)
    _title_row(axes[0], {0: "given", 1: "drawn by the model", columns - 1: "real"})
    return figure


def agreement_bars(
    groups: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]], total: int, title: str
) -> Figure:
    """Draw how often a model is right, group by group; a bar is as wide as its group is large.

    Parameters
    ----------
    groups
        For each group how many images it has, and the share of them that are right, seed by seed.
    total
        All images.
    title
        What the groups are.
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 3.3))
    left = 0.0
    for name, (images, right) in groups.items():
        sizes, shares = as_numbers(images, 1), as_numbers(right, 1)
        width, middle = sizes.mean() / total, left + sizes.mean() / total / 2
        ax.bar(middle, shares.mean(), width=width, color=tint(COLORS["blue"], 0.5), edgecolor="white")
        ax.plot(np.full(len(shares), middle), shares, "o", color=COLORS["blue"])
        ax.text(middle, -0.04, f"{name}\n{100 * width:.0f}%", ha="center", va="top")
        left += width
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], ylabel="vote is right")
    ax.set_title(title)
    return figure


def nade_flow() -> Figure:
    """Draw how data flow through three positions of the slides' NADE, with its two running sums."""
    picture, xs = Diagram(height=4.4), [0.7 + 1.8 * i for i in range(4)]

    def row(letter: str, y: float, color: str) -> list[Box]:
        return [
            picture.box(x, y, f"${letter}_{t}$", width=0.66, height=0.46, color=color, size=13)
            for t, x in enumerate(xs[:3], start=1)
        ]

    read, hidden = row(r"\mathbf{r}", 1.7, "blue"), row(r"\mathbf{h}", 2.6, "green")
    written = row(r"\mathbf{u}", 3.5, "purple")
    tokens = row("x", 0.45, "orange")
    beyond = xs[3] - 0.55
    for t in range(3):
        scores = picture.box(xs[t] + 0.8, 4.12, f"$f_{t + 1}$", width=0.62, height=0.44, size=13)
        bias = rf"$+\,\mathbf{{c}}_{t + 1}$, sigmoid"
        picture.arrow(read[t], hidden[t], bias, text_offset=(0.66, 0.0), size=11)
        picture.arrow(hidden[t], written[t], rf"$\mathbf{{W}}_{t + 1}$", text_offset=(0.3, 0.0), size=11)
        picture.arrow(written[t], scores, rf"$+\,\mathbf{{b}}_{t + 1}$", text_offset=(-0.32, 0.16), size=11)
        next_read = read[t + 1] if t < 2 else (beyond, 1.7)
        next_written = written[t + 1] if t < 2 else (beyond, 3.5)
        picture.arrow(read[t], next_read, color="blue")
        picture.arrow(
            tokens[t],
            next_read,
            rf"$\mathbf{{V}}_{t + 1}$",
            color="orange",
            text_offset=(0.1, -0.18),
            size=11,
        )
        picture.arrow(written[t], next_written, color="purple")
    for y, text, color in ((1.7, "read so far", "blue"), (3.5, "written so far", "purple")):
        picture.text(beyond + 0.08, y, text, align="left", color=color)
    picture.text(beyond + 0.08, 0.45, "tokens", align="left", color="orange")
    return picture.figure


def _title_row(axes: np.ndarray, titles: Mapping[int, str]) -> None:
    """Write titles above some axes of a row; one that is wider than its axes does not push them apart."""
    for column, ax in enumerate(axes):
        blank = ax.set_title(" ")  # keeps the room
        if column in titles:
            place = {
                "xycoords": "axes fraction",
                "textcoords": "offset points",
                "fontsize": blank.get_fontsize(),
            }
            ax.annotate(titles[column], (0, 1), (0, 8), **place).set_in_layout(False)


def _show(ax: Axes, shades: np.ndarray) -> None:
    """Draw one image, from black at 0 to white at 1; not-a-number is not yet read."""
    ax.imshow(shades, cmap=mpl.colormaps["gray"].with_extremes(bad=UNREAD), vmin=0, vmax=1)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.spines[:].set_color("#CFCFCF")
