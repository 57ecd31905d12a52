"""What chapter 15 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

DEEP, BASE = "L = 4, d = 24", "base"


def _shape(label: str, one: str, other: str) -> Contrast:
    """A shape or a start against another, each at the best of three peak rates and at equal operations."""
    return Contrast(label, "model-shapes", "nats", {"shape": one}, {"shape": other}, unit="nats per token")


VERDICTS = [
    Verdict(
        claim="C37",
        status="open",
        sentence=(
            "Two large starts raised the loss. Sizes moved it both ways, but together with the number of "
            "steps, and several best rates lie at an edge, so the general claim is open."
        ),
        contrasts=[
            _shape("start 1/root d, scaled, against 0.02, scaled", "start 1/root d, scaled", DEEP),
            _shape("start 0.5 against 0.02, neither scaled", "start 0.5", "start 0.02"),
            _shape("start 0.02 against 0.02, scaled", "start 0.02", DEEP),
            _shape("one head against four", "H = 1, k = 32", BASE),
            _shape("inner width 512 against 128", "m = 512", BASE),
            _shape("inner width 32 against 128", "m = 32", BASE),
        ],
        open="wider grids of learning rates; other budgets; batch size; deep models",
    ),
]
