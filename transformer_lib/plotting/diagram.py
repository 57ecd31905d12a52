"""Boxes, grids and arrows: drawings of how data flow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Rectangle
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.style import COLORS, WIDTH, Number, tint

Point = tuple[Number, Number]


@dataclass(frozen=True)
class Box:
    """A box of a :class:`Diagram`; its sides are points that arrows can start from and end at."""

    x: Number
    y: Number
    width: Number
    height: Number
    patch: Patch

    @property
    def left(self) -> Point:
        """The middle of the left side."""
        return (self.x - self.width / 2, self.y)

    @property
    def right(self) -> Point:
        """The middle of the right side."""
        return (self.x + self.width / 2, self.y)

    @property
    def top(self) -> Point:
        """The middle of the upper side."""
        return (self.x, self.y + self.height / 2)

    @property
    def bottom(self) -> Point:
        """The middle of the lower side."""
        return (self.x, self.y - self.height / 2)


class Diagram:
    """A drawing of boxes, grids and arrows in inches, the origin at the lower left.

    Parameters
    ----------
    height, width
        Of the drawing, in inches; one unit of every coordinate is one inch.
    """

    def __init__(self, height: Number, width: Number = WIDTH) -> None:
        self.figure = plt.figure(figsize=(width, height), layout="none")
        self.ax = self.figure.add_axes((0, 0, 1, 1))
        self.ax.set(xlim=(0, width), ylim=(0, height))
        self.ax.set_axis_off()

    def box(
        self,
        x: Number,
        y: Number,
        text: str,
        *,
        width: Number = 1.2,
        height: Number = 0.5,
        color: str = "grey",
        size: Number = 13,
    ) -> Box:
        """Draw a rounded box centered at (x, y), tinted with a color of :data:`COLORS`, around `text`."""
        edge = COLORS.get(color, color)
        patch = FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=tint(edge),
            edgecolor=edge,
            linewidth=1.3,
            zorder=2,
        )
        self.ax.add_patch(patch)
        self.text(x, y, text, size=size)
        return Box(x, y, width, height, patch)

    def grid(
        self,
        x: Number,
        y: Number,
        rows: int,
        columns: int,
        *,
        cell: Number = 0.2,
        color: str = "blue",
        shades: npt.ArrayLike | Tensor | None = None,
    ) -> Box:
        """Draw a matrix of square cells centered at (x, y), filled by `shades` from 0 to 1."""
        edge, width, height = COLORS.get(color, color), columns * cell, rows * cell
        strength = np.full((rows, columns), 0.18) if shades is None else as_numbers(shades, 2)
        if strength.shape != (rows, columns):
            raise ValueError(f"shades must have shape {(rows, columns)}, not {strength.shape}")
        left, top = x - width / 2, y + height / 2
        for i, j in np.ndindex(rows, columns):
            corner = (left + j * cell, top - (i + 1) * cell)
            face = tint(edge, float(strength[i, j]))
            self.ax.add_patch(
                Rectangle(corner, cell, cell, facecolor=face, edgecolor=edge, linewidth=0.8, zorder=2)
            )
        frame = Rectangle(
            (left, top - height), width, height, fill=False, edgecolor=edge, linewidth=1.3, zorder=3
        )
        self.ax.add_patch(frame)
        return Box(x, y, width, height, frame)

    def arrow(
        self,
        start: Box | Point,
        end: Box | Point,
        text: str = "",
        *,
        curve: Number = 0.0,
        color: str = "grey",
        text_offset: Point = (0.0, 0.14),
        size: Number = 12,
    ) -> None:
        """Draw an arrow between boxes or points; at a box it ends at the edge that faces the other."""
        (start, from_patch), (end, to_patch) = _arrow_end(start), _arrow_end(end)
        ink = COLORS.get(color, color)
        self.ax.add_patch(
            FancyArrowPatch(
                start,
                end,
                patchA=from_patch,
                patchB=to_patch,
                shrinkA=2,
                shrinkB=3,
                color=ink,
                linewidth=1.4,
                arrowstyle="-|>",
                mutation_scale=12,
                connectionstyle=f"arc3,rad={curve}",
                zorder=1.5,
            )
        )
        if text:
            x = (start[0] + end[0]) / 2 + text_offset[0] + curve * (end[1] - start[1]) / 2
            y = (start[1] + end[1]) / 2 + text_offset[1] - curve * (end[0] - start[0]) / 2
            self.text(x, y, text, size=size, halo=True)

    def text(
        self,
        x: Number,
        y: Number,
        text: str,
        *,
        size: Number = 13,
        color: str = "black",
        align: str = "center",
        halo: bool = False,
    ) -> None:
        """Write `text` at (x, y): its center or, by `align`, "left" or "right" end; a halo hides lines.

        Texts of one line at the same height stand on one line, whatever their letters.
        """
        single = "\n" not in text
        self.ax.text(
            x,
            y - 0.36 * size / 72 if single else y,
            text,
            ha=align,
            va="baseline" if single else "center",
            fontsize=size,
            color=COLORS.get(color, color),
            linespacing=1.35,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5} if halo else None,
            zorder=4,
        )


def _arrow_end(end: Box | Point) -> tuple[Point, Patch | None]:
    return ((end.x, end.y), end.patch) if isinstance(end, Box) else (end, None)
