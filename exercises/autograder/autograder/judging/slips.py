"""What a reported number may have become by a slip: what is said, and the changes that undo it."""

import math
from collections.abc import Callable, Iterator

LN2 = math.log(2)
SLIPS: tuple[tuple[str, tuple[Callable[[float], float], ...]], ...] = (
    ("its sign is wrong", (lambda x: -x,)),
    ("it is off by a factor of 2", (lambda x: 2 * x, lambda x: x / 2)),
    ("it is off by one", (lambda x: x + 1, lambda x: x - 1)),
    ("a logarithm or an exponential is missing or too many", (math.exp, math.log)),
    ("a root or a square is missing or too many", (math.sqrt, lambda x: x * x)),
    ("one over it is asked for", (lambda x: 1 / x,)),
    ("one minus it is asked for", (lambda x: 1 - x,)),
    ("it is in bits or nats, and the other is asked for", (lambda x: x * LN2, lambda x: x / LN2)),
    ("it is a share or a percentage, and the other is asked for", (lambda x: x / 100, lambda x: 100 * x)),
)
# slips that one number in a wide interval can tell
FAR = ("its sign is wrong", "it is a share or a percentage, and the other is asked for")


def undone(value: float) -> Iterator[tuple[str, float]]:
    """What the number would be without each of the slips, with what is said of the slip."""
    for told, changes in SLIPS:
        for change in changes:
            try:
                yield told, change(value)
            except (ArithmeticError, ValueError):
                continue
