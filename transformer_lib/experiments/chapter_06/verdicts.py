"""What chapter 6 finds: order and masks (C1), the scale (C13), one matrix for queries and keys (C11)."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]


def _gradient(label: str, number: str, k: int) -> Contrast:
    one, other = {"scaled": False}, {"scaled": True}
    return Contrast(label, "score-gradients", number, one, other, {"k": k}, unit="powers of ten")


def _steps(label: str, head: str) -> Contrast:
    one, other = {"head": head}, {"head": "scaled"}
    return Contrast(label, "score-scale", "steps to solve", one, other, {"k": 128}, "steps", grid="rate")


def _right(label: str, task: str) -> Contrast:
    one, other, shared = {"head": "tied"}, {"head": "separate, half width"}, {"task": task}
    return Contrast(
        label, "tied-recall", "4000.right", one, other, shared, "right", grid="rate", best="highest"
    )


def _language(steps: int) -> Contrast:
    one, other, label = {"tied": True}, {"tied": False}, f"language model, {steps:,} steps"
    return Contrast(
        label, "tied-language", "nats", one, other, {"steps": steps, "rate": 0.01}, "nats per token"
    )


VERDICTS = [
    Verdict(
        claim="C1",
        status="holds when",
        sentence="Blocks without positions are equivariant, unless a mask depends on the order: "
        "a causal stack of two layers is not.",
        proven="tests/library/transformer/test_block.py::test_permuting_the_inputs_permutes_the_outputs",
    ),
    Verdict(
        claim="C13",
        status="holds when",
        sentence="Without the scale the typical query of a very wide head gets hardly any gradient, "
        "though the mean does not fall; a wide head learns recall more slowly.",
        contrasts=[
            _gradient("median gradient, k = 1024", "log median", 1024),
            _gradient("mean gradient, k = 1024", "log mean", 1024),
            _steps("steps to learn recall, k = 128", "not scaled"),
            _steps("the same, from the scaled head's start", "not scaled, same start"),
        ],
        open="other tasks and optimizers, schedules of the rate",
    ),
    Verdict(
        claim="C11",
        status="holds when",
        sentence="A head learns nearly as well with one matrix for queries and keys, "
        "unless its task asks for a direction.",
        contrasts=[
            _right("recall on a ring: direction matters", "successor"),
            _right("recall where like asks for like", "match"),
            _language(4000),
            _language(8000),
        ],
        open="several heads and layers; widths above 48",
    ),
]
