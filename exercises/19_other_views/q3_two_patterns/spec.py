"""Question 19.3: When two patterns part."""

import math

from autograder.authoring import Part, Question


def valley(beta):
    """Where p = 1 / (1 + exp(-beta (2p - 1))), above one half."""
    low, high = 0.6, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if 1 / (1 + math.exp(-beta * (2 * middle - 1))) > middle:
            low = middle
        else:
            high = middle
    return low


QUESTION = Question(
    id="19.3",
    title="When two patterns part",
    kind="derive",
    difficulty=3,
    minutes=20,
    needs=("19.1",),
    reference={
        "right_angle": 2.0,
        "neighbors": 2 / (1 - math.cos(math.pi * 40 / 180)),
        "share": valley(4.0),
    },
    parts=[
        Part(
            "right angle",
            2,
            "the temperature at which patterns at a right angle part",
            reads=("right_angle",),
            hints=(
                "Write down the two scores of the state, and then the new p as a sigmoid of their "
                "difference. What is the difference if the inner product of the patterns is 0?",
                "The new p is a curve over the old one that always passes through one half. When does a p a "
                "little above one half grow?",
                "It grows where the curve is steeper than 1. The steepest slope of a sigmoid is 1/4.",
            ),
        ),
        Part(
            "neighbors",
            1,
            "the same for an angle of 40 degrees",
            reads=("neighbors",),
            hints=(
                "The patterns now have the inner product cos 40°. What is the difference of the scores?",
                "Everything depends on the squared distance of the two patterns, 2 - 2 cos 40°.",
                "Python's cosine takes radians.",
            ),
        ),
        Part(
            "share",
            2,
            "the valley of the first pattern",
            reads=("share",),
            hints=(
                "In a valley an update changes nothing: the new p is the old one. Write this as an equation.",
                "It has no closed solution. Begin near p = 1 and update until nothing changes.",
            ),
        ),
    ],
    clauses={
        "in float64": "advice for the digits that are asked, about the inputs that a student chooses",
        "From a certain $\\beta$ on": ("right angle", "slope_one"),
        "two patterns of length 1": "the lengths of the patterns",
        "all states end at": "it says what a shared valley is",
        "this $\\beta$ for $\\theta = 90°$": ("right angle", "half_slope"),
        "as for the two neighbors": ("neighbors", "degrees"),
        "the $p$ at which the valley": ("share", "one_update"),
    },
)
