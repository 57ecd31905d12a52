"""Question 20.1: Before it runs."""

import math

from autograder.authoring import Part, Question

MATRICES = 12 * 3 * 48**2
PER_TOKEN = 3 * (2 * MATRICES + 4 * 64 * 3 * 48 + 2 * 48 * 500)

QUESTION = Question(
    id="20.1",
    title="Before it runs",
    kind="derive",
    difficulty=1,
    minutes=20,
    reference={
        "parameters": MATRICES + 2 * 500 * 48 + 9 * 3 * 48 + 2 * 48,
        "operations": PER_TOKEN,
        "steps": 10**12 // (PER_TOKEN * 8 * 64),
        "bits": 1.6 * 9000 / 30000 / math.log(2),
        "predicted": 0.9 + 0.2**2 / 0.6,
    },
    clauses={
        "The table of tokens and the head are two matrices": ("parameters", "tied"),
    },
    parts=[
        Part(
            "parameters",
            1,
            "the number of parameters",
            reads=("parameters",),
            hints=(
                "A block has four matrices of d by d and two of d by 4 d. What does the text add to them?",
                "Count the table and the head, each with a row for every token.",
            ),
        ),
        Part(
            "operations",
            1,
            "the operations per token of a training step",
            reads=("operations",),
            hints=(
                "How many operations does a number of a matrix cost per token, forward and backward?",
                "Add the pairs of a window and the head to the matrices; the table is only looked up.",
            ),
        ),
        Part(
            "steps",
            1,
            "the steps that the budget pays for",
            reads=("steps",),
            hints=(
                "How many tokens does a step read?",
                "Divide the budget by what one step costs, and leave out the step that is not paid in full.",
            ),
        ),
        Part(
            "bits",
            1,
            "bits per byte",
            reads=("bits",),
            hints=(
                "How many nats does the whole text have?",
                "The same information is spread over the bytes; a bit is ln 2 nats.",
            ),
        ),
        Part(
            "predicted",
            1,
            "the loss at the third budget",
            reads=("predicted",),
            hints=(
                "How far above the floor are the two runs, and what is their ratio?",
                "Each time the budget grows tenfold, what lies above the floor shrinks by the same factor.",
            ),
        ),
    ],
)
