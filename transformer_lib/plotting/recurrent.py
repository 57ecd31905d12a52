"""Pictures of recurrent networks: unrolled over a text, an LSTM with its valves, reach, recall and cost."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator

from transformer_lib.plotting.charts import as_numbers, curve_with_spread
from transformer_lib.plotting.diagram import Diagram, Point
from transformer_lib.plotting.style import COLORS, Number, styled, tint

NARROW = 5.6


def unrolled_network(tokens: Sequence[str]) -> Diagram:
    """Draw a recurrent network once for each of a few tokens, which it predicts from its running state.

    Parameters
    ----------
    tokens
        The sequence; each is predicted above the state that has read the token before it.
    """
    d, pitch = Diagram(4.1, NARROW), (NARROW - 0.95) / len(tokens)
    state = d.box(0.42, 2.05, "$h_0$", width=0.56, height=0.5, color="blue")
    for t, (read, predicted) in enumerate(zip(["start", *tokens[:-1]], tokens), start=1):
        x, width = 0.95 + pitch * (t - 0.5), 0.86 * pitch
        below = d.box(x, 0.62, read, width=width, height=0.44, color="grey")
        after = d.box(x, 2.05, f"$h_{t}$", width=0.56, height=0.5, color="blue")
        above = d.box(x, 3.48, predicted, width=width, height=0.44, color="green")
        d.arrow(state, after, "$W_h$", color="blue", text_offset=(0, 0.2))
        d.arrow(below, after, "$W_x$", text_offset=(0.28, 0.0))
        d.arrow(after, above, "$W_o$", text_offset=(0.28, 0.0))
        state = after
    d.text(0.1, 3.92, "predicted", align="left")
    d.text(0.1, 0.18, "read", align="left")
    return d


def lstm_cell(numbers: Mapping[str, float]) -> Diagram:
    """Draw one step of an LSTM: a memory line with a valve on it, one on the way in and one on the way out.

    Parameters
    ----------
    numbers
        What the step computes: ``c_previous``, ``f``, ``i``, ``c_tilde``, ``c``, ``o`` and ``h``.
    """
    d, line, boxes, bus = Diagram(4.9, NARROW), 3.95, 1.55, 0.78
    shown = {name: f"{value:.2f}" for name, value in numbers.items()}
    x_f, x_i, x_new, x_out, x_o = 0.95, 1.95, 2.85, 3.95, 5.0
    for name, text, x, color in (
        ("f", "$f_t$", x_f, "orange"),
        ("i", "$i_t$", x_i, "orange"),
        ("c_tilde", r"$\tilde{c}_t$", x_new, "green"),
        ("o", "$o_t$", x_o, "orange"),
    ):
        d.box(x, boxes, f"{text}\n{shown[name]}", width=0.74, height=0.72, color=color, size=12.5)
        d.arrow((x, bus), (x, boxes - 0.36))
    d.ax.plot([x_f, x_o], [bus, bus], color=COLORS["grey"], linewidth=1.6, linestyle="-", zorder=1)
    d.arrow((x_out, 0.32), (x_out, bus), color="grey")
    d.text(x_out, 0.18, r"$\mathbf{x}_t$ and $\mathbf{h}_{t-1}$", size=13)

    blue = COLORS["blue"]
    d.ax.plot([0.15, NARROW - 0.3], [line, line], color=blue, linewidth=3.2, linestyle="-", zorder=1)
    d.arrow((NARROW - 0.4, line), (NARROW - 0.05, line), color="blue")
    d.text(0.12, line + 0.3, f"$c_{{t-1}}$ = {shown['c_previous']}", align="left")
    d.text(NARROW - 0.1, line + 0.3, f"$c_t$ = {shown['c']}", align="right")
    d.text(0.12, line + 0.72, "memory", align="left", color="blue")

    _valve(d, (x_f, line), is_upright=False)
    d.arrow((x_f, boxes + 0.36), (x_f, line - 0.16), "keep", color="orange", text_offset=(0.3, 0.3))
    d.arrow((x_new, boxes + 0.36), (x_new, line - 0.17), color="green")
    d.box(x_new, line, "+", width=0.32, height=0.32, color="blue", size=14)
    _valve(d, (x_new, 2.95), is_upright=True)
    d.arrow((x_i, boxes + 0.36), (x_new - 0.16, 2.95), "enter", color="orange", text_offset=(-0.34, 0.2))
    d.arrow((x_out, line), (x_out, 2.05), color="blue")
    d.box(x_out, 3.35, r"$\sigma$", width=0.62, height=0.36, color="blue", size=13)
    _valve(d, (x_out, 2.75), is_upright=True)
    d.arrow((x_o, boxes + 0.36), (x_out + 0.16, 2.75), "show", color="orange", text_offset=(0.3, 0.2))
    d.text(x_out - 0.05, 1.86, f"$h_t$ = {shown['h']}")
    return d


def gradient_by_distance(reaches: Mapping[str, npt.ArrayLike], room: Number = 0.62) -> Figure:
    """Draw how much of a gradient is left so many tokens back, as a power of 10; LSTMs are dashed.

    Parameters
    ----------
    reaches
        By name, what is left 0, 1, 2, ... tokens back.
    room
        The part of the width that the curves take; their names stand to the right of it.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 4.2))
    drawn = {name: np.log10(as_numbers(reach, 1)) for name, reach in reaches.items()}
    colors = dict(styled(drawn, ("blue", "green", "grey", "orange", "black", "purple")))
    longest = max(map(len, drawn.values())) - 1
    free = np.inf
    for name in sorted(drawn, key=lambda name: -drawn[name][-1]):
        color = COLORS[colors[name]]
        dashes = "--" if name.startswith("LSTM") else "-"
        ax.plot(range(longest + 1), drawn[name], color=color, marker="", linestyle=dashes)
        free = min(drawn[name][-1], free)
        ax.text(longest * 1.02, free, name, va="center", fontsize=12, color=color)
        free -= 1.1
    ax.set(xlabel="words back", ylabel="gradient (power of 10)", xlim=(0, longest / room))
    ax.set_xticks(range(0, longest + 1, 10))
    return figure


def recall_by_distance(
    stretches: Sequence[str], right: Mapping[str, npt.ArrayLike], guesses: Mapping[str, Number]
) -> Figure:
    """Draw the share of names that networks recall, by how far back the name lies: each run, and the mean.

    Parameters
    ----------
    stretches
        The names of the distances.
    right
        By network, a row for each seed with a share for each stretch.
    guesses
        By name, shares that need no memory; each is a dotted line.
    """
    figure, ax = plt.subplots(figsize=(NARROW, 4.0))
    places = np.arange(len(stretches))
    colors, markers = ("blue", "green", "orange", "black"), "osD^"
    for (name, shares), color, marker in styled(right.items(), colors, markers):
        by_run = as_numbers(shares, 2)
        (mean,) = ax.plot(places, by_run.mean(axis=0), label=name, color=COLORS[color], marker=marker)
        for run in ax.plot(places, by_run.T, color=COLORS[color], linewidth=0.9, alpha=0.45, marker=""):
            run.set_linestyle(mean.get_linestyle())
    for name, share in guesses.items():
        ax.axhline(share, color=COLORS["grey"], linestyle=":", linewidth=1.4)
        under = share == min(guesses.values())
        place = {"y": share - 0.015, "va": "top"} if under else {"y": share + 0.015}
        ax.text(places[-1] + 0.2, s=name, ha="right", fontsize=12, color=COLORS["grey"], **place)
    ax.set_xticks(places, stretches)
    ax.set(xlabel="words since the name", ylabel="right names", ylim=(0, 1.02))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def time_per_token(lengths: Sequence[int], panels: Mapping[str, Mapping[str, npt.ArrayLike]]) -> Figure:
    """Draw the microseconds that models take per token against the length of the text, a chart for each task.

    Parameters
    ----------
    panels
        By task and model, a row for each round with a time for each length.
    """
    figure, axes = plt.subplots(len(panels), 1, figsize=(NARROW, 2.7 * len(panels)), sharex=True)
    charts: list[Axes] = list(np.atleast_1d(axes))
    for ax, (task, times) in zip(charts, panels.items(), strict=True):
        colors, lines = ("blue", "orange", "green", "black"), ("--", "-", "-.", ":")
        for (name, rounds), color, line, marker in styled(times.items(), colors, lines, "sovD"):
            curve_with_spread(ax, lengths, rounds, name, color=color, linestyle=line, marker=marker)
        ax.set(xscale="log", yscale="log", title=task, ylabel="µs per token")
        ax.set_xticks(lengths, [f"{n:,}" for n in lengths])
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter("{x:,.0f}")
        ax.minorticks_off()
    charts[-1].set_xlabel("tokens in the text")
    figure.legend(*charts[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def _valve(d: Diagram, place: Point, *, is_upright: bool) -> None:
    """Two triangles that touch at the place, as on plans of pipes."""
    (x, y), reach, half = place, 0.19, 0.13

    def corner(along: Number, across: Number) -> tuple[float, float]:
        return (x + across, y + along) if is_upright else (x + along, y + across)

    for side in (-reach, reach):
        corners = [(float(x), float(y)), corner(side, -half), corner(side, half)]
        d.ax.add_patch(
            Polygon(
                corners,
                facecolor=tint(COLORS["orange"], 0.35),
                edgecolor=COLORS["orange"],
                linewidth=1.3,
                zorder=3,
            )
        )
