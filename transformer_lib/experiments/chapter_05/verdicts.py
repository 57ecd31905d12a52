"""What chapter 5 finds of the sources' claims."""

from typing import Any

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

RIGHT, TIMES = "of the translations", "times"
WITH, WITHOUT = {"variant": "attention"}, {"variant": "no attention"}
LONGEST: dict[str, Any] = {
    "one": WITH | {"steps": 8000},
    "other": WITHOUT | {"steps": 32000},
    "unit": RIGHT,
    "grid": "rate",
    "best": "highest",
    "reason": "attention has stopped improving; the other side is given four times its training",
}

VERDICTS = [
    Verdict(
        claim="C20",
        status="holds when",
        sentence=(
            "With attention a narrow state learns six digits; without it, two of three networks had not, "
            "after four times the training. A wide state without attention catches up."
        ),
        contrasts=[
            Contrast(
                "six digits, width 16: attention or none, both after 8,000 steps",
                "bottleneck",
                "6 digits",
                one=WITH,
                other=WITHOUT,
                shared={"d_model": 16, "steps": 8000},
                unit=RIGHT,
            ),
            Contrast(
                "six digits, width 16: attention after 8,000 steps, none after 32,000",
                "bottleneck",
                "6 digits",
                shared={"d_model": 16},
                **LONGEST,
            ),
            Contrast(
                "four digits, width 16: the same",
                "bottleneck",
                "4 digits",
                shared={"d_model": 16},
                **LONGEST,
            ),
            Contrast(
                "six digits, width 64: attention or none, both after 2,000 steps",
                "bottleneck",
                "6 digits",
                one=WITH,
                other=WITHOUT,
                shared={"d_model": 64, "steps": 2000},
                unit=RIGHT,
            ),
            Contrast(
                "six digits, width 64: attention after 8,000 steps, none after 32,000",
                "bottleneck",
                "6 digits",
                shared={"d_model": 64},
                **LONGEST,
            ),
        ],
        open="plain RNNs; several layers; reversed sources; texts longer than 65 letters",
    ),
    Verdict(
        claim="C21",
        status="holds when",
        sentence="With K = V = h it is the same formula, as long as the scores are not scaled.",
        proven=(
            "tests/library/recurrent/test_alignment.py::"
            "test_with_k_and_v_the_states_it_is_self_attention_s_formula_but_only_unscaled"
        ),
    ),
    Verdict(
        claim="C14",
        status="holds",
        sentence=(
            "With the same matrix products, the additive score keeps k numbers for each pair where the dot "
            "product keeps one, and takes many times as long."
        ),
        contrasts=[
            *(
                Contrast(
                    f"{number}, additive over dot product, k = {k}",
                    "score-costs",
                    number,
                    one={"k": k},
                    against=1.0,
                    unit=TIMES,
                )
                for number, k in (("time", 64), ("memory", 64), ("time", 16), ("time", 256))
            ),
            Contrast(
                "six digits right after 500 steps: additive or dot product, each at its best rate",
                "scorings",
                "500.6 digits",
                one={"score": "additive"},
                other={"score": "dot"},
                unit=RIGHT,
                grid="rate",
                best="highest",
            ),
        ],
        open="graphics processors; fused kernels; what widths above 64 learn",
    ),
]
