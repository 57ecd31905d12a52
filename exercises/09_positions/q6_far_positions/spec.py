"""Question 09.6: A quadrillion tokens later."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

from ..inputs import even_sizes

END = 4 * 10**15


def stream(rng, shape, query_positions, key_positions):
    batch, queries, keys, d = shape
    return {
        "query": normal(rng, batch, queries, d),
        "key": normal(rng, batch, keys, d),
        "query_positions": torch.as_tensor(query_positions, dtype=torch.int64),
        "key_positions": torch.as_tensor(key_positions, dtype=torch.int64),
        "upstream": normal(rng, batch, queries, keys),
    }


def streams(rng, first, last, far):
    """Positions in any order, at most 450 apart."""
    for shape in even_sizes(rng, far, batch=3, queries=4, keys=5):
        start = int(rng.integers(first, last))
        yield stream(rng, shape, *(start + rng.integers(0, 450, n) for n in shape[1:3]))


def near_streams(rng):
    """At last tiny queries with large keys, and large queries with tiny keys."""
    yield from streams(rng, 0, 100, {"queries": 110, "keys": 110, "half": 52})
    for case, size in zip(streams(rng, 0, 100, {}), (1e-3, 30.0)):
        yield case | {"query": size * case["query"], "key": 0.03 / size * case["key"]}


def far_streams(rng):
    """Positions far out, some around a number that a remainder is taken by, nearer ones, and the limits."""
    yield from streams(rng, 10**15, 3 * 10**15, {})
    rounds = [10**12 * int(rng.integers(1000, 3000)), 2**40 * int(rng.integers(1000, 3000))]
    wholes = (62_831, 62_832, 86_400, 1_000_003, 2**31 - 1)  # 62,832 is about the slowest wave's length
    rounds += [whole * int(rng.integers(10**15 // whole, 3 * 10**15 // whole)) for whole in wholes]
    for middle, shape in zip(rounds, list(even_sizes(rng, {}, batch=2, queries=3, keys=4)) * 2):
        yield stream(
            rng, shape, middle - rng.integers(1, 225, shape[1]), middle + rng.integers(0, 225, shape[2])
        )
    below = (2**31, 2**15 * (2 * int(rng.integers(1, 1000)) + 1))  # where int32 and int16 wrap around
    below += (2 * int(rng.integers(10**7, 4 * 10**7)), int(rng.integers(5 * 10**14, 9 * 10**14)))
    for middle in below:
        yield stream(
            rng, (2, 3, 4, 6), [middle - 1, middle - 7, middle - 224], middle + np.arange(0, 212, 53)
        )
    for start in (0, END - 999):
        yield stream(rng, (2, 3, 2, 4), [start + 999, start, start + 500], [start, start + 999])


def streams_with_bases(rng):
    for case in streams(rng, 0, 10**6, {}):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


def streams_with_gradients(rng):
    yield from streams(rng, 0, 10**6, {"queries": 33, "keys": 110})


def call_far(student, inputs):
    names = ("query", "key", "query_positions", "key_positions", "base")
    return {"scores": student.far_scores(*(inputs[name] for name in names if name in inputs))}


def call_far_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key")}
    scores = student.far_scores(*leaves.values(), inputs["query_positions"], inputs["key_positions"])
    (scores * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def far_scores(query, key, query_positions, key_positions, base=10000.0):
    d = query.shape[-1]
    distance = (query_positions[:, None] - key_positions).double()
    scores = torch.zeros(len(query), *distance.shape, dtype=torch.float64)
    for j in range(d // 2):
        a, b = (query[:, :, None, 2 * j + n].double() for n in (0, 1))
        e, f = (key[:, None, :, 2 * j + n].double() for n in (0, 1))
        angle = distance * base ** (-2 * j / d)
        scores = scores + (a * e + b * f) * angle.cos() + (a * f - b * e) * angle.sin()
    return scores


QUESTION = Question(
    id="09.6",
    title="A quadrillion tokens later",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={"far_scores": far_scores},
    needs=("09.3",),
    exempt={"d_head is 1": "the width of a head is even"},
    parts=[
        Part(
            "near",
            3,
            "the scores at positions below a thousand",
            call_far,
            inputs=near_streams,
            rtol=1e-4,
            atol=1e-3,
            hints=(
                (
                    "Take a query and a key of the case that is named. Turn each by its own position, "
                    "pair by pair, and multiply: where does your code do something else?"
                ),
                "Your rotate wants four dimensions: batch, heads, time, d_head.",
                "If you move the origin, move it for queries and keys alike.",
            ),
        ),
        Part(
            "far",
            3,
            "the same at positions up to 4e15, up to 999 apart",
            call_far,
            inputs=far_streams,
            rtol=1e-4,
            atol=3e-3,
            hints=(
                (
                    "Take a query and a key of the case that is named: what is the exact difference of "
                    "their positions, and which difference does your code turn by?"
                ),
                "Which position is called 0 is free. Choose one that makes all numbers small.",
                "Subtract while the positions are still whole numbers of type int64. A remainder is no "
                "difference: two neighbors may lie on both sides of a multiple.",
            ),
        ),
        Part(
            "bases",
            2,
            "another base",
            call_far,
            inputs=streams_with_bases,
            rtol=1e-4,
            atol=1e-3,
            hints=(
                "Is `base` handed on?",
                "Both the queries and the keys turn by angles that depend on the base.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients come back to query and key",
            call_far_gradients,
            inputs=streams_with_gradients,
            rtol=1e-4,
            atol=1e-3,
            hints=(
                "Does your 09.3 pass its part `gradients`, if you use it?",
                "Queries and keys both need a gradient, so neither may be detached or pass through NumPy.",
            ),
        ),
    ],
    clauses={
        "even a float64 angle is off": ("far", "float64"),
        "in float32 neighboring positions": ("far", "float32"),
        "type int64 from 0 to": ("far", "remainders"),
        "less than 1,000 apart": ("far", "short_table"),
        "use your `rotate` of 09.3": "a permission",
        "int64 tensor": "the form of a position",
    },
)
