"""Question 15.2: Fit a power law."""

import math

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import curves, fit


def exact(rng):
    for (points,) in sizes(rng, points=(2, 6), far={"points": 100}):
        yield from curves(rng, [(points, 0, 0.0)])


def above_a_floor(rng):
    """Well above it: what float32 loses near a floor is for the noisy points to show."""
    kinds = [(points, 0, 1.5) for (points,) in sizes(rng, points=(2, 6))]
    for case in curves(rng, [*kinds, (4, 0, -0.7), (3, 0, rng.uniform(0.1, 3)), (5, 0, 20.0)]):
        yield {**case, "y": case["floor"] + 100 * (case["y"] - case["floor"])}


def noisy(rng):
    for (points,) in sizes(rng, points=(3, 8), far={"points": 100}):
        yield from curves(rng, [(points, 0.3, rng.uniform(0.5, 2))])
    for case, size in zip(curves(rng, [(5, 0.3, 0.0), (4, 0.2, 0.0)]), (1e-60, 1e60)):  # as float64 has them
        yield {**case, "y": size * case["y"]}
    for case in curves(rng, [(6, 0.3, 0.7)]):  # compute in a unit that is far too large for it
        yield {**case, "x": 1e-6 * case["x"]}
    for case in curves(rng, [(7, 0.3, 0.0), (5, 0.3, 0.0), (6, 0.2, 0.0)]):
        x = case["x"][np.minimum(np.arange(len(case["x"])), 3)]  # the last x was measured several times
        yield {**case, "x": x}
        yield {**case, "y": 1 / case["y"]}  # losses that rise
        yield {**case, "y": 1e-8 * case["y"]}  # losses that hardly clear the floor
        yield {**case, "y": 2.0 + 1e-6 * case["y"], "floor": 2.0}
        yield {**case, "y": np.full(len(x), case["y"][0])}  # losses that do not move


def call_fit(student, inputs):
    scale, exponent = student.fit(**inputs)
    return {"b": scale, "c": exponent, "log b": math.log(abs(scale) + 1e-300)}


QUESTION = Question(
    id="15.2",
    title="Fit a power law",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"fit": fit},
    exempt={
        "points is 1": "through a single point goes every line, and the text asks for two different ones"
    },
    clauses={
        "with a known floor $e$": "no_floor loses both parts in which there is one",
        "above the floor, which makes": "the formulas say so",
        "by least squares over all points": ("noisy", "two_points"),
        "at least two different ones": "two points are among the cases",
        "x:       float64 array": ("noisy", "float32"),
        "two numbers, b and c": "logarithm_of_b loses every part",
        "y:       float64 array": ("noisy", "float32"),
    },
    parts=[
        Part(
            "exact",
            1,
            "points on a power law that falls to 0",
            call_fit,
            inputs=exact,
            hints=(
                "Which function of x is log y, if y is b times x to the power -c?",
                "The line's slope is minus c, and its height at log x = 0 is log b.",
            ),
        ),
        Part(
            "floor",
            1,
            "points on a power law above a floor",
            call_fit,
            inputs=above_a_floor,
            hints=(
                "Of what do you take the logarithm?",
                "Subtract the floor before the logarithm; b and c describe what lies above it.",
            ),
        ),
        Part(
            "noisy",
            3,
            "points beside the curve, in any order",
            call_fit,
            inputs=noisy,
            hints=(
                "Does every point have a say?",
                "Least squares in the logarithms: the sum of squared vertical distances to the line.",
            ),
        ),
    ],
)
