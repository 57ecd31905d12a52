"""What chapter 13 finds of the sources' claims.

Of both records three seeds were looked at before two more were run, so the added seeds decide alone.
"""

from typing import Any

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

ADDED = (3, 4)
NATS = "nats per word"


def _cold(norm: str, peak: float, *seeds: int) -> Contrast:
    """A model that starts at the peak rate, against one with warm-up."""
    label = f"no warm-up, {norm}-norm, peak {peak}" + ", added seeds" * bool(seeds)
    one, other = {"is_warmed": False}, {"is_warmed": True}
    return Contrast(label, "warm-up", "nats", one, other, {"norm": norm, "rate": peak}, NATS, seeds=seeds)


def _sized(label: str, one: dict[str, Any], other: dict[str, Any], *seeds: int) -> Contrast:
    """A model of one size and dropout against another, both after 300 steps."""
    label += ", added seeds" * bool(seeds)
    is_joint = all(one[name] != other[name] for name in one)
    reason = "the paper's two models differ in both" if is_joint else ""
    return Contrast(
        label,
        "base-and-big",
        "300.nats",
        one,
        other,
        {"rate": 0.003},
        NATS,
        seeds=seeds,
        reason=reason,
    )


BIG = {"size": "big", "dropout": 0.3}
BASE = {"size": "base", "dropout": 0.1}
BIG_AS_BASE = {"size": "big", "dropout": 0.1}

VERDICTS = [
    Verdict(
        claim="C31",
        status="open",
        sentence=(
            "At the highest of three peak rates every post-norm model without warm-up was far worse, and at "
            "the lowest every one was better; the seeds that were added are too few to decide alone."
        ),
        contrasts=[
            _cold("post", 0.01, *ADDED),
            _cold("post", 0.01),
            _cold("post", 0.003),
            _cold("post", 0.001),
            _cold("pre", 0.01),
            _cold("pre", 0.003),
        ],
        open="longer training, larger models and real text; fresh seeds",
    ),
    Verdict(
        claim="C27",
        status="open",
        sentence=(
            "After a short training on few pairs the larger size had helped and the larger dropout had hurt, "
            "and hurt more; no model had stopped improving, and the added seeds cannot decide about the two "
            "together."
        ),
        contrasts=[
            _sized("big, 0.3, against base, 0.1", BIG, BASE, *ADDED),
            _sized("big, 0.3, against base, 0.1", BIG, BASE),
            _sized("size alone", BIG_AS_BASE, BASE, *ADDED),
            _sized("size alone", BIG_AS_BASE, BASE),
            _sized("dropout alone", BIG, BIG_AS_BASE),
        ],
        open="training until nothing improves, other rates, more pairs, fresh seeds; sizes like the paper's",
    ),
]
