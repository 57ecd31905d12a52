"""What chapter 2 found of claim C8: all conditionals against the last alone, and NADE against padding."""

from transformer_lib.experiments.chapter_02.marginals import FEW, N_TRAIN, STILL
from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

NAMES = {"nade": "lecture's NADE", "classic-wide": "classic NADE"}
RATE = {N_TRAIN: 0.01, FEW: 0.0025}
"""The rate of both arms where only what they learn differs."""


def all_against(part: str, kind: str, images: int) -> Contrast:
    """The nats of a part under a NADE that has learned all conditionals, against one that learned these."""
    return Contrast(
        f"{part}, {NAMES[kind]}, {images:,} images",
        "marginals",
        f"{part}.test",
        one={"learned": "whole"},
        other={"learned": part},
        shared={"kind": kind, "images": images, "steps": STILL, "rate": RATE[images]},
    )


def against_padding(kind: str, images: int) -> Contrast:
    """The nats of whole images under a NADE and under a padded network, each at its best rate."""
    return Contrast(
        f"against padding, {NAMES[kind]}, {images:,} images",
        "marginals",
        "whole.test",
        one={"kind": kind},
        other={"kind": "padded"},
        shared={"images": images, "learned": "whole", "steps": STILL},
        grid="rate",
        by="whole.valid",
    )


VERDICTS = [
    Verdict(
        claim="C8",
        status="fails",
        sentence=(
            "On these digits, learning all conditionals did not lower the loss of the last ones: the classic "
            "NADE changed by nothing that five seeds show, and the lecture's lost a little."
        ),
        contrasts=[
            *(
                all_against(part, kind, images)
                for part in ("lower half", "last row")
                for kind in NAMES
                for images in (N_TRAIN, FEW)
            ),
            *(against_padding(kind, images) for kind in NAMES for images in (N_TRAIN, FEW)),
        ],
        open="the data set, the optimizer, the widths, other orders of the pixels",
    ),
]
