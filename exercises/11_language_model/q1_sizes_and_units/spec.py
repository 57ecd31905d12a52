"""Question 11.1: Sizes and units."""

import math

from autograder.authoring import Part, Question

BLOCK = 4 * 32 * 32 + 2 * 32 * 128 + 2 * 2 * 32
TIED = 500 * 32 + 48 * 32 + 2 * BLOCK + 2 * 32


QUESTION = Question(
    id="11.1",
    title="Sizes and units",
    kind="derive",
    difficulty=1,
    minutes=25,
    reference={
        "tied": TIED,
        "untied": TIED + 500 * 32,
        "nats": 2.3 * 350 / 875,
        "bits": 2.3 * 350 / 875 / math.log(2),
        "odds": math.exp(1.9),
        "total": 2.5,
    },
    clauses={
        "has 500 tokens": "both sizes hold this table: a mistake in it costs tied and untied",
        "if the head is the token table": "exchanged gives this number for the other",
        "if the head has a matrix": ("untied", "two_place_tables"),
        "875 characters is 350 tokens": "inverse and without_end give another number in both units",
        "loss of 2.3 nats per token": ("bits", "bits_per_token"),
        "At one place the final vector": ("odds", "score_ratio"),
        "There are 498 other tokens": ("odds", "odds_of_two"),
        "sum end at $m$": ("total", "first_two"),
        "Take $o = 4$ scores": ("total", "last_two"),
        "Give six digits or more": "the comparison takes six digits",
    },
    parts=[
        Part(
            "tied",
            1,
            "the parameters of a model with one table",
            reads=("tied",),
            hints=(
                "List them from the bottom to the top: tokens, places, two blocks, the last norm.",
                "A block has four square matrices of attention, two matrices of the network and two norms.",
                "A norm has two numbers for each feature, and a place has a vector of its own.",
            ),
        ),
        Part(
            "untied",
            1,
            "the parameters of a model with two tables",
            reads=("untied",),
            hints=(
                "What does the head have of its own now?",
                "A head without bias has one number for each token and feature.",
            ),
        ),
        Part(
            "nats",
            1,
            "nats per character",
            reads=("nats",),
            hints=(
                "How many nats does the whole text cost?",
                "Spread the nats of all its tokens over all its characters.",
            ),
        ),
        Part(
            "bits",
            1,
            "bits per character",
            reads=("bits",),
            hints=(
                "A bit is less than a nat, so the number of bits is larger.",
                "One bit is ln 2 nats.",
            ),
        ),
        Part(
            "odds",
            1,
            "the ratio of two probabilities",
            reads=("odds",),
            hints=(
                "The softmax's denominator is the same for both tokens.",
                "The difference of the two columns, times the vector, is the logarithm of the ratio.",
            ),
        ),
        Part(
            "total",
            1,
            "what four wrong probabilities sum to",
            reads=("total",),
            hints=(
                "The denominator holds the first m exponentials only.",
                "All four numerators are there. Add them up.",
            ),
        ),
    ],
)
