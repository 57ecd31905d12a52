"""Pictures of chapter 3: which inputs reach an output of stacked convolutions, and an image as codes."""

from collections.abc import Mapping, Sequence

import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lib.plotting.charts import as_numbers
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.style import COLORS, WIDTH

FAINT = "#CFCFCF"


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
        figsize=(WIDTH, 0.52 * sum(heights) + 0.5),
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
                ax.scatter(i, level, s=55, facecolor=filled, edgecolor=edge, zorder=3)
        ax.set_title(title)
        ax.set_yticks(range(len(dilations) + 1), ["tokens", *(f"δ = {d}" for d in dilations)])
        ax.tick_params(length=0)
        ax.set(xticks=[], xlim=(-0.5, n - 0.5), ylim=(-0.4, len(dilations) + 0.4))
        ax.spines[:].set_visible(False)
        ax.grid(visible=False)
    return figure


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
        How many codes the book has.
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
        for k, text in enumerate(("$e_1$", "$e_2$", "$e_3$", "…", f"$e_{{{n_codes}}}$"))
    ]
    d.text(0.69, 1.92, "codebook", align="left", color="purple")
    d.arrow((book[-1].right[0] + 0.04, 1.6), (chosen.x - 0.35, chosen.bottom[1] - 0.38), color="purple")
    sequence = " ".join(str(code) for code in numbers.flatten()[:6])
    prior = d.box(4.6, 0.42, f"prior:  {sequence} …", width=3.6, height=0.46, color="gold")
    d.arrow((chosen.x + 0.55, prior.top[1]), (chosen.x + 0.45, chosen.bottom[1] - 0.42), color="gold")
    d.text(2.65, 0.42, r"$\prod_s p(z_s \mid z_{<s})$", align="right", color="gold")
    return d
