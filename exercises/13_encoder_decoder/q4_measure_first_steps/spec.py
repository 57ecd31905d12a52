"""Question 13.4: Measure the first steps."""

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import adam_path


def small_noise(rng):
    for w, size in sizes(rng, w=7, parameters=5, far={"w": 100}):
        yield {"gradients": rng.standard_normal((w, size)) + 0.3, "peak": float(rng.uniform(0.1, 1)), "w": w}
    # many parameters
    yield {"gradients": rng.standard_normal((2, 110)) + 0.3, "peak": 0.01, "w": 2}
    # a peak above 10, and gradients above it
    yield {"gradients": 40.0 * (rng.standard_normal((6, 3)) + 0.3), "peak": 30.0, "w": 6}
    # a peak that is a whole number; first gradients of zero, so that later moves are longer
    later = rng.standard_normal((5, 3)) + 0.3
    later[0, 1:] = 0.0
    yield {"gradients": later, "peak": 1, "w": 5}
    # so small that epsilon counts
    yield {"gradients": 1e-8 * (rng.standard_normal((4, 3)) + 0.3), "peak": 0.1, "w": 4}
    # peaks so small that all lengths are, too
    for w, size, peak in [(4, 3, 3e-8), (6, 2, 2e-14)]:
        yield {"gradients": rng.standard_normal((w, size)) + 0.3, "peak": peak, "w": w}
    # a first move of length 0
    waiting = rng.standard_normal((5, 3)) + 0.3
    waiting[0] = 0.0
    yield {"gradients": waiting, "peak": 0.2, "w": 5}
    # parameters that turn back: both ways end nearer to 0 than they have been
    back = rng.uniform(0.5, 1.5, (10, 3)) * rng.choice([-1.0, 1.0], 3)
    back[4:] *= -1
    yield {"gradients": back, "peak": 0.2, "w": 10}


def call_measure(student, inputs):
    return dict(student.measure(**inputs))


def measure(gradients, peak, w):
    cold = adam_path(gradients, np.array([peak] * w), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, np.array([peak * (t + 1) / w for t in range(w)]), 0.9, 0.98, 1e-9)
    first, far, near = (float((x**2).sum() ** 0.5) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("first", "cold", "warm", "share")}


QUESTION = Question(
    id="13.4",
    title="Measure the first steps",
    kind="experiment",
    difficulty=4,
    minutes=30,
    reference={
        "measure": measure,
        "report": {"first": 0.199999999, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251},
    },
    needs=("13.3",),
    clauses={
        "gradients: float64 array": "what the function is given",
        "one row per step": "what the function is given",
        "whole or not": "divisor_guarded and w_of_the_run meet peaks of all kinds in every part",
        "under two schedules": "each has a part of its own",
        "There are exactly $w$ rows": "what the function is given",
        "how far from 0 the parameters": "path_length changes the share as well",
        "on the gradients below": ("report", "report_other_noise"),
        "with six digits or more": ("report", "two_digits"),
        "a number above 0": "it says what is not asked for",
        "w:         a whole number": "w_of_the_run changes the share as well",
        "a dict of four numbers": "each of the four is compared",
    },
    parts=[
        Part(
            "first",
            2,
            "on small noise: the first move",
            call_measure,
            inputs=small_noise,
            atol=0.0,
            compare=("first",),
            hints=(
                (
                    "Compute the first move of one number by hand: the gradient g, its two means with "
                    "their corrections, and epsilon. How far does it go?"
                ),
                "The cold rate is the peak from the first step on.",
            ),
        ),
        Part(
            "cold",
            1,
            "on small noise: how far without warm-up",
            call_measure,
            inputs=small_noise,
            atol=0.0,
            compare=("cold",),
            hints=(
                "How far from 0 is the last row of the path, not how long the path is.",
                "A length is the root of the sum of the squares.",
            ),
        ),
        Part(
            "warm",
            1,
            "on small noise: how far with warm-up",
            call_measure,
            inputs=small_noise,
            atol=0.0,
            compare=("warm",),
            hints=(
                "What is the rate of each step of the case that is named, as a number?",
                "Steps count from 1: the first rate is the peak over w, the last is the peak.",
            ),
        ),
        Part(
            "share",
            1,
            "on small noise: the one over the other",
            call_measure,
            inputs=small_noise,
            atol=0.0,
            compare=("share",),
            hints=("Which of the two is divided?", "The share is the warm length over the cold one."),
        ),
        Part(
            "report",
            3,
            "your run on the noise",
            give_report,
            conceal=True,
            digits=5,
            requires=("first", "cold", "warm", "share"),
            hints=(
                "Is the peak 0.01 and w 50, as the text says?",
                "Copy the four numbers with six digits, from the noise as it is given.",
            ),
        ),
    ],
)
