"""What chapter 15 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

DEEP = "L = 4, d = 24"


def _shape(label: str, one: str, other: str) -> Contrast:
    """A start against another, each at the best of three peak rates and at equal operations."""
    return Contrast(label, "model-shapes", "nats", {"shape": one}, {"shape": other}, unit="nats per token")


VERDICTS = [
    Verdict(
        claim="C37",
        status="open",
        sentence=(
            "Two much larger starts raised the loss; no gain of GPT-2's division was measured in four "
            "blocks. Sizes moved it both ways, mostly together with the number of steps, and several best "
            "rates lie at an edge."
        ),
        contrasts=[
            _shape("start of deviation 1/√d against 0.02, both scaled", "start 1/root d, scaled", DEEP),
            _shape("start of 0.5 against 0.02, neither scaled", "start 0.5", "start 0.02"),
            _shape("start of 0.02, not scaled against scaled", "start 0.02", DEEP),
        ],
        open="wider grids of learning rates; other budgets; batch size; deep models",
    ),
]
