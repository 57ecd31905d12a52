"""Question 09.2: How far a rotary head reaches."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="09.2",
    title="How far a rotary head reaches",
    kind="derive",
    difficulty=3,
    minutes=20,
    reference={
        "wavelength": 2 * math.pi * 10000**0.375,
        "slow": 17,
        "base": (131072 / (2 * math.pi)) ** (4 / 3),
    },
    parts=[
        Part(
            "wavelength",
            1,
            "the wavelength of one pair",
            reads=("wavelength",),
            hints=(
                "A pair has gone around when its angle is 2 pi. What is the angle after t positions?",
                "The wavelength of pair j is 2 pi times the base to the power 2j/d.",
            ),
        ),
        Part(
            "slow",
            2,
            "the pairs that are slower than the context",
            reads=("slow",),
            hints=(
                "Which pairs are the slow ones, those with a small number or with a large one?",
                "A pair is counted if its wavelength is above 5,000. Pairs count from 0, to 63.",
                "Write the 64 wavelengths down with a loop and count.",
            ),
        ),
        Part(
            "base",
            2,
            "a base for a longer context",
            reads=("base",),
            hints=(
                "Which pairs are the sixteen slowest? The fastest of these decides.",
                "At the base that is asked for, this pair goes around exactly once within the context.",
                "Write this as an equation and solve it for the base: a root has to be taken on both sides.",
            ),
        ),
    ],
    clauses={
        "When the pair has gone around once": ("wavelength", "half_way"),
        "$d = 128$, whose 64 pairs count from 0": ("slow", "numbered_from_one"),
        "pair 24 has gone around once": ("wavelength", "half_exponent"),
        "need not be a whole number": ("wavelength", "rounded"),
        "how many of the 64 pairs": ("slow", "fast"),
        "131,072 positions": ("base", "proportional"),
        "at least 16 pairs": ("base", "one_less"),
    },
)
