"""Question 06.4: What a head can learn from."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="06.4",
    title="What a head can learn from",
    kind="derive",
    difficulty=3,
    minutes=20,
    reference={
        "own": 0.24,
        "other": -0.18,
        "pull": 0.1 * (50 - 17),
        "certain": math.exp(-5) / (1 + math.exp(-5)) ** 2,
    },
    clauses={
        "gets the weights": ("derivatives", "exponential"),
        "The values are the numbers": ("pull", "answer"),
        "`own`: $": ("derivatives", "exponential"),
        "`other`: $": ("derivatives", "sign"),
        "with respect to the third score": ("pull", "no_average"),
        "for it to be positive?": "a question to think about, not graded",
        "`certain`: $": ("certain", "largest"),
        "with scores 6 and 1": ("certain", "tail"),
        "six digits or more": "how to type the numbers; `digits` sees to it",
    },
    parts=[
        Part(
            "derivatives",
            3,
            "how a weight depends on its own score and on another",
            reads=("own", "other"),
            hints=(
                "Write alpha_1 as exp(s_1) over a sum of three exponentials, and differentiate. Where "
                "does s_2 stand?",
                "Raising s_1 changes numerator and denominator; raising s_2 the denominator alone.",
                "Both results can be written with the weights alone, without the scores.",
            ),
        ),
        Part(
            "pull",
            1,
            "how the answer depends on a score",
            reads=("pull",),
            hints=(
                "When s_3 grows, all three weights change, not only the third. What does each change do "
                "to the answer?",
                "Add v_j times the derivative of alpha_j for s_3 over all j.",
                "Simplify: v_3 is compared with an average that you know.",
            ),
        ),
        Part(
            "certain",
            1,
            "what is left when the head is nearly certain",
            digits=5,
            reads=("certain",),
            hints=(
                "With two keys the softmax is the sigmoid of the difference of the scores.",
                "The derivative needs both weights, the one near 1 and the one near 0. Compute them "
                "exactly before you multiply.",
            ),
        ),
    ],
)
