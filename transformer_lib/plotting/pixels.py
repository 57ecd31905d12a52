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


def pixel_images(rows: Mapping[str, npt.ArrayLike | Tensor]) -> Figure:
    """Draw rows of square images, each row with its name above it.

    Parameters
    ----------
    rows
        For each name the images of 8 x 8 pixels, shape ``images pixels``, with 1 for ink.
    """
    images = {name: as_numbers(row, 2) for name, row in rows.items()}
    columns = max(len(row) for row in images.values())
    figure, axes = plt.subplots(
        len(images), columns, figsize=(WIDTH, len(images) * (WIDTH / columns + 0.35)), squeeze=False
    )
    for line, (name, row) in zip(axes, images.items()):
        for ax, image in zip(line, row):
            _show(ax, 1.0 - image.reshape(8, 8))
        line[0].set_title(name)
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


def _show(ax: Axes, shades: np.ndarray) -> None:
    """Draw one image, from black at 0 to white at 1; not-a-number is not yet read."""
    ax.imshow(shades, cmap=mpl.colormaps["gray"].with_extremes(bad=UNREAD), vmin=0, vmax=1)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.spines[:].set_color("#CFCFCF")
