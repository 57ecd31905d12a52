"""What chapter 2 found of claim C8: all conditionals against the last alone, and NADE against padding."""

from transformer_lib.experiments.chapter_02.marginals import N_TRAIN, STILL
from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

NAMES = {"nade": "lecture's NADE", "classic-wide": "classic NADE"}
RATE = 0.01
"""The rate of both arms where only what they learn differs."""


def all_against(part: str, kind: str) -> Contrast:
    """The nats of a part under a NADE that has learned all conditionals, against one that learned these."""
    return Contrast(
        f"{part}, {NAMES[kind]}",
        "marginals",
        f"{part}.test",
        one={"learned": "whole"},
        other={"learned": part},
        shared={"kind": kind, "images": N_TRAIN, "steps": STILL, "rate": RATE},
    )


def against_padding(kind: str) -> Contrast:
    """The nats of whole images under a NADE and under a padded network, each at its best rate."""
    return Contrast(
        f"against padding, {NAMES[kind]}",
        "marginals",
        "whole.test",
        one={"kind": kind},
        other={"kind": "padded"},
        shared={"images": N_TRAIN, "learned": "whole", "steps": STILL},
        grid="rate",
        by="whole.valid",
    )


VERDICTS = [
    Verdict(
        claim="C8",
        status="fails",
        sentence=(
            "On these digits, learning all conditionals did not lower the loss of the last ones: for the "
            "classic NADE five seeds show no difference; the lecture's lost a little on the last row."
        ),
        contrasts=[
            *(all_against(part, kind) for part in ("lower half", "last row") for kind in NAMES),
            *(against_padding(kind) for kind in NAMES),
        ],
        open="the data set, the optimizer, the widths, other orders of the pixels",
    ),
]
