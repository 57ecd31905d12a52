"""Question 04.2: How far back, and how many steps."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="04.2",
    title="How far back, and how many steps",
    kind="derive",
    difficulty=2,
    minutes=25,
    reference={
        "steps": 44,
        "peak": 3 * 4 * 0.7**2,
        "bound": 0.8**12,
        "memory": 0.135,
        "bias": -math.log(2**0.01 - 1),
        "rnn": 19058,
        "note": 73728,
        "critical": 514,
        "again": 15150,
    },
    parts=[
        Part(
            "steps",
            1,
            "when a gradient is below 0.01",
            reads=("steps",),
            hints=(
                "What does one step do to the derivative, and what do n steps do?",
                "0.9 to the power n falls below 0.01. Try the whole numbers around the solution.",
            ),
        ),
        Part(
            "peak",
            1,
            "a derivative that grows before it shrinks",
            reads=("peak",),
            hints=(
                "The derivative is an entry of the matrix W to the power n.",
                "Multiply W by itself twice by hand, and look at the entry in the corner.",
                "Write the entry down for n = 1, 2, 3, 4, 5, and take the largest.",
            ),
        ),
        Part(
            "logistic",
            1,
            "a bound on the derivative through twelve sigmoids",
            reads=("bound",),
            hints=(
                "The slope of the sigmoid is s (1 - s). How large is it where s = 1/2?",
                "Each step multiplies by the weight and by a slope. How many steps are there from 0 to 12?",
            ),
        ),
        Part(
            "memory",
            1,
            "what is left of a candidate",
            reads=("memory",),
            hints=(
                "How does the candidate of step 2 get into the memory? Which gates does it pass later?",
                "The forget gate of step 2 acts on what was there before.",
            ),
        ),
        Part(
            "bias",
            1,
            "a forget gate with a given half-life",
            reads=("bias",),
            hints=(
                "What must the gate be, so that its power of 100 is 1/2?",
                "Then solve sigmoid(b) = f for b: the logarithm of f / (1 - f).",
            ),
        ),
        Part(
            "parameters",
            1,
            "the sizes of two networks",
            reads=("rnn", "note"),
            hints=(
                "Write the shape of each matrix down. Which sides are 96, and which are 50?",
                "The note's LSTM has no biases. How many matrices do its equations name?",
            ),
        ),
        Part(
            "serial",
            1,
            "rounds of a deep network",
            reads=("critical",),
            hints=(
                "Draw a grid of 3 rows and 4 columns, and write the number of its round into each cell.",
                "The second layer can begin before the first has ended.",
            ),
        ),
        Part(
            "sampling",
            1,
            "cells of a program that keeps no state",
            reads=("again",),
            hints=(
                "How many tokens does it read for the first sample, for the second, for the last?",
                "Add them up, and mind that each token passes through three layers.",
            ),
        ),
    ],
)
