"""Question 04.2: How far a memory reaches."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="04.2",
    title="How far a memory reaches",
    kind="derive",
    difficulty=2,
    minutes=15,
    reference={"left": 0.135, "steps": 37, "bias": -math.log(2**0.01 - 1)},
    clauses={
        "c_5 /": ("left", "last_input"),
        "the input gates are 0.5, 0.4": ("left", "input_gates"),
        "now all forget gates are": ("steps", "bias_of_one"),
        "below 0.01": ("steps", "a_tenth"),
        "still there after 100 steps": ("bias", "hundred_halves"),
        "six digits or more where": "how precise a number is to be, as each part compares it",
        "in which no gate": "what the formula is, which each part uses",
        "where its forget gates start": "a reason to ask",
    },
    parts=[
        Part(
            "left",
            1,
            "what is left of a candidate",
            reads=("left",),
            hints=(
                "How does the candidate of step 2 get into the memory? Which gates does it pass later?",
                "The forget gate of step 2 acts on what was there before.",
            ),
        ),
        Part(
            "steps",
            1,
            "when the derivative is below 0.01",
            reads=("steps",),
            hints=(
                "What does one step do to the derivative, and what do n steps do?",
                "How large is the gate sigma(2)? The bias is inside the logistic function.",
                "Solve for the power with logarithms, and try the whole numbers around the solution.",
            ),
        ),
        Part(
            "bias",
            2,
            "a forget gate with a given half-life",
            reads=("bias",),
            hints=(
                "What must the gate be, so that its power of 100 is 1/2?",
                "Then solve sigmoid(b) = f for b: the logarithm of f / (1 - f).",
            ),
        ),
    ],
)
