"""Question 07.2: What heads cost, and what they buy."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="07.2",
    title="What heads cost, and what they buy",
    kind="derive",
    difficulty=3,
    minutes=20,
    reference={"redundant": 4096, "six_heads": 270_336, "one_head": 147_456},
    clauses={
        "decide where the heads look": "it says which matrices are meant",
        "With $d = 384$ features": ("one head", "narrow_change"),
        "of width $k = 64$": ("six heads", "once"),
        "both $d": "all parameters count: `values_too` takes others as well",
        "for $d = 2$ and $k = 1$": "an example with its answer",
        "Multiply the first two by 3": "an example with its answer",
        "redundant in one head of width 64": ("redundant", "remaining"),
        "of six heads of width 64": ("six heads", "one_of_six"),
        "in one head of width 384": ("one head", "narrow_change"),
    },
    parts=[
        Part(
            "redundant",
            2,
            "how many parameters of one head's scores are redundant",
            reads=("redundant",),
            hints=(
                "Write down the scores with W_q M in place of W_q. What has to happen to W_k for M to "
                "disappear?",
                "Every invertible M gives other matrices and the same scores. What shape has M, for a head "
                "of width 64?",
                "The redundant numbers are as many as you can choose in M, and almost all choices are "
                "invertible.",
            ),
        ),
        Part(
            "six heads",
            2,
            "what six narrow heads can choose",
            reads=("six_heads",),
            hints=(
                "How many numbers has one head's W_q, how many its W_k, and how many of these can be "
                "chosen freely?",
                "Count the entries of W_q and W_k of one head, and take away those that are redundant.",
                "Each head has an M of its own.",
            ),
        ),
        Part(
            "one head",
            1,
            "what one wide head can choose",
            reads=("one_head",),
            hints=(
                "The wide head has as many parameters as the six. How large is its M?",
                "Check yourself: the matrix A of this head can be any matrix. How many entries has it?",
            ),
        ),
    ],
)
