"""Question 09.6: A quadrillion tokens later."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

STREAMS = [
    (2, 3, 4, 6),
    (1, 4, 2, 4),
    (3, 1, 5, 2),
    (2, 4, 4, 4),
    (1, 1, 1, 6),
    (2, 3, 4, 6),
    (1, 2, 120, 2),
    (1, 120, 2, 2),
    (1, 3, 2, 110),
]


def streams(first, last):
    def draw(rng):
        for batch, queries, keys, d in STREAMS:
            start = int(rng.integers(first, last))
            yield {
                "query": normal(rng, batch, queries, d),
                "key": normal(rng, batch, keys, d),
                "query_positions": torch.from_numpy(start + rng.integers(0, 900, queries)),
                "key_positions": torch.from_numpy(start + rng.integers(0, 900, keys)),
                "upstream": normal(rng, batch, queries, keys),
            }

    return draw


def far_streams(rng):
    """Positions far out; the last ones lie on both sides of a number that some remainder is taken by."""
    yield from streams(10**15, 3 * 10**15)(rng)
    rounds = [10**12 * int(rng.integers(1000, 3000)), 2**40 * int(rng.integers(1000, 3000))]
    wholes = (62_831, 62_832, 86_400, 1_000_003, 2**31 - 1)  # 62,832 is about the slowest wave's length
    rounds += [whole * int(rng.integers(10**15 // whole, 3 * 10**15 // whole)) for whole in wholes]
    for middle, (batch, queries, keys, d) in zip(rounds, STREAMS * 2):
        yield {
            "query": normal(rng, batch, queries, d),
            "key": normal(rng, batch, keys, d),
            "query_positions": torch.from_numpy(middle - rng.integers(1, 450, queries)),
            "key_positions": torch.from_numpy(middle + rng.integers(0, 450, keys)),
            "upstream": normal(rng, batch, queries, keys),
        }


def streams_with_bases(rng):
    for case in streams(0, 10**6)(rng):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


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
    parts=[
        Part(
            "near",
            3,
            "the scores at positions below a thousand",
            call_far,
            inputs=streams(0, 100),
            rtol=1e-4,
            atol=1e-3,
            hints=(
                "Turn the queries by their positions and the keys by theirs, and multiply.",
                "Your rotate wants four dimensions: batch, heads, time, d_head.",
                "If you move the origin, move it for queries and keys alike.",
            ),
        ),
        Part(
            "far",
            3,
            "the same at positions up to 4e15",
            call_far,
            inputs=far_streams,
            rtol=1e-4,
            atol=1e-3,
            hints=(
                "How far apart are two neighboring float32 numbers at 1e15? And what does an error of "
                "0.1 in an angle do?",
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
                "If `near` is lost too, mend that first.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients come back to query and key",
            call_far_gradients,
            inputs=streams(0, 10**6),
            rtol=1e-4,
            atol=1e-3,
            hints=(
                "If `near` is lost too, mend that first.",
                "Does your 09.3 pass its part `gradients`?",
            ),
        ),
    ],
)
