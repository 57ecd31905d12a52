"""Question 07.2: What heads cost."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="07.2",
    title="What heads cost",
    kind="derive",
    difficulty=2,
    minutes=20,
    reference={
        "parameters": 589_824,
        "more_heads": 786_432,
        "weights": 240_000,
        "causal_weights": 120_600,
        "score_rank": 64,
        "message_rank": 256,
        "redundant": 4096,
        "learned": 384,
        "fully_connected": 384_000,
    },
    parts=[
        Part(
            "parameters",
            1,
            "the parameters of six and of eight heads",
            reads=("parameters", "more_heads"),
            hints=(
                "How many matrices does one head have, and what are their shapes?",
                "Each head has three matrices that read objects and one that writes. The widths of all "
                "heads need not add up to d.",
            ),
        ),
        Part(
            "weights",
            1,
            "how many attention weights there are",
            reads=("weights", "causal_weights"),
            hints=(
                "One head has one weight for every pair of a query and a key.",
                "Under the causal mask object i has i weights, itself included. Add up over the objects, "
                "then over the heads.",
            ),
        ),
        Part(
            "ranks",
            1,
            "what one head and four heads can do",
            reads=("score_rank", "message_rank"),
            hints=(
                "A product of a d x k and a k x d matrix has at most which rank?",
                "The rank of a sum is at most the sum of the ranks, and it can reach it as long as this "
                "does not exceed d.",
            ),
        ),
        Part(
            "redundant",
            1,
            "how many parameters of the scores are redundant",
            reads=("redundant",),
            hints=(
                "Write down the scores with W_q M in place of W_q, and find out what happens to M.",
                "The different choices that give the same scores are as many as there are invertible M. "
                "How many entries can you choose in M?",
            ),
        ),
        Part(
            "growth",
            1,
            "what one more object brings",
            reads=("learned", "fully_connected"),
            hints=(
                "With learned positions there is one more row in a table. How long is a row?",
                "In the fully connected network each hidden unit has a weight for each feature of each "
                "object.",
            ),
        ),
    ],
)
