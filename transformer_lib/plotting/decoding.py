"""Pictures of decoding: words that a filter keeps, what samplers and searches score, what a cache saves."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from transformer_lib.plotting.charts import curve_with_spread
from transformer_lib.plotting.diagram import Diagram
from transformer_lib.plotting.style import COLORS, styled, tint

NARROW = 5.6


def word_bars(
    ax: Axes,
    words: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    true: Sequence[float] | None = None,
) -> None:
    """Draw the probabilities of words, most probable first, before and after a change.

    Parameters
    ----------
    before, after
        The model's, drawn as outlines, and those that are sampled from, drawn as bars.
    true
        The source's, drawn as strokes, where they are known.
    """
    places = np.arange(len(words))
    ax.barh(places, after, height=0.72, color=COLORS["sky"], label="sampled from")
    ax.barh(
        places,
        before,
        height=0.72,
        fill=False,
        edgecolor=COLORS["black"],
        linewidth=1.1,
        label="the model's",
    )
    if true is not None:
        (strokes,) = ax.plot(true, places, "|", color=COLORS["orange"], label="true")
        strokes.set(markersize=10, markeredgewidth=2)
    ax.set_yticks(places, words)
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")


def words_and_filters(
    words: Sequence[str],
    before: Sequence[float],
    ways: Mapping[str, Sequence[float]],
    true: Sequence[float],
) -> Figure:
    """Draw what several filters make of one distribution, side by side, as :func:`word_bars`."""
    figure, axes = plt.subplots(1, len(ways), figsize=(NARROW, 4.2), sharex=True, sharey=True)
    for ax, (title, after) in zip(axes, ways.items()):
        word_bars(ax, words, before, after, true)
        ax.set(title=title, xlabel="probability")
        ax.xaxis.set_major_locator(plt.MaxNLocator(3))
    axes[0].set_ylim(len(words) - 0.4, -0.6)  # shared by all
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def quality_and_variety(
    panels: Mapping[str, Mapping[str, tuple[np.ndarray, np.ndarray]]],
    source: float,
    names: Mapping[str, Mapping[int, str]] | None = None,
) -> Figure:
    """Draw families of samplers, a chart for each panel: errors against entropy, and the source's entropy.

    Parameters
    ----------
    panels
        By title, and then by family, the entropies and the errors, each (seeds, settings).
    source
        The source's entropy.
    names
        By family and place, what is written beside settings: the first above, the others below.
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(NARROW, 3.0), sharex=True, sharey=True)
    for ax, (title, families) in zip(axes, panels.items()):
        for (family, (x, y)), marker in styled(families.items(), "os^"):
            reach = [y.mean(0) - y.min(0), y.max(0) - y.mean(0)]
            ax.errorbar(x.mean(0), y.mean(0), reach, marker=marker, capsize=3, label=family)
            for n, (place, name) in enumerate((names or {}).get(family, {}).items()):
                by, side, edge = ((3, -4), "left", "top") if n else ((6, 10), "right", "bottom")
                at = x.mean(0)[place], y.mean(0)[place]
                ax.annotate(name, at, by, textcoords="offset points", ha=side, va=edge, fontsize=12)
        ax.axvline(source, color=COLORS["black"], linewidth=1.2, linestyle=":", label="the source")
        ax.set(title=title, xlabel="nats per token", ylim=(0, None))
    axes[0].set_ylabel("impossible per 1,000")
    axes[-1].legend(loc="upper right", frameon=True, edgecolor="none", handlelength=1.4, labelspacing=0.15)
    return figure


def scores_by_beams(beams: Sequence[int], curves: Mapping[str, np.ndarray]) -> Figure:
    """Draw BLEU against the number of beams.

    Parameters
    ----------
    curves
        By name, the scores, (seeds, beams).
    """
    figure, ax = plt.subplots(figsize=(NARROW, 3.3))
    colors, lines = ("blue", "orange", "sky", "gold"), ("--", "-", ":", "-.")
    for (name, values), color, line in styled(curves.items(), colors, lines):
        curve_with_spread(ax, beams, values, name, color=color, linestyle=line)
    ax.set(ylabel="BLEU", ylim=(0, None), xscale="log", xlabel="beams")
    ax.set_xticks(beams, [str(B) for B in beams])
    ax.minorticks_off()
    ax.legend(loc="lower left", labelspacing=0.25)
    return figure


def cache_grid(n: int = 6) -> Figure:
    """Draw which rows of keys and values each step computes, and which it keeps, in steps 1 to ``n``."""
    figure, axes = plt.subplots(1, 2, figsize=(NARROW, 2.7))
    new, kept = COLORS["orange"], COLORS["blue"]
    for ax, title, is_cached in zip(axes, ("no cache", "with a cache"), (False, True)):
        for step in range(n):
            for place in range(step + 1):
                is_new = not is_cached or place == step
                color = new if is_new else kept
                ax.add_patch(
                    Rectangle(
                        (place, n - 1 - step),
                        1,
                        1,
                        facecolor=tint(color, 0.75 if is_new else 0.2),
                        edgecolor="white",
                        linewidth=2,
                    )
                )
        ax.set(xlim=(0, n), ylim=(0, n), aspect="equal", title=title, xlabel="token")
        ax.set_xticks(np.arange(n) + 0.5, [str(i + 1) for i in range(n)])
        ax.set_yticks(np.arange(n) + 0.5, [str(n - i) for i in range(n)])
        ax.tick_params(length=0)
        ax.grid(visible=False)
        ax.spines[:].set_visible(False)
    axes[0].set_ylabel("step")
    figure.legend(
        handles=[
            Patch(facecolor=tint(new, 0.75), label="computed in this step"),
            Patch(facecolor=tint(kept, 0.2), label="read from the cache"),
        ],
        loc="outside lower center",
        ncols=2,
        handlelength=1.2,
    )
    return figure


def prefix_tree(
    scores: Mapping[str, float],
    *,
    greedy: Sequence[str] = (),
    beam: Sequence[str] = (),
) -> Diagram:
    """Draw prefixes as a tree from left to right, each with its probability.

    Parameters
    ----------
    scores
        The probability of each prefix, a string of one letter per token, in the order from top to bottom.
    greedy, beam
        The prefixes that greedy decoding and the beam keep: filled orange, with a blue frame. A
        text that has ended, with a period, is drawn green if the beam keeps it.
    """
    depth = max(map(len, scores))
    leaves = [p for p in scores if not any(q.startswith(p) and q != p for q in scores)]
    height = 0.36 * len(leaves) + 0.7
    d = Diagram(height, NARROW)
    rows = {leaf: height - 0.58 - 0.36 * i for i, leaf in enumerate(leaves)}

    def y(prefix: str) -> float:
        under = [rows[leaf] for leaf in leaves if leaf.startswith(prefix)]
        return sum(under) / len(under)

    pitch = (NARROW - 1.5) / depth
    boxes = {"": d.box(0.5, y(""), "start", width=0.72, height=0.31)}
    for prefix, score in scores.items():
        color = "grey"
        if prefix in beam:
            color = "green" if prefix.endswith(".") else "blue"
        if prefix in greedy:
            color = "orange" if prefix not in beam else "purple"
        x = 0.85 + pitch * len(prefix)
        label = f"{' '.join(prefix)}   {score:.3g}"
        boxes[prefix] = d.box(x, y(prefix), label, width=1.22, height=0.31, color=color, size=12)
    for prefix in scores:
        parent, child = boxes[prefix[:-1]], boxes[prefix]
        d.arrow(parent.right, child.left, color="grey" if prefix not in (*beam, *greedy) else "black")
    for level in range(1, depth + 1):
        d.text(0.85 + pitch * level, height - 0.2, f"step {level}", size=12)
    return d
