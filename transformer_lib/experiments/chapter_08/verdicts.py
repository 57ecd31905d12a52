"""What chapter 8 finds of the sources' claims."""

import math
from typing import Any

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

UNMASKED, MASKED = ({"mask": mask, "rate": 0.003} for mask in ("none", "causal"))
COIN = round(64 * math.log(2), 2)
"""What a fair coin for each pixel of an image costs, in nats."""


def _unmasked(label: str, number: str, **other: Any) -> Contrast:
    """A Transformer of the digits without its mask, against something else."""
    one, unit = UNMASKED, "nats per image"
    return Contrast(f"digits, answers {label}", "peeking", number, one, unit=unit, **other)


VERDICTS = [
    Verdict(
        claim="C38",
        status="holds",
        sentence=(
            "A causal network's row t is a function of its first t inputs: the LSTM by its recursion, "
            "attention by its mask. On digits, an unmasked Transformer reads the answers, "
            "and is worse than a coin when they are hidden."
        ),
        contrasts=[
            _unmasked("not in sight: no mask against causal", "300.unseen", other=MASKED),
            _unmasked("not in sight: no mask against a fair coin", "300.unseen", against=COIN),
            _unmasked("in sight: no mask against causal", "300.seen", other=MASKED),
        ],
        proven=(
            "tests/library/test_sequence_contract.py::"
            "test_a_later_token_cannot_change_an_earlier_conditional_and_each_token_changes_later_ones"
        ),
        open="the size of the model; other data than digits and stories",
    ),
    Verdict(
        claim="C22",
        status="holds when",
        sentence=(
            "Copies with zeros equal the causal mask for one block whose zeros are kept out of the softmax; "
            "as printed, each zero adds 1 to the denominator. "
            "Two blocks differ unless a causal mask is added."
        ),
        proven=(
            "tests/library/equations/test_proofs_copies.py::"
            "test_one_block_on_copies_whose_zeros_leave_the_softmax_is_the_causal_block"
        ),
        open="what models trained on copies learn",
    ),
]
