"""Question 10.1: LayerNorm by hand."""

import math

from autograder.authoring import Part, Question

SIGMA = math.sqrt(4.4)
SMALL = SIGMA / 1000


QUESTION = Question(
    id="10.1",
    title="LayerNorm by hand",
    kind="derive",
    difficulty=1,
    minutes=20,
    reference={
        "deviation": SIGMA,
        "last": 4 / SIGMA,
        "slope": (1 - 1 / 5 - 16 / 4.4 / 5) / SIGMA,
        "stratos": SMALL / (SMALL + 0.001),
        "library": SMALL / math.sqrt(SMALL**2 + 1e-5),
    },
    parts=[
        Part(
            "deviation",
            1,
            "the deviation of the five features",
            reads=("deviation",),
            hints=(
                "The mean is 3. Write down the five deviations from it, and their squares.",
                "LayerNorm divides the sum of the squares by the number of features.",
            ),
        ),
        Part(
            "last",
            1,
            "the last feature, normalized",
            reads=("last",),
            hints=(
                "Subtract the mean, then divide by the deviation.",
                "The last feature is 7 and the mean 3.",
            ),
        ),
        Part(
            "slope",
            1,
            "the derivative of the last output for the last input",
            reads=("slope",),
            hints=(
                "If the last feature grows, the mean and the deviation grow with it.",
                "Take the last entry on the diagonal of the chapter's Jacobian.",
                "Three terms stand in its bracket, and one factor in front.",
            ),
        ),
        Part(
            "stratos",
            1,
            "small features, 0.001 added to the deviation",
            reads=("stratos",),
            hints=(
                "Dividing all features by 1,000 divides their deviation by 1,000.",
                "The output has the deviation of the input over what LayerNorm divides by.",
            ),
        ),
        Part(
            "library",
            1,
            "small features, epsilon added to the variance",
            reads=("library",),
            hints=(
                "Compare the variance of the small features with the epsilon.",
                "The epsilon stands inside the root.",
            ),
        ),
    ],
    clauses={
        "has the five features": "what is given",
        "no epsilon except where stated": "what is given",
        "as LayerNorm computes it": ("deviation", "absolute"),
        "how fast that output grows": ("slope", "constant_mean"),
        "if all features are divided by 1,000": ("stratos", "squares"),
        "the same if LayerNorm divides by": ("library", "outside"),
    },
)
