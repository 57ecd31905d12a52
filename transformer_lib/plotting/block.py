"""Pictures of a Transformer block and of whole models, from their tokens to their loss."""

from collections.abc import Mapping, Sequence
from typing import Any

from transformer_lib.plotting.diagram import Box, Diagram, Point
from transformer_lib.plotting.style import COLORS, Number

MINUS = "\N{MINUS SIGN}"
NARROW = 5.6
"""Width in inches of a drawing with many numbers: a telephone shows them larger than at 7 inches."""


def two_blocks() -> Diagram:
    """Draw a post-norm and a pre-norm block side by side, with their residual lines."""
    d = Diagram(6.5, NARROW)
    for x, title, pre in ((1.35, "post-norm", False), (4.15, "pre-norm", True)):
        d.text(x, 6.25, title, size=14)
        d.text(x, 5.9, r"$\mathbf{x}$", size=14)
        below = _sub_layer(d, x, 5.75, "attention", "blue", pre)
        d.text(x - 0.25, below - 0.02, r"$\mathbf{u}$", size=14)
        below = _sub_layer(d, x, below, "network", "green", pre)
        d.arrow((x, below), (x, below - 0.35), color="black")
        d.text(x, below - 0.52, r"$\mathbf{z}$", size=14)
    return d


def whole_transformer(
    words: Sequence[str], numbers: Mapping[str, Any], *, d_model: int, vocab_size: int
) -> Diagram:
    """Draw a prediction of a language model of two blocks with its numbers, from the tokens to the loss.

    Parameters
    ----------
    words
        What the model has read; the last four are drawn.
    numbers
        What :func:`transformer_lib.experiments.chapter_10.whole_transformer.picture` returns.
    """
    d = Diagram(8.15, NARROW)
    points, time, left, right = numbers["points"], len(numbers["tokens"]), 1.55, 4.2
    d.text(0.1, 7.95, f"{time} tokens, the last four:", align="left", size=12)
    for n, (word, token) in enumerate(zip(words[-4:], numbers["tokens"][-4:])):
        x = 0.85 + 1.3 * n
        d.box(x, 7.53, word, width=1.15, height=0.4, color="grey", size=12.5)
        d.text(x, 7.15, f"{token}", size=12)
    embedded = d.box(left, 6.4, "word + place", width=2.0, height=0.55, color="orange", size=13)
    d.arrow((0.85 + 3.9, 7.0), (embedded.x + 0.6, embedded.top[1]), color="grey")
    _vector(d, right, 6.53, points["word"], "")
    _vector(d, right, 6.25, points["place"], "+ ")
    above, y = embedded, 5.3
    for n in (1, 2):
        if n == 1:
            _vector(d, right, y + 0.62, points["sum"], "= ")
        frame = d.box(left, y - 0.36, "", width=2.5, height=1.6, color="grey")
        d.text(0.42, y + 0.28, f"block {n}", size=12, align="left", color="grey")
        attention = d.box(left, y - 0.1, "+ attention", width=2.0, height=0.42, color="blue", size=13)
        network = d.box(left, y - 0.75, "+ network", width=2.0, height=0.42, color="green", size=13)
        d.arrow(above, (left, frame.top[1]), color="black")
        d.arrow(attention, network, color="black")
        _vector(d, right, y - 0.1, points[f"u {n}"], "\N{RIGHTWARDS ARROW} ", color="blue")
        _vector(d, right, y - 0.75, points[f"z {n}"], "\N{RIGHTWARDS ARROW} ", color="green")
        above, y = frame, y - 1.92
    norm = d.box(left, 1.72, "LayerNorm", width=2.0, height=0.42, color="purple", size=13)
    d.arrow(above, norm, color="black")
    _vector(d, right, 1.72, points["normed"], "", color="purple")
    head = d.box(left, 1.08, f"{vocab_size} logits", width=2.0, height=0.42, color="orange", size=13)
    d.arrow(norm, head, color="black")
    likely, logits = numbers["likely"], numbers["logits"]
    shown = ",  ".join(f"{word} {logit:.1f}" for (word, _), logit in zip(likely, logits))
    d.text(right, 1.08, shown, size=12)
    softmax = d.box(left, 0.42, "softmax", width=2.0, height=0.42, color="grey", size=13)
    d.arrow(head, softmax, color="black")
    d.text(right, 0.55, ",  ".join(f"{word} {p:.2f}" for word, p in likely), size=12)
    answer = dict(map(tuple, likely)).get(numbers["target"])
    probability = "p" if answer is None else f"{answer:.2f}"
    d.text(right, 0.21, f"loss {MINUS}ln {probability} = {numbers['nats']:.2f} nats", size=12.5)
    d.text(0.1, 5.93, f"{time} × {d_model}", align="left", size=12, color="grey")
    return d


def translator(source: Sequence[str], target: Sequence[str]) -> Diagram:
    """Draw an encoder-decoder with what it reads and writes, and the ids of each part's equations."""
    d = Diagram(7.35, NARROW)
    left, right = 1.32, 4.1
    rows = {
        left: [("blue", "self-attention K2", "K3"), ("green", "network K4", "")],
        right: [
            ("blue", "masked attention K6", "K7"),
            ("purple", "cross-attention K8", "K9"),
            ("green", "network K10", ""),
        ],
    }
    drawn: dict[tuple[Number, str], Box] = {}
    for (x, parts), name, number in zip(rows.items(), ("encoder", "decoder"), (1, 5)):
        height = 1.15 * len(parts) + 0.45
        frame = d.box(x, 1.73 + height / 2, "", width=2.5, height=height, color="grey")
        frame.patch.set_zorder(0.5)
        d.text(x - 1.15, 1.55 + height, name, size=12, align="left", color="grey")
        d.text(x + 1.15, 1.55 + height, "$L$ blocks", size=12, align="right", color="grey")
        below = d.box(
            x, 1.42, f"words + places K{number}", width=1.95, height=0.36, color="orange", size=12.5
        )
        for n, (color, text, norm) in enumerate(parts):
            y = 2.2 + 1.15 * n
            box = d.box(x, y, text, width=1.9, height=0.36, color=color, size=12)
            added = d.box(x, y + 0.5, f"add, normalize {norm}", width=1.9, height=0.32, size=12)
            beside, fork = x - 1.15, y - 0.27
            d.ax.plot(
                [x, beside, beside],
                [fork, fork, added.y],
                color=COLORS["black"],
                linewidth=1.4,
                linestyle="-",
                zorder=1,
            )
            d.arrow((beside, added.y), added, color="black")
            d.arrow(below if n else below.top, (x, box.bottom[1]), color="black")
            d.arrow(box, added, color="black")
            drawn[x, color], below = box, added
        drawn[x, "top"] = below
    cross, top = drawn[right, "purple"], drawn[left, "top"]
    d.ax.plot(
        [left, left, 2.72, 2.72],
        [top.top[1], 5.0, 5.0, cross.y],
        color=COLORS["purple"],
        linewidth=1.6,
        linestyle="-",
        zorder=1,
    )
    d.arrow((2.72, cross.y), cross, color="purple")
    d.text(left, 5.22, "one vector per source token", size=12, color="purple")
    softmax = d.box(right, 6.25, "softmax K11", width=1.95, height=0.36, color="orange", size=12.5)
    d.arrow(drawn[right, "top"], softmax, color="black")
    for words, x, y in (
        (source, left, 0.5),
        (["BOS", *target], right, 0.5),
        ([*target, "EOS"], right, 7.1),
    ):
        pitch = 2.5 / len(words)
        for n, word in enumerate(words):
            d.box(x + pitch * (n - (len(words) - 1) / 2), y, word, width=0.94 * pitch, height=0.38, size=12)
        d.arrow((x, 0.72), (x, 1.23), color="black") if y < 1 else d.arrow((x, 6.44), (x, 6.9), color="black")
    d.text(0.1, 0.14, "read", size=12, align="left", color="grey")
    d.text(NARROW - 0.1, 0.14, "read, one place later than written", size=12, align="right", color="grey")
    d.text(right - 1.35, 6.74, "written", size=12, align="left", color="grey")
    return d


def _sub_layer(d: Diagram, x: Number, top: Number, name: str, color: str, pre: bool) -> float:
    """A branch beside its residual line; where the line leaves it is returned."""
    branch_x = x + 0.62
    join = top - (2.05 if pre else 1.45)
    places = {"norm": top - 0.62, "branch": top - 1.3} if pre else {"branch": top - 0.75}
    d.ax.plot([x, x], [top, join], color=COLORS["black"], linewidth=2.6, linestyle="-", zorder=1)
    boxes: list[Box] = []
    if pre:
        boxes.append(
            d.box(branch_x + 0.1, places["norm"], "LayerNorm", width=1.25, color="purple", height=0.42)
        )
    boxes.append(d.box(branch_x + 0.1, places["branch"], name, width=1.25, color=color, height=0.42))
    start: Point = (x, top - 0.12)
    d.arrow(start, boxes[0].top, color="grey")
    if pre:
        d.arrow(boxes[0], boxes[1], color="grey")
    d.arrow(boxes[-1].bottom, (x + 0.14, join), color="grey")
    d.box(x, join, "+", width=0.3, height=0.3, color="black", size=13)
    if pre:
        d.ax.plot(
            [x, x], [join - 0.15, join - 0.5], color=COLORS["black"], linewidth=2.6, linestyle="-", zorder=1
        )
        return join - 0.5
    norm = d.box(x, join - 0.6, "LayerNorm", width=1.25, height=0.42, color="purple")
    d.arrow((x, join - 0.15), norm, color="black")
    d.ax.plot(
        [x, x],
        [norm.bottom[1], norm.bottom[1] - 0.3],
        color=COLORS["black"],
        linewidth=2.6,
        linestyle="-",
        zorder=1,
    )
    return norm.bottom[1] - 0.3


def _vector(
    d: Diagram, x: Number, y: Number, values: Sequence[float], before: str, color: str = "black"
) -> None:
    """The first features of a vector."""
    text = ", ".join(f"{value + 0.0:.2f}" for value in values).replace("-", MINUS)
    d.text(x, y, f"{before}({text}, …)", size=12.5, color=color)


def language_model(tokens: Sequence[str]) -> Diagram:
    """Draw a decoder-only language model that reads a few tokens and predicts each from those before it.

    Parameters
    ----------
    tokens
        The sequence; each but the first is predicted above the place that reads the token before it.
    """
    pitch = 3.75 / (len(tokens) - 1)
    d, first = Diagram(5.3, NARROW), 1.72
    places = [first + pitch * (n + 0.5) for n in range(len(tokens) - 1)]
    middle, width = first + 3.75 / 2, 0.86 * pitch
    table = d.grid(0.55, 2.7, 8, 3, cell=0.2, color="orange")
    d.text(0.55, 3.7, "$E$", size=15)
    d.text(0.55, 1.58, "a row for\neach token", size=12)
    blocks = d.box(middle, 2.35, "causal blocks", width=3.7, height=0.62, color="blue")
    norm = d.box(middle, 3.08, "LayerNorm", width=3.7, height=0.42, color="purple")
    for n, (x, read, predicted) in enumerate(zip(places, tokens, tokens[1:]), start=1):
        below = d.box(x, 0.5, read, width=width, height=0.42, color="grey")
        row = d.box(x, 1.35, f"row\n+ $\\mathbf{{p}}_{n}$", width=width, height=0.66, color="orange", size=12)
        scores = d.box(x, 3.75, f"$E\\,\\mathbf{{z}}_{n}$", width=width, height=0.46, color="orange")
        loss = d.box(x, 4.43, f"$p_{n}$({predicted})", width=width, height=0.46, color="green", size=12.5)
        d.arrow(below, row, color="black")
        d.arrow(row.top, (x, blocks.bottom[1]), color="black")
        d.arrow((x, blocks.top[1]), (x, norm.bottom[1]), color="black")
        d.arrow((x, norm.top[1]), scores.bottom, color="black")
        d.arrow(scores, loss, color="black")
    d.arrow((table.x, 1.27), (places[0] - width / 2, 1.25), color="orange")
    d.arrow((table.x + 0.15, 3.74), (places[0] - width / 2, 3.76), color="orange")
    d.text(0.1, 0.5, "read", align="left")
    d.text(0.1, 4.43, "softmax", align="left")
    d.text(middle, 4.97, r"loss: the mean of $-\ln p_t$", size=13)
    return d
