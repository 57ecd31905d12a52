"""Question 08.3: What zeros do, and what steps cost."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="08.3",
    title="What zeros do, and what steps cost",
    kind="derive",
    difficulty=2,
    minutes=20,
    reference={
        "shrink": 6 / 13,
        "biased": 0.3,
        "rows": 5050,
        "scores": 22140,
        "open_cells": 34,
        "blocks": 14,
    },
    clauses={
        "There are 10 places": ("zeros", "ten_zeros"),
        "exponentials are 2, 3 and 1": ("zeros", "scores_not_exponentials"),
        "`shrink`: the factor": ("zeros", "reciprocal"),
        "a score with the exponential 2": ("zeros", "bias_on_all"),
        "the prefixes of 1, 2, 3": ("cost", "from_zero"),
        "for the prefixes of 1 to 100 words": ("cost", "square"),
        "for the prefixes of 1 to 40 words": ("cost", "triangle"),
        "`reach` positions in all": ("windows", "before_only"),
        "10 positions and a reach of 4": ("windows", "full_windows"),
        "with a reach of 8": ("windows", "one_block_more"),
        "six digits or more": "how to type the numbers; `digits` sees to it",
    },
    parts=[
        Part(
            "zeros",
            2,
            "what zeros in the softmax do to the real keys",
            reads=("shrink", "biased"),
            hints=(
                "Write down the denominator of row 3 in the copy. Which keys have which score?",
                "The third copy has three real keys and seven zeros. Without biases a zero scores 0.",
                "The numerator is the same as under the mask, so the factor is a ratio of two denominators.",
            ),
        ),
        Part(
            "cost",
            2,
            "rows and scores of unmasked steps",
            reads=("rows", "scores"),
            hints=(
                "The pass over a prefix of j words computes j rows.",
                "Every row of a pass has a score with every row of it, later ones included.",
                "Add up j for the rows and j squared for the scores.",
            ),
        ),
        Part(
            "windows",
            1,
            "open cells, and how far blocks reach",
            reads=("open_cells", "blocks"),
            hints=(
                "Draw the first five rows of the mask. How many open cells has each?",
                "A reach of 8 lets one block see 7 places back. What does a second block add?",
                "Position 1 is 98 places before position 99.",
            ),
        ),
    ],
)
