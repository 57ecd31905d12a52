"""Matrices as cells, masks as cells, and curves with the spread of their runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from torch import Tensor

from transformer_lib.plotting.style import COLORS, Number, styled

NARROW = 5.6
RUN_COLORS = ("blue", "orange", "green", "purple", "sky", "gold")
RUN_MARKERS = "osD^vP"


def heat_map(
    ax: Axes,
    matrix: npt.ArrayLike | Tensor,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    *,
    row_title: str = "",
    column_title: str = "",
    values: str | None = ".2f",
    limits: tuple[Number, Number] | None = None,
) -> AxesImage:
    """Draw a matrix as colored cells with labeled rows and columns and the number in each.

    Parameters
    ----------
    matrix
        Shape ``rows columns``.
    rows, columns
        One label per row and column; without them the indices from 1 are shown.
    row_title, column_title
        What the rows and columns are, such as "query" and "key".
    values
        Format of the number in each cell; None for no numbers.
    limits
        The numbers at the two ends of the color scale; by default those of the matrix, from zero on when no
        number is negative.

    Raises
    ------
    ValueError
        If the matrix has not two dimensions, or labels and matrix differ in length.
    """
    cells = as_numbers(matrix, 2)
    rows, columns = _labels("rows", rows, cells.shape[0]), _labels("columns", columns, cells.shape[1])
    if limits is None:
        limits = (min(0.0, float(cells.min())), float(cells.max()))
    scale = Normalize(*limits)
    image = ax.imshow(cells, cmap="Blues", norm=scale, aspect="equal")
    _cell_axes(ax, rows, columns, row_title, column_title)
    if values is not None:
        for i, j in np.ndindex(*cells.shape):
            dark = _luminance(image.cmap(scale(cells[i, j]))) < 0.2
            text = format(cells[i, j], values).replace("-", "\N{MINUS SIGN}")
            ink = "white" if dark else COLORS["black"]
            ax.text(j, i, text, ha="center", va="center", fontsize=12, color=ink)
    return image


def mask_grid(
    ax: Axes,
    mask: npt.ArrayLike | Tensor,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    *,
    row_title: str = "query",
    column_title: str = "key",
    legend: bool = True,
) -> None:
    """Draw a Boolean matrix, True = may attend: filled cells are open, crossed ones are closed.

    The arguments and errors are those of :func:`heat_map`.
    """
    cells = as_numbers(mask, 2).astype(bool)
    rows, columns = _labels("rows", rows, cells.shape[0]), _labels("columns", columns, cells.shape[1])
    ax.imshow(cells, cmap=mpl.colors.ListedColormap(["white", COLORS["sky"]]), vmin=0, vmax=1, aspect="equal")
    for i, j in np.argwhere(~cells):
        ax.plot(j, i, marker="x", color="#9A9A9A", markersize=6, linestyle="none")
    _cell_axes(ax, rows, columns, row_title, column_title)
    if legend:
        open_cell = Patch(facecolor=COLORS["sky"], edgecolor="#CFCFCF", label="may attend")
        closed_cell = Line2D([], [], marker="x", color="#9A9A9A", linestyle="none", label="may not")
        ax.legend(
            handles=[open_cell, closed_cell],
            loc="upper center",
            bbox_to_anchor=(0.5, -0.03),
            ncols=2,
            handlelength=1.2,
        )


def curve_with_spread(
    ax: Axes,
    x: npt.ArrayLike | Tensor,
    ys: npt.ArrayLike | Tensor,
    label: str | None = None,
    *,
    color: str | None = None,
    marker: str = "o",
    linestyle: str | None = None,
) -> Line2D:
    """Draw the mean of several runs as a line, and as a band the range from the least to the greatest.

    Parameters
    ----------
    x
        Shape ``points``.
    ys
        Shape ``runs points``, one row per seed.
    color
        A name in :data:`COLORS`, any color of matplotlib, or the next of the cycle.

    Raises
    ------
    ValueError
        If ``ys`` does not have one column per entry of ``x``.
    """
    x, ys = as_numbers(x, 1), as_numbers(ys, 2)
    if ys.shape[1] != x.shape[0]:
        raise ValueError(f"ys must have one column per point of x, {x.shape[0]}, but has {ys.shape[1]}")
    style: dict[str, Any] = {} if linestyle is None else {"linestyle": linestyle}
    if color is not None:
        style["color"] = COLORS.get(color, color)
    (line,) = ax.plot(x, ys.mean(axis=0), label=label, marker=marker, **style)
    ax.fill_between(x, ys.min(axis=0), ys.max(axis=0), color=line.get_color(), alpha=0.2, linewidth=0)
    return line


def curves(lines: Mapping[str, Sequence[tuple[Number, Number]]], xlabel: str, ylabel: str) -> Figure:
    """Draw named curves, at most six, each a list of points, in the first colors of the house."""
    figure, ax = plt.subplots(figsize=(5.6, 3.2))
    for (name, points), color in styled(lines.items(), RUN_COLORS):
        ax.plot(*zip(*points, strict=True), "-", color=COLORS[color], marker="", label=name)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=len(lines))
    return figure


def stacked_curves(
    x: npt.ArrayLike | Tensor, panels: Mapping[str, npt.ArrayLike | Tensor], x_title: str
) -> Figure:
    """Draw several measurements of the same runs one above the other, each run as a line of its own.

    Parameters
    ----------
    x
        Shape ``points``.
    panels
        What is measured, and its values, shape ``runs points``, of at most six runs.
    """
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(NARROW, 2.0 * len(panels)), sharex=True, squeeze=False
    )
    for ax, (title, values) in zip(axes[:, 0], panels.items()):
        for run, color, marker in styled(as_numbers(values, 2), RUN_COLORS, RUN_MARKERS):
            ax.plot(as_numbers(x, 1), run, color=COLORS[color], marker=marker, markersize=4)
        ax.set_ylabel(title)
    axes[-1, 0].set_xlabel(x_title)
    figure.align_ylabels()
    return figure


def curves_and_levels(
    curves: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
    levels: Mapping[str, float],
    *,
    x_title: str,
    y_title: str,
    limits: tuple[Number, Number],
) -> Figure:
    """Draw falling curves, and horizontal lines for what they are to fall below.

    Parameters
    ----------
    curves
        By name, at most six: the places and the values, shapes ``points`` and ``runs points``; one point is
        a mark.
    levels
        Each with its name on the line.
    limits
        The ends of the vertical axis.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 3.9))
    for (name, (x, ys)), color, marker in styled(curves.items(), RUN_COLORS, RUN_MARKERS):
        curve_with_spread(ax, x, ys, name, color=color, marker=marker)
    right = max(float(as_numbers(x, 1).max()) for x, _ in curves.values())
    for name, level in levels.items():
        ax.axhline(level, color=COLORS["black"], linewidth=1.4, linestyle="--")
        ax.text(right, level, name, ha="right", va="bottom", fontsize=12)
    ax.set(xlabel=x_title, ylabel=y_title, ylim=limits, xlim=(0, None))
    ax.legend(fontsize=12)
    return figure


def _luminance(color: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def _labels(which: str, labels: Sequence[str] | None, n: int) -> list[str]:
    if labels is None:
        return [str(i + 1) for i in range(n)]
    if len(labels) != n:
        raise ValueError(f"the matrix has {n} {which}, but {len(labels)} labels were given")
    return list(labels)


def _cell_axes(ax: Axes, rows: list[str], columns: list[str], row_title: str, column_title: str) -> None:
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(visible=False, which="major")
    ax.grid(visible=True, which="minor", color="#CFCFCF", linewidth=0.8)
    ax.tick_params(which="both", length=0, top=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(column_title)
    ax.set_ylabel(row_title)


def as_numbers(array: npt.ArrayLike | Tensor, dimensions: int) -> np.ndarray:
    """The array on the CPU as NumPy's, or a ValueError if it has not as many dimensions as it should."""
    values = array.detach().cpu().numpy() if isinstance(array, Tensor) else np.asarray(array)
    if values.ndim != dimensions:
        raise ValueError(f"an array of {dimensions} dimensions is needed, not one of shape {values.shape}")
    return values
