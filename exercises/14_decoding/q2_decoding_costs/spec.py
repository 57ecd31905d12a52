"""Question 14.2: What decoding costs and prefers."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="14.2",
    title="What decoding costs and prefers",
    kind="derive",
    difficulty=3,
    minutes=30,
    reference={
        "ratio": math.exp(2.5),
        "temperature": math.log(5 / 3, 2),
        "first": 0.5,
        "unspoiled": 0.988**80,
        "kept": 24_576_000,
        "products": 26_086_400,
        "alpha": math.log(1.5, 1.75),
        "empty": 61,
    },
    clauses={
        "Give six digits or more": "the comparison takes six digits",
        "logits 2.1 and 0.6": "the numbers of the question",
        "How many times as probable": "the value is asked for",
        "probabilities 0.5, 0.3 and 0.2": "the numbers of the question",
        "exactly twice as probable": "the value is asked for",
        "six tokens have the probabilities": "the numbers of the question",
        "With the filters of 14.1": "the value is asked for",
        "with probability 0.012": "the numbers of the question",
        "texts of 80 tokens": "the value is asked for",
        "12 blocks of width 768": "the numbers of the question",
        "have 4 heads": "the numbers of the question",
        "searched with 4 beams": "the value is asked for",
        "$L = 2$, $d = 64$": "the numbers of the question",
        "multiplications, and $t$ runs": "the numbers of the question",
        "one hypothesis has 3 tokens": "the numbers of the question",
        "are their scores equal": "the value is asked for",
        "label smoothing 0.1 and 50 words": "the numbers of the question",
        "a right word has the probability": "the numbers of the question",
        "From how many tokens on": "the value is asked for",
    },
    parts=[
        Part(
            "ratio",
            1,
            "the ratio at temperature 0.6",
            reads=("ratio",),
            hints=(
                "What is the ratio of two probabilities of a softmax?",
                "It is the exponential of the difference of what goes into the softmax.",
            ),
        ),
        Part(
            "temperature",
            1,
            "the temperature of twice",
            reads=("temperature",),
            hints=(
                "What does a temperature do to a ratio of probabilities?",
                "It raises it to the power 1/T. Take logarithms.",
            ),
        ),
        Part(
            "first",
            1,
            "the first of six tokens",
            reads=("first",),
            hints=(
                "Which tokens are left after top_k, and with what probabilities?",
                "top_p sums up the rescaled probabilities. How many tokens are needed?",
            ),
        ),
        Part(
            "unspoiled",
            1,
            "texts without an impossible token",
            reads=("unspoiled",),
            hints=(
                "What is the probability that one token is possible?",
                "All 80 have to be possible.",
            ),
        ),
        Part(
            "kept",
            1,
            "numbers in the cache",
            reads=("kept",),
            hints=(
                "How wide is one head? How many heads of keys does a block keep?",
                "Keys and values, each block, each token, each beam.",
            ),
        ),
        Part(
            "products",
            1,
            "multiplications of 200 tokens",
            reads=("products",),
            hints=(
                "Which terms are the same at each step, and which one grows?",
                "The numbers from 1 to 200 sum to 20,100.",
            ),
        ),
        Part(
            "alpha",
            1,
            "the length penalty of a tie",
            reads=("alpha",),
            hints=(
                "Write the equation of the two scores. Which numbers cancel?",
                "A ratio of the factors, to the power alpha, equals a ratio of the log-probabilities.",
            ),
        ),
        Part(
            "empty",
            1,
            "where the end alone wins",
            reads=("empty",),
            hints=(
                "What is the probability of the right text of n tokens?",
                "Take logarithms on both sides, and mind the sign when you divide.",
            ),
        ),
    ],
)
