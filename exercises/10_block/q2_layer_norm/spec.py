"""Question 10.2: LayerNorm."""

import itertools

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import FUSED, far_off, layer_norm, ordinary, shapes, with_epsilon


def offset(rng):
    """A mean thousands of times as large as the deviation, in steps that float32 holds; no two are equal."""
    for shape in shapes(rng, 2):
        yield {"z": far_off(rng, *shape), "gain": 1.0 + normal(rng, shape[2]), "bias": normal(rng, shape[2])}


def ordinary_and_turned(rng):
    """The last features are a view, whose numbers do not lie in order."""
    yield from ordinary(rng)
    yield {**next(ordinary(rng)), "turned": True}


def tiny(rng):
    """Deviations around the root of epsilon and far below, and features that are all equal."""
    for (batch, time, d), scale in zip(shapes(rng), (3e-3, 1e-3, 1e-4, 3e-3, 1e-5, 2e-3)):
        yield {
            "z": scale * normal(rng, batch, time, d),
            "gain": 1.0 + normal(rng, d),
            "bias": normal(rng, d),
        }
    for batch, time, d in list(shapes(rng))[1:5]:
        yield {
            "z": (4 * normal(rng, batch, time, 1)).round().expand(batch, time, d).clone(),
            "gain": 1.0 + normal(rng, d),
            "bias": normal(rng, d),
        }


def sent_back(rng):
    for case in itertools.chain(ordinary(rng), itertools.islice(with_epsilon(rng), 1, 4), tiny(rng)):
        yield {**case, "upstream": normal(rng, *case["z"].shape)}


def call_norm(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    z = inputs["z"].mT.contiguous().mT if "turned" in inputs else inputs["z"]
    return {"output": student.layer_norm(z, inputs["gain"], inputs["bias"], *eps)}


def call_norm_backward(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "gain", "bias")}
    output = student.layer_norm(leaves["z"], leaves["gain"], leaves["bias"], *eps)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


QUESTION = Question(
    id="10.2",
    title="LayerNorm",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"layer_norm": layer_norm},
    forbids=FUSED,
    parts=[
        Part(
            "values",
            1,
            "features of ordinary size",
            call_norm,
            inputs=ordinary_and_turned,
            hints=(
                "Take one position with two features and compute it by hand.",
                "Over which dimension are mean and variance taken, and what keeps it for the subtraction?",
                "The variance divides by the number of features, and gain and bias come last.",
                "The last z is a view, on which `view` may fail where `reshape` does not.",
            ),
        ),
        Part(
            "epsilon",
            1,
            "another epsilon than the default",
            call_norm,
            inputs=with_epsilon,
            hints=(
                "Does your function use `eps`, and where in the formula does it stand?",
                "The epsilon is added to the variance, before the root.",
            ),
        ),
        Part(
            "tiny",
            1,
            "tiny deviations, and features that are all equal",
            call_norm,
            inputs=tiny,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "What does your function give if all features are equal, or there is one? It should be the "
                "bias.",
                "With a variance far below epsilon, the epsilon decides the size of the output.",
            ),
        ),
        Part(
            "offset",
            1,
            "a mean thousands of times as large as the deviation",
            call_norm,
            inputs=offset,
            rtol=2e-3,
            atol=2e-3,
            hints=(
                "The inputs are exact in float32. Which intermediate result is not?",
                "The difference of two large squares loses its digits.",
                "Subtract the mean first, and square what is left.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for the features, the gain and the bias",
            call_norm_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Are all three gradients there, and numbers? Look at features that are all equal, too.",
                "Does something cut the gradient off: detach, no_grad, item, NumPy?",
                "Mean and deviation depend on the features, and their gradients count. The root of 0 has an "
                "infinite slope.",
            ),
        ),
    ],
    clauses={
        "Features may all be equal": ("gradients", "root_squared"),
        "the mean may be thousands of times": ("offset", "squares"),
    },
)
