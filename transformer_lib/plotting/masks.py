"""Pictures of what a mask does: predictions that must not read their answer, and paths through two blocks."""

from collections.abc import Sequence

from transformer_lib.plotting.diagram import Box, Diagram

NARROW = 5.6


def answers_in_sight(tokens: Sequence[str], place: int) -> Diagram:
    """Draw a model that reads a shifted sequence, and what the prediction at one place may read.

    Parameters
    ----------
    tokens
        The sequence; each is predicted above the input before it.
    place
        The token, counted from 0, whose prediction is drawn.
    """
    d, pitch = Diagram(3.5, NARROW), (NARROW - 0.3) / len(tokens)
    xs = [0.15 + pitch * (i + 0.5) for i in range(len(tokens))]
    width = 0.9 * pitch
    for i, (x, token) in enumerate(zip(xs, tokens)):
        d.box(x, 2.72, token, width=width, height=0.44, color="green" if i == place else "grey")
    for i, (x, token) in enumerate(zip(xs, ["start", *tokens[:-1]])):
        color = "blue" if i <= place else "orange" if i == place + 1 else "grey"
        box = d.box(x, 0.75, token, width=width, height=0.44, color=color)
        if i <= place:
            d.arrow(box, (xs[place], 2.5), color="blue")
        elif i == place + 1:
            d.arrow(box, (xs[place], 2.5), "the answer", color="orange", text_offset=(0.75, 0.05))
    d.text(0.15, 3.25, "predicted", align="left")
    d.text(0.15, 0.22, "read", align="left")
    return d


def paths_of_two_blocks(n: int = 4) -> Diagram:
    """Draw two blocks over ``n`` inputs with a causal mask, and without one.

    The right half marks how an input without a mask reaches the last output twice: through the last row, and
    through an earlier row of the first block, which a causal mask forbids.
    """
    d = Diagram(3.3, NARROW)
    for left, title, is_causal in ((0.15, "causal mask", True), (2.95, "no mask", False)):
        rows: list[list[Box]] = []
        for level, y in enumerate((0.45, 1.5, 2.55)):
            name = ("x", "u", "z")[level]
            row = []
            for i in range(n):
                is_marked = not is_causal and (level, i) in ((0, n - 1), (1, 1), (2, n - 1))
                row.append(
                    d.box(
                        left + 0.3 + 0.64 * i,
                        y,
                        f"${name}_{i + 1}$",
                        width=0.46,
                        height=0.4,
                        color="orange" if is_marked else "grey",
                        size=13,
                    )
                )
            rows.append(row)
        d.text(left + 0.05, 3.08, title, align="left")
        for level in range(2):
            for i in range(n):
                for j in range(n):
                    is_marked = not is_causal and ((level, j, i) in ((0, n - 1, 1), (1, 1, n - 1)))
                    if j <= i or (not is_causal and (level == 0 or i == n - 1)):
                        _line(d, rows[level][j], rows[level + 1][i], "orange" if is_marked else "#CFCFCF")
    return d


def _line(d: Diagram, start: Box, end: Box, color: str) -> None:
    if color == "orange":
        d.arrow(start.top, end.bottom, color=color)
    else:
        (x, y), (u, v) = start.top, end.bottom
        d.ax.plot([x, u], [y, v], color=color, linewidth=1.0, linestyle="-", zorder=1)
