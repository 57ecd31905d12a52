"""Question 16.2: How long does it last?"""

import math

from autograder.authoring import Part, Question

GATE = 0.5 ** (1 / 50)

QUESTION = Question(
    id="16.2",
    title="How long does it last?",
    kind="derive",
    difficulty=2,
    minutes=15,
    reference={
        "distance": 44,
        "gate": GATE,
        "bias": math.log(GATE / (1 - GATE)),
        "tie": 0.25**0.1,
    },
    clauses={
        "Give numbers that are not whole": "how all derive questions take their numbers",
        "all forget gates are at most 0.9": ("distance", "still_there"),
        "All forget gates are equal": ("tie", "nine_words"),
        "all forget gates are equal": "gate and the bias that follows from it: `e_fold` loses both",
    },
    parts=[
        Part(
            "distance",
            1,
            "from which distance on less than a hundredth is left",
            reads=("distance",),
            hints=(
                "How many factors of at most 0.9 are in the weight at the distance n, and how large can "
                "the input gate be?",
                "Take logarithms of both sides. Which way must the result be rounded?",
            ),
        ),
        Part(
            "gate",
            1,
            "the gate that leaves a half after 50 words",
            reads=("gate",),
            hints=(
                "Fifty words later, how many equal factors has the word met?",
                "The product of the factors is a half. Each of them is a root.",
            ),
        ),
        Part(
            "bias",
            1,
            "the bias of this gate",
            reads=("bias",),
            digits=4,
            hints=(
                "Solve f = 1 / (1 + exp(-b)) for b.",
                "The inverse of the logistic function is the logarithm of f over 1 - f. Compare it with "
                "the bias at which the chapter's LSTM starts.",
            ),
        ),
        Part(
            "tie",
            1,
            "the gate at which the earlier word weighs as much",
            reads=("tie",),
            hints=(
                "Write down both weights at word s. Which forget gates has word r met by then?",
                "Ten gates reduce 0.8 to 0.2. After word s both fade alike.",
            ),
        ),
    ],
)
