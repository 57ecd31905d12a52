"""Question 07.3: Heads that can be silenced."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, in_double


def heads_of(rng, batch, time, d_model, heads, d_head, d_value):
    return {
        "x": normal(rng, batch, time, d_model),
        "W_q": normal(rng, d_model, heads * d_head) * 1.5 * d_model**-0.5,
        "W_k": normal(rng, d_model, heads * d_head) * 1.5 * d_model**-0.5,
        "W_v": normal(rng, d_model, heads * d_value) * d_model**-0.5,
        "W_o": normal(rng, heads * d_value, d_model) * (heads * d_value) ** -0.5,
        "n_heads": heads,
    }


AXES = {"batch": 3, "time": 4, "d_model": 6, "d_head": 5, "d_value": 5}


def one_head(rng):
    for batch, time, d_model, d_head, d_value in sizes(rng, **AXES):
        yield heads_of(rng, batch, time, d_model, 1, d_head, d_value)


def several_heads(rng):
    """Up to seven heads, and one head among others; a text of more than a hundred objects."""
    for batch, time, d_model, d_head, d_value, heads in sizes(
        rng, **AXES, heads=6, far={"time": 105, "heads": 5}
    ):
        yield heads_of(rng, batch, time, d_model, heads, d_head, d_value)


def with_gates(rng, cases):
    for case in cases:
        gate = torch.from_numpy(rng.uniform(0.3, 2.5, case["n_heads"])).float()
        if case["n_heads"] > 1:
            gate[-1] = 0.0
        yield {**case, "gate": gate}


def gated_heads(rng):
    """Gates of zeros, tiny ones and huge ones too, with matrices that make scores and outputs ordinary."""
    yield from with_gates(rng, several_heads(rng))
    yield {**heads_of(rng, 2, 3, 4, 2, 3, 2), "gate": torch.zeros(2)}
    for unit, of_gate in ((1e-3, 1e-3), (1e3, 30.0)):
        case = heads_of(rng, *(int(n) for n in rng.integers(2, 6, 6)))
        case |= {"W_q": case["W_q"] * unit, "W_k": case["W_k"] / unit, "W_o": case["W_o"] / of_gate}
        yield {**case, "gate": torch.from_numpy(of_gate * rng.uniform(0.3, 2.5, case["n_heads"])).float()}
    for unit in (1e-3, 30.0):
        case = heads_of(rng, *(int(n) for n in rng.integers(2, 6, 6)))
        case |= {name: case[name] / unit for name in ("W_q", "W_k", "W_v")} | {"x": case["x"] * unit}
        yield {**case, "gate": torch.from_numpy(rng.uniform(0.3, 2.5, case["n_heads"])).float()}


def far_scores(rng):
    """Rows whose scores are all near 1500, or all near -1500, and differ by a few."""
    for batch in (2, 1):
        time, d_model, d_head = (int(rng.integers(low, high)) for low, high in ((4, 7), (5, 7), (2, 5)))
        for gated in (False, True):
            heads, d_value = int(rng.integers(2, 4)), d_head + (1 if batch == 2 else -1)
            case = heads_of(rng, batch, time, d_model, heads, d_head, d_value)
            side = torch.from_numpy(np.resize([1.0, -1.0], time)).float()
            case["x"][..., 0], case["x"][..., 1] = side, 1.0
            for name in ("W_q", "W_k"):
                case[name][:2] = 0.0
                case[name][2:, ::d_head] = 0.0
            case["W_q"][0, ::d_head] = 1500.0 * d_head**0.5
            case["W_k"][1, ::d_head] = 1.0
            if gated:
                case["gate"] = torch.from_numpy(rng.uniform(0.3, 2.5, heads)).float()
            yield in_double(case)


def gated_and_not(rng):
    """Ordinary scores without and with gates, gates of ones, scores in the thousands."""
    ungated = next(several_heads(rng))
    ones = heads_of(rng, 2, 3, 4, 3, 3, 2)
    cases = [ungated, {**ones, "gate": torch.ones(3)}]
    for case in (*cases, *with_gates(rng, several_heads(rng)), *far_scores(rng)):
        yield {**case, "upstream": normal(rng, *case["x"].shape).to(case["x"].dtype)}


def call_multi_head(student, inputs):
    names = ("x", "W_q", "W_k", "W_v", "W_o", "n_heads")
    gate = (inputs["gate"],) if "gate" in inputs else ()
    return {"output": student.multi_head(*(inputs[name] for name in names), *gate)}


def call_multi_head_backward(student, inputs):
    names = [name for name in ("x", "W_q", "W_k", "W_v", "W_o", "gate") if name in inputs]
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    given = [leaves[name] for name in ("x", "W_q", "W_k", "W_v", "W_o")]
    gate = (leaves["gate"],) if "gate" in leaves else ()
    output = student.multi_head(*given, inputs["n_heads"], *gate)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    x, W_q, W_k, W_v, W_o = (z.double() for z in (x, W_q, W_k, W_v, W_o))
    total = 0.0
    for h in range(n_heads):
        q, k, v = (x @ W.chunk(n_heads, 1)[h] for W in (W_q, W_k, W_v))
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[2]), -1)
        message = weights @ v @ W_o.chunk(n_heads, 0)[h]
        total = total + (message if gate is None else gate[h].double() * message)
    return total


QUESTION = Question(
    id="07.3",
    title="Heads that can be silenced",
    kind="implement",
    difficulty=3,
    minutes=30,
    reference={"multi_head": multi_head},
    needs=("07.1",),
    forbids=FUSED,
    clauses={
        "Your functions of 07.1": "an advice",
        "With $g_h = 1$ nothing changes": ("gradients", "gate_of_ones"),
        "with $g_h = 0$ the head is silent": "gate and gradients have gates of zero",
        "so it must exist": ("gradients", "gate_fixed"),
        "Heads may have another width": "the widths are drawn: `scale_value` loses every part",
        "a whole number": "one head has a part of its own; the others have up to seven",
        "or None for ones": "every part has calls without a gate, but for gate itself",
    },
    parts=[
        Part(
            "one head",
            1,
            "with one head it is attention with four matrices",
            call_multi_head,
            inputs=one_head,
            hints=(
                (
                    "With one head nothing is split: write attention with the four matrices line by line. "
                    "Which widths do queries and values have, which of them is in the scale, and which "
                    "tokens may a token see?"
                ),
                "The scale is that of the width of a query, which is neither d_model nor the width of a "
                "value.",
            ),
        ),
        Part(
            "several heads",
            3,
            "each head has its own columns, its own softmax and its own rows of W_o",
            call_multi_head,
            inputs=several_heads,
            hints=(
                (
                    "With one head it works? Then look at what is cut where, and put together again how, "
                    "with a softmax for each head. Are all parts of 07.1 won?"
                ),
                "Scores have the shape (batch, heads, time, time). Which of the two times counts keys?",
                "The width under the root is that of one head, not of all of them together.",
            ),
        ),
        Part(
            "gate",
            2,
            "the gate multiplies what each head has found",
            call_multi_head,
            inputs=gated_heads,
            hints=(
                (
                    "By which number should the result of each head be multiplied in the case that is "
                    "named, and by which is it? Try gates of 2, -1 and 0."
                ),
                "The gate has one number for each head. Along which dimension of (batch, heads, time, "
                "width) must it stand?",
                "It acts after the softmax and before the join. Inside the softmax it changes where a "
                "head looks.",
            ),
        ),
        Part(
            "large scores",
            1,
            "rows of scores near 1,500 and near -1,500",
            call_multi_head,
            inputs=far_scores,
            hints=(
                (
                    "Print one row of scores of the case that is named before and after each step of the "
                    "softmax. Do their differences stay as they are, and do the exponentials stay "
                    "numbers?"
                ),
                "Subtracting one number from all scores of a row does not change its softmax. Every row "
                "needs a number of its own.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients of x, all matrices and the gate",
            call_multi_head_backward,
            inputs=gated_and_not,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (output * upstream).sum() with random upstream. Which of the gradients "
                "are None, "
                "zero or NaN: those of x, of a matrix, of the gate?",
                "A gate that is turned into Python numbers, or tested for zero, has no gradient.",
            ),
        ),
    ],
)
