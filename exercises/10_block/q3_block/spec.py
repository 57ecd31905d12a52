"""Question 10.3: The block."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, far_off, layer_norm


def a_block(rng, batch, time, d, m, size=2.0, last=1.0, more=0.0):
    """``write`` times ``read`` is what `attend` multiplies a sequence's objects by, ``turn`` the features."""
    return {
        "x": size * normal(rng, batch, time, d) + (0.5 if size > 1 else 0.0),
        "write": normal(rng, batch, time, 3),
        "read": normal(rng, 3, time) / (3 * time) ** 0.5,
        "turn": normal(rng, d, d) / d**0.5,
        "W_1": normal(rng, d, m),
        "b_1": normal(rng, m),
        "W_2": normal(rng, m, d) / m**0.5,
        "b_2": normal(rng, d),
        "gain_1": 1.5 + normal(rng, d).abs(),
        "bias_1": normal(rng, d),
        "gain_2": last * (0.5 + normal(rng, d).abs()) + more,
        "bias_2": last * normal(rng, d) + more,
    }


def blocks(rng):
    """One feature, or four and more: of two or three some are nearly equal: a norm magnifies rounding.

    The second norm's parameters are tiny in one case and large in one. Where all sizes are equal, the objects
    are as small as the root of the norm's epsilon.
    """
    shapes = list(sizes(rng, batch=5, time=5, d=(4, 7), m=7))
    scales = ({}, {"size": 20.0}, {"last": 1e-3}, {"more": 12.0}, {}, {}, {"size": 3e-3})
    for shape, scale in zip(shapes, scales, strict=True):
        yield a_block(rng, *shape, **scale)
    for shape in (
        (2, 3, 1, 5),
        (1, int(rng.integers(101, 113)), 4, 3),
        (2, 2, 4, int(rng.integers(101, 121))),
    ):
        yield a_block(rng, *shape)


def with_identity(rng):
    """In the last case `attend` hands back the very tensor that it was given."""
    yield from blocks(rng)
    yield {**a_block(rng, 2, 3, 5, 4), "hands_back": True}


def far_from_zero(rng):
    """The last case has a mean that is thousands of times as large as the deviation."""
    yield from with_identity(rng)
    # of four features, whose mean float32 holds exactly
    yield {**a_block(rng, 1, 4, 4, 4), "x": far_off(rng, 1, 4, 4), "hands_back": True}


def both_blocks(rng):
    """Each in one form or the other, and some in both."""
    for number, case in enumerate(blocks(rng)):
        for pre in (False, True):
            if number in (0, 6, 8) or number % 2 == pre:
                yield {**case, "pre": pre, "upstream": normal(rng, *case["x"].shape)}


def call_post(student, inputs):
    # a dictionary's order is no promise
    names = ("bias_2", "gain_2", "b_2", "W_2", "bias_1", "gain_1", "b_1", "W_1")
    parameters = {name: inputs[name] for name in names}

    def attend(x):
        if "hands_back" in inputs:
            return x
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        return write @ (read @ x) @ turn

    return {"z": student.block(inputs["x"], attend, parameters)}


def call_pre(student, inputs):
    names = ("gain_2", "gain_1", "bias_2", "bias_1", "b_2", "b_1", "W_2", "W_1")
    parameters, found = {name: inputs[name] for name in names}, []

    def attend(x):
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        output = x if "hands_back" in inputs else write @ (read @ x) @ turn
        found.append((output, output.clone()))
        return output

    z = student.block(inputs["x"], attend, parameters, True)
    return {"z": z, "attend's output is as it was": all(torch.equal(now, then) for now, then in found)}


def call_block_backward(student, inputs):
    names = ("W_1", "b_1", "W_2", "b_2", "gain_1", "bias_1", "gain_2", "bias_2")
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", *names)}

    def attend(x):
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        return write @ (read @ x) @ turn

    parameters = {name: leaves[name] for name in names}
    output = student.block(leaves["x"], attend, parameters, inputs["pre"])
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    gradients = {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}
    return {**gradients, "parameters afterwards": sorted(parameters)}


def block(x, attend, parameters, pre=False):
    p = {name: value.double() for name, value in parameters.items()}
    x = x.double()

    def found(y):
        return attend(y.to(parameters["W_1"].dtype)).double()

    def network(y):
        return (y @ p["W_1"] + p["b_1"]).clamp(min=0.0) @ p["W_2"] + p["b_2"]

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    if pre:
        u = x + found(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + found(x), 1)
    return norm(u + network(u), 2)


QUESTION = Question(
    id="10.3",
    title="The block",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"block": block},
    needs=("10.2",),
    forbids=FUSED,
    parts=[
        Part(
            "post",
            3,
            "the post-norm block",
            call_post,
            inputs=far_from_zero,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Write down the shapes of x, attend(x), u and the network's inner values.",
                "What is normalized first: the sum, or what attention found?",
                "The second residual line starts from u, not from x, and has its own gain and bias.",
            ),
        ),
        Part(
            "pre",
            2,
            "the pre-norm block",
            call_pre,
            inputs=with_identity,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Which vectors does attend read, and which are added to what it finds?",
                "The residual line itself is never normalized.",
                "Nothing is normalized behind the last sum.",
                "What attend hands back is a tensor that you are given: add to it, but not in place.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for the inputs and all parameters, in both forms",
            call_block_backward,
            inputs=both_blocks,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Does each parameter, and x, get a gradient in both forms?",
                "Both paths carry a gradient, the line and the branch.",
                "Does something cut the gradient off: detach, no_grad, .data?",
            ),
        ),
    ],
    clauses={
        "Build a whole block": "a permission, and what is asked for",
        "a function of a tensor": ("pre", "inplace_on_attended_pre"),
    },
)
