"""A picture of a language model: one pass, a prediction at each place, and one table at both ends."""

from collections.abc import Sequence

from transformer_lib.plotting.diagram import Diagram

NARROW = 5.6


def language_model(tokens: Sequence[str], start: str = "start") -> Diagram:
    """Draw a decoder-only language model that reads a few tokens and predicts each from those before it.

    Parameters
    ----------
    tokens
        The sequence; each is predicted above the place that reads the token before it.
    """
    d, first, pitch = Diagram(6.0, NARROW), 1.72, 3.75 / len(tokens)
    places = [first + pitch * (n + 0.5) for n in range(len(tokens))]
    middle, width = first + 3.75 / 2, 0.86 * pitch
    table = d.grid(0.55, 3.05, 8, 3, cell=0.2, color="orange")
    d.text(0.55, 4.05, "$E$", size=15)
    d.text(0.55, 1.9, "a row for\neach token", size=12)
    blocks = d.box(middle, 2.62, "causal blocks", width=3.7, height=0.62, color="blue")
    norm = d.box(middle, 3.42, "LayerNorm", width=3.7, height=0.42, color="purple")
    for n, (x, read, predicted) in enumerate(zip(places, [start, *tokens[:-1]], tokens), start=1):
        below = d.box(x, 0.5, read, width=width, height=0.42, color="grey")
        row = d.box(x, 1.52, f"row\n+ $e_{n}$", width=width, height=0.66, color="orange", size=12)
        scores = d.box(x, 4.22, f"$E\\,\\mathbf{{z}}_{n}$", width=width, height=0.46, color="orange")
        loss = d.box(x, 5.05, f"$p_{n}$({predicted})", width=width, height=0.46, color="green", size=12.5)
        d.arrow(below, row, color="black")
        d.arrow(row.top, (x, blocks.bottom[1]), color="black")
        d.arrow((x, blocks.top[1]), (x, norm.bottom[1]), color="black")
        d.arrow((x, norm.top[1]), scores.bottom, color="black")
        d.arrow(scores, loss, color="black")
    d.arrow((table.x, 1.55), (places[0] - width / 2, 1.5), color="orange")
    d.arrow((table.x + 0.15, 4.12), (places[0] - width / 2, 4.22), color="orange")
    d.text(0.1, 0.5, "read", align="left")
    d.text(0.1, 5.05, "softmax", align="left")
    d.text(middle, 5.65, r"loss: the mean of $-\ln p_t$", size=13)
    return d
