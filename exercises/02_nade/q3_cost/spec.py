"""Question 02.3: What it costs."""

from autograder.authoring import Part, Question

P, K, D = 100, 30, 7


QUESTION = Question(
    id="02.3",
    title="What it costs",
    kind="derive",
    difficulty=2,
    minutes=20,
    reference={
        "parameters": 2 * P * K * D + P * K + P * D,
        "naive": P * P * K * D,
        "shared": (2 * P - 1) * K * D,
        "indexed": P * K * D,
    },
    clauses={
        "lecture's form with $p = 100$ positions": ("parameters", "shared_biases"),
        "if every $f_t$ adds up its sums": ("naive", "target_read"),
        "computed once": ("naive", "target_read"),
        "The token at the last position": ("shared", "last_token_read"),
        "if tokens are indices": ("indexed", "indices_free"),
    },
    parts=[
        Part(
            "parameters",
            1,
            "the number of parameters",
            reads=("parameters",),
            hints=(
                "What are the shapes of V, c, W and b, each with all its positions?",
                "V has p matrices of k rows and d columns. Count the entries of all four, and add.",
            ),
        ),
        Part(
            "naive",
            2,
            "multiplications of the equations as they stand",
            reads=("naive",),
            hints=(
                "How many products V_s x_s does f_t need at t = 1, 2, 3, and how many W_s h_s?",
                "Add up t - 1 and t over all t from 1 to p, and multiply by what one product costs.",
                "The sum of the numbers from 1 to p is p (p + 1) / 2.",
            ),
        ),
        Part(
            "shared",
            1,
            "multiplications with running sums",
            reads=("shared",),
            hints=(
                "With running sums, how often is each matrix used?",
                "Nobody reads the last token: one of the V is never used.",
            ),
        ),
        Part(
            "indexed",
            1,
            "multiplications with running sums and indices",
            reads=("indexed",),
            hints=(
                "How many multiplications does it take to pick a column of a matrix?",
                "The W are multiplied as before.",
            ),
        ),
    ],
)
