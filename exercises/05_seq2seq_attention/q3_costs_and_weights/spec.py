"""Question 05.3: Costs, weights and chances by hand."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="05.3",
    title="Costs, weights and chances by hand",
    kind="derive",
    difficulty=3,
    minutes=25,
    reference={
        "words": 205,
        "additive": 182400,
        "dot": 38400,
        "inner_bytes": 3686400,
        "context": [8 / 11, 9 / 11],
        "unmasked": 2 / 3,
        "exact_bits": math.log2(128 / 39),
        "bound_bits": 2.25,
        "local_scores": 128,
    },
    parts=[
        Part(
            "bottleneck",
            1,
            "how many words the bits of a state can tell apart",
            reads=("words",),
            hints=(
                "How many bits has the state, and how many bits does one of 1000 words need?",
                "There are 1000 to the power n sentences, and 2 to the power of the bits states.",
                "Part of a word does not help: round down.",
            ),
        ),
        Part(
            "costs",
            2,
            "multiplications and bytes",
            reads=("additive", "dot", "inner_bytes"),
            hints=(
                "Each key and each query is projected once, not once for each pair.",
                "A matrix of 48 x 64 times a vector takes 48 * 64 multiplications.",
                "For each pair there are 48 hidden units, each of them multiplied by an entry of v.",
            ),
        ),
        Part(
            "weights",
            2,
            "a context, and the same with padding that is not masked",
            reads=("context", "unmasked"),
            hints=(
                "What is the exponential of the sum of two logarithms?",
                "The three exponentials are 2, 3 and 6. Divide by their sum.",
                "A key of zeros has the score 0. What is its exponential, and which sum does it enter?",
            ),
        ),
        Part(
            "choices",
            2,
            "bits of a word under hard attention",
            reads=("exact_bits", "bound_bits"),
            hints=(
                "The probability of the word is the mean over the choices, with the weights.",
                "One of the two answers is the logarithm of a mean, the other the mean of logarithms.",
                "Write the probabilities as powers of 2 first. Which of the two must be the larger?",
            ),
        ),
        Part(
            "window",
            1,
            "scores inside the windows",
            reads=("local_scores",),
            hints=(
                "How many keys does a query in the middle see, and how many does the first one see?",
                "At each end three windows are cut off: by 3, 2 and 1 keys.",
            ),
        ),
    ],
)
