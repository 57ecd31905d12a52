"""Question 09.1: Waves."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question

from ..inputs import places


def wave_cases(sizes):
    def draw(rng):
        for n, d in sizes:
            yield {"positions": places(rng, n), "d": d}

    return draw


def other_bases(rng):
    for n, d in [(5, 6), (3, 7), (4, 4), (2, 9)]:
        yield {"positions": places(rng, n), "d": d, "base": float(np.exp(rng.uniform(1, 14)))}


def call_waves(student, inputs):
    base = (inputs["base"],) if "base" in inputs else ()
    return {"table": student.waves(inputs["positions"], inputs["d"], *base)}


def waves(positions, d, base=10000.0):
    table = np.zeros((len(positions), d))
    for row, t in enumerate(positions.double().tolist()):
        for column in range(d):
            angle = t / base ** (2 * (column // 2) / d)
            table[row, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return torch.from_numpy(table)


QUESTION = Question(
    id="09.1",
    title="Waves",
    kind="implement",
    difficulty=1,
    minutes=15,
    reference={"waves": waves},
    exempt={"no gradient": "positions are data, and nothing trains through them"},
    parts=[
        Part(
            "even widths",
            2,
            "pairs of a sine and a cosine, of rates that fall from the first pair on",
            call_waves,
            inputs=wave_cases([(5, 6), (1, 4), (7, 2), (4, 4), (3, 8), (5, 6), (130, 2), (2, 120)]),
            atol=1e-4,
            hints=(
                "Write down position 1 for d = 4 by hand: sin 1, cos 1, sin 0.01, cos 0.01.",
                "Sine and cosine of a pair have the same rate. Which number stands in the exponent for "
                "the columns 4 and 5?",
                "Is the position the one that was given, or the number of the row?",
            ),
        ),
        Part(
            "odd widths",
            1,
            "the last sine stands alone",
            call_waves,
            inputs=wave_cases([(4, 5), (6, 1), (1, 3), (3, 7), (5, 5)]),
            atol=1e-4,
            hints=(
                "With d = 5 there are three sines and two cosines.",
                "The exponent divides by d itself, also where d is odd.",
            ),
        ),
        Part(
            "bases",
            1,
            "another base",
            call_waves,
            inputs=other_bases,
            atol=1e-4,
            hints=(
                "Does the number 10000 still stand in your function?",
                "The rate of pair j is b to the power -2j/d. For d = 4 the second pair has 1 / sqrt(b).",
            ),
        ),
    ],
)
