"""Question 09.3: Turn queries and keys."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

from ..inputs import places

HEADS = [
    (2, 3, 4, 6),
    (1, 2, 5, 4),
    (3, 1, 2, 8),
    (2, 4, 1, 6),
    (2, 2, 4, 4),
    (1, 1, 3, 2),
    (2, 3, 4, 6),
    (1, 1, 130, 2),
    (1, 1, 3, 120),
]


def vectors_to_turn(rng):
    for batch, heads, time, d in HEADS:
        yield {
            "x": normal(rng, batch, heads, time, d),
            "positions": places(rng, time),
            "upstream": normal(rng, batch, heads, time, d),
        }


def vectors_with_bases(rng):
    for case in vectors_to_turn(rng):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


def pairs_of_vectors(rng):
    """A query and a key at eight positions each, none of them 0."""
    for d in (4, 6, 10):
        positions = torch.arange(8.0) + float(rng.integers(1, 40))
        yield {"q": normal(rng, d), "k": normal(rng, d), "positions": positions}


def call_rotate(student, inputs):
    base = (inputs["base"],) if "base" in inputs else ()
    return {"turned": student.rotate(inputs["x"], inputs["positions"], *base)}


def call_distances(student, inputs):
    """Rows of a query and a key repeated: what their scores have in common on each diagonal."""
    n, turned = len(inputs["positions"]), []
    for name in ("q", "k"):
        rows = inputs[name].repeat(1, 1, n, 1)
        turned.append(torch.as_tensor(student.rotate(rows, inputs["positions"].clone()))[0, 0].double())
    scores = turned[0] @ turned[1].T
    spread = [scores.diagonal(m).max() - scores.diagonal(m).min() for m in range(2 - n, n - 1)]
    return {
        "spread of the scores at each distance": torch.stack(spread),
        "lengths of the turned queries": turned[0].norm(dim=-1),
        "positions at which the query has moved": (turned[0] - inputs["q"]).norm(dim=-1) > 1e-3,
    }


def call_turned_gradients(student, inputs):
    x = inputs["x"].clone().requires_grad_()
    (student.rotate(x, inputs["positions"]) * inputs["upstream"]).sum().backward()
    return {"gradient of x": torch.zeros_like(x) if x.grad is None else x.grad}


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    y = torch.zeros_like(x, dtype=torch.float64)
    for j in range(d // 2):
        angle = positions.double() * base ** (-2 * j / d)
        a, b = x[..., 2 * j].double(), x[..., 2 * j + 1].double()
        y[..., 2 * j] = a * angle.cos() - b * angle.sin()
        y[..., 2 * j + 1] = a * angle.sin() + b * angle.cos()
    return y


QUESTION = Question(
    id="09.3",
    title="Turn queries and keys",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"rotate": rotate},
    parts=[
        Part(
            "distances",
            1,
            "lengths stay, vectors move, and scores depend on the distance alone",
            call_distances,
            inputs=pairs_of_vectors,
            rtol=1e-3,
            atol=2e-3,
            hints=(
                "A rotation of two numbers keeps the sum of their squares. Does yours?",
                "Query and key are turned in the same sense, so that the angles subtract in the score.",
                "Is the angle proportional to the position, with nothing added that grows?",
            ),
        ),
        Part(
            "values",
            2,
            "features 2j and 2j + 1 turned by their own angle",
            call_rotate,
            inputs=vectors_to_turn,
            rtol=1e-4,
            atol=2e-4,
            hints=(
                "Turn (1, 0) and (0, 1) at position 1 with d_head = 2 by hand, and compare.",
                "Which two features make a pair, and where does each result go?",
                "In the rate, the exponent divides by d_head. There are half as many rates as features.",
            ),
        ),
        Part(
            "bases",
            1,
            "another base",
            call_rotate,
            inputs=vectors_with_bases,
            rtol=1e-4,
            atol=2e-4,
            hints=(
                "If `values` is lost too, mend that first.",
                "Does the number 10000 still stand in your function?",
            ),
        ),
        Part(
            "gradients",
            2,
            "gradients come back to x",
            call_turned_gradients,
            inputs=vectors_to_turn,
            rtol=1e-4,
            atol=2e-4,
            hints=(
                "If `values` is lost too, mend that first: a gradient is turned back by the same angle.",
                "Is the result computed from x with operations of PyTorch, without detach, numpy or no_grad?",
            ),
        ),
    ],
)
