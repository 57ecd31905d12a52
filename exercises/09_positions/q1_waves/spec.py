"""Question 09.1: Waves."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import CLOSEST, FARTHEST, even_sizes, odd_places, places


def even_widths(rng):
    for n, d in even_sizes(rng, {"n": 110, "half": 52}, n=7):
        yield {"positions": places(rng, n), "d": d}


def odd_widths(rng):
    for n, half in sizes(rng, n=7, half=(0, 4)):
        yield {"positions": places(rng, n), "d": 2 * half + 1}


def any_positions(rng):
    for n, d in even_sizes(rng, {}, n=7):
        yield {"positions": odd_places(rng, n), "d": d}
    for positions in (FARTHEST, CLOSEST):
        yield {"positions": positions.clone(), "d": 6}


def other_bases(rng):
    for n, d in even_sizes(rng, {}, n=6):
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
            1,
            "pairs of a sine and a cosine, of rates that fall from the first pair on",
            call_waves,
            inputs=even_widths,
            atol=1e-4,
            hints=(
                "Write down position 1 for d = 4 by hand: sin 1, cos 1, sin 0.01, cos 0.01.",
                "Sine and cosine of a pair have the same rate. Which number stands in the exponent for "
                "the columns 4 and 5?",
                "Is the position the one that was given, or the number of the row?",
            ),
        ),
        Part(
            "any positions",
            1,
            "positions between two whole ones, below zero, and up to a thousand",
            call_waves,
            inputs=any_positions,
            atol=5e-4,
            hints=(
                "What do you make of the positions 2.5 and -3?",
                "A sine of a negative angle is negative, a cosine is not.",
                "Compute the angle from the position itself: do not look it up, cut it or round it.",
            ),
        ),
        Part(
            "odd widths",
            1,
            "the last sine stands alone",
            call_waves,
            inputs=odd_widths,
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
                "What does your function make of base = 100?",
                "The rate of pair j is b to the power -2j/d. For d = 4 the second pair has 1 / sqrt(b).",
            ),
        ),
    ],
    clauses={
        "need not be whole": ("any positions", "whole"),
        "nor positive": ("any positions", "mirrored"),
        "below a thousand in size": ("any positions", "short_table"),
        "If $d$ is odd": ("odd widths", "even_exponent"),
        "the last sine has no cosine": ("odd widths", "even_exponent"),
        "a whole number": "it is the form of a width",
    },
)
