"""What chapter 3 finds on whether compressing the data helps an autoregressive model to scale."""

from typing import Any

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

ARMS: dict[str, Any] = {
    "experiment": "compression",
    "one": {"kind": "codes"},
    "other": {"kind": "pixels"},
    "grid": "rate",
    "by": "valid",
}


def _at(budget: int, number: str, label: str, unit: str) -> Contrast:
    """Codes minus pixels at a budget, each at its best rate."""
    return Contrast(
        f"{label}, {budget}\u00a0·\u00a010⁹", number=number, shared={"budget": budget}, unit=unit, **ARMS
    )


VERDICTS = [
    Verdict(
        claim="C33",
        status="open",
        sentence=(
            "On 8 × 8 digits, 16 codes gave better samples than 64 pixels at the two smaller budgets; at "
            "the largest the interval includes zero. Larger images were not tried, and several best "
            "learning rates lie at an edge."
        ),
        contrasts=[
            *(_at(budget, "distance", "distance of samples", "of distance") for budget in (32, 128, 512)),
            _at(512, "test.nats", "nats (codes: a bound)", "nats per image"),
        ],
        open="the size of the images; widths; the number of codes; the split of the budget",
    )
]
