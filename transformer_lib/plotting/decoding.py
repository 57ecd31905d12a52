"""Pictures of decoding: words that a filter keeps, what a cache saves, and the tree that a search sees."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from transformer_lib.plotting.diagram import Diagram
from transformer_lib.plotting.style import COLORS, tint

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
        strokes.set(markersize=13, markeredgewidth=2)
    ax.set_yticks(places, words)
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")


def cache_grid(n: int = 6) -> Figure:
    """Draw which rows of keys and values each step computes, and which it keeps, in steps 1 to ``n``."""
    figure, axes = plt.subplots(1, 2, figsize=(NARROW, 3.4))
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
    height = 0.46 * len(leaves) + 0.75
    d = Diagram(height, NARROW)
    rows = {leaf: height - 0.62 - 0.46 * i for i, leaf in enumerate(leaves)}

    def y(prefix: str) -> float:
        under = [rows[leaf] for leaf in leaves if leaf.startswith(prefix)]
        return sum(under) / len(under)

    pitch = (NARROW - 1.5) / depth
    boxes = {"": d.box(0.5, y(""), "start", width=0.72, height=0.36)}
    for prefix, score in scores.items():
        color = "grey"
        if prefix in beam:
            color = "green" if prefix.endswith(".") else "blue"
        if prefix in greedy:
            color = "orange" if prefix not in beam else "purple"
        x = 0.85 + pitch * len(prefix)
        label = f"{' '.join(prefix)}   {score:.3g}"
        boxes[prefix] = d.box(x, y(prefix), label, width=1.22, height=0.36, color=color, size=12)
    for prefix in scores:
        parent, child = boxes[prefix[:-1]], boxes[prefix]
        d.arrow(parent.right, child.left, color="grey" if prefix not in (*beam, *greedy) else "black")
    for level in range(1, depth + 1):
        d.text(0.85 + pitch * level, height - 0.2, f"step {level}", size=12)
    return d
