"""What chapter 8 finds of the sources' claims."""

import math

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

UNMASKED, MASKED = {"mask": "none"}, {"mask": "causal"}
NATS = "nats per image"

VERDICTS = [
    Verdict(
        claim="C38",
        status="holds",
        sentence=(
            "A causal network's row t is a function of its first t inputs: the LSTM by its recursion, "
            "attention by its mask. Without it a Transformer reads the answers, "
            "and is worse than a coin without them."
        ),
        contrasts=[
            Contrast(
                "digits, answers not in sight: no mask against causal",
                "peeking",
                "300.unseen",
                one=UNMASKED,
                other=MASKED,
                shared={"rate": 0.003},
                unit=NATS,
            ),
            Contrast(
                "digits, answers not in sight: no mask against a fair coin for each pixel",
                "peeking",
                "300.unseen",
                one=UNMASKED | {"rate": 0.003},
                against=round(64 * math.log(2), 2),
                unit=NATS,
            ),
            Contrast(
                "digits, answers in sight: no mask against causal",
                "peeking",
                "300.seen",
                one=UNMASKED,
                other=MASKED,
                shared={"rate": 0.003},
                unit=NATS,
            ),
        ],
        proven=(
            "tests/library/equations/test_tx.py::"
            "test_causal_attention_of_a_prefix_is_the_prefix_of_causal_attention"
        ),
        open="the size of the model; other data than digits and stories",
    ),
    Verdict(
        claim="C22",
        status="holds when",
        sentence=(
            "Copies with zeros equal the causal mask for one block whose zeros are kept out of the softmax; "
            "as printed, each zero adds 1 to the denominator, and two blocks differ in any case."
        ),
        proven=(
            "tests/library/equations/test_proofs_copies.py::"
            "test_one_block_on_copies_whose_zeros_leave_the_softmax_is_the_causal_block"
        ),
        open="what models trained on copies learn",
    ),
]
