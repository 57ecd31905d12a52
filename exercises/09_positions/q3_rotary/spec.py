"""Question 09.3: Turn queries and keys."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import CLOSEST, FARTHEST, even_sizes, odd_places, places


def vectors(rng, places, far):
    for batch, heads, time, d in even_sizes(rng, far, batch=3, heads=4, time=5):
        yield {
            "x": normal(rng, batch, heads, time, d),
            "positions": places(rng, time),
            "upstream": normal(rng, batch, heads, time, d),
        }


def vectors_to_turn(rng):
    """The last vectors are tiny."""
    yield from vectors(rng, places, {"time": 110, "half": 52})
    yield {"x": normal(rng, 2, 3, 4, 6, scale=1e-3), "positions": places(rng, 4)}


def vectors_anywhere(rng):
    """At last positions of every size: large vectors show the smallest."""
    yield from vectors(rng, odd_places, {})
    for positions, size in ((FARTHEST, 1.0), (CLOSEST, 30.0)):
        x = normal(rng, 2, 1, len(positions), 4, scale=size)
        yield {"x": x, "positions": positions.clone()}


def vectors_with_bases(rng):
    for case in vectors(rng, places, {}):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


def vectors_with_gradients(rng):
    yield from vectors(rng, places, {"heads": 33, "time": 110})


def pairs_of_vectors(rng):
    """A query and a key at several positions each, none of them 0, and the last ones far from it."""
    near = [(n, half, (1, 40)) for n, half in sizes(rng, n=(5, 9), half=(1, 5))]
    for n, half, first in [*near, (6, int(rng.integers(4, 7)), (720, 990))]:
        positions = torch.arange(float(n)) + float(rng.integers(*first))
        yield {"q": normal(rng, 2 * half), "k": normal(rng, 2 * half), "positions": positions}


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
    exempt={"d_head is 1": "the width of a head is even"},
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
                (
                    "Turn one vector at the positions of the case that is named. Does its length stay, "
                    "does it move at every position but 0, and do scores depend on the distance alone, to "
                    "all digits?"
                ),
                "Query and key are turned in the same sense, so that the angles subtract in the score.",
                "Is the angle proportional to the position, with nothing added that grows?",
            ),
        ),
        Part(
            "values",
            1,
            "features 2j and 2j + 1 turned by their own angle",
            call_rotate,
            inputs=vectors_to_turn,
            rtol=1e-4,
            atol=2e-4,
            hints=(
                (
                    "Turn (1, 0, 1, 0) at position 1 and then at position 2 by hand, with d_head = 4: by "
                    "which angle does each pair turn? Compare."
                ),
                "Which two features make a pair, and where does each result go?",
                "In the rate, the exponent divides by d_head. There are half as many rates as features.",
            ),
        ),
        Part(
            "any positions",
            1,
            "positions between two whole ones, below zero, and up to a thousand",
            call_rotate,
            inputs=vectors_anywhere,
            rtol=1e-4,
            atol=2e-3,
            hints=(
                "What does your function make of the positions 2.5 and -3?",
                "At -3 a pair is turned as far as at 3, and in the other direction.",
                "Compute the angle from the position itself: do not look it up, cut it or round it.",
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
                "What does your function make of base = 100?",
                "The rate of pair j is b to the power -2j/d, with the base that is given.",
            ),
        ),
        Part(
            "gradients",
            2,
            "gradients come back to x",
            call_turned_gradients,
            inputs=vectors_with_gradients,
            rtol=1e-4,
            atol=2e-4,
            hints=(
                "What comes from above is turned back by the same angle, pair by pair.",
                "Is the result computed from x with operations of PyTorch, without detach, numpy or no_grad?",
            ),
        ),
    ],
    clauses={
        "where $d$ is the (even) width": "one_rate and pair_number lose every part but the distances",
        "need not be a whole number": ("any positions", "whole"),
        "nor positive": ("any positions", "mirrored"),
        "below a thousand in size": ("any positions", "short_table"),
        "The model trains through this": ("gradients", "detached"),
    },
)
