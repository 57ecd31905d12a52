"""Question 01.3: How many numbers."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="01.3",
    title="How many numbers",
    kind="derive",
    difficulty=2,
    minutes=15,
    reference={"table": 4**6 - 1, "distributions": 21, "history": 63, "chain": 4**6 - 1},
    exempt={"equal answers": "that the chain has as many free numbers as the table is the point"},
    clauses={
        "Sequences of $T = 6$ tokens": ("chain", "last_only"),
        "the probabilities of one": ("table", "all_entries"),
        "the finite-history estimator with $p = 2$": ("distributions", "pairs_alone"),
        "shared by all of these $t$": ("history", "unshared"),
        "without any sharing or cutting": ("chain", "last_only"),
    },
    parts=[
        Part(
            "table",
            1,
            "the free numbers of the joint table",
            reads=("table",),
            hints=(
                "The table has one entry for each sequence. How many sequences are there?",
                "All entries add up to 1, so one of them follows from the others.",
            ),
        ),
        Part(
            "distributions",
            1,
            "the distributions of the estimator with a memory of two",
            reads=("distributions",),
            hints=(
                "One distribution for the first token. How many contexts has the second, and how many "
                "the third?",
                "The third token and all later ones share theirs: one for each pair.",
            ),
        ),
        Part(
            "history",
            1,
            "the free numbers of the estimator with a memory of two",
            reads=("history",),
            hints=(
                "How many numbers of one distribution over four tokens are free?",
                "Multiply the number of distributions by that.",
            ),
        ),
        Part(
            "chain",
            1,
            "the free numbers of all conditionals",
            reads=("chain",),
            hints=(
                "How many different pasts are there before x_1, before x_2, ..., before x_6?",
                "Add these up, and multiply by the free numbers of one distribution.",
            ),
        ),
    ],
)
