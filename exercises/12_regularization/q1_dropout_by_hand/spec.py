"""Question 12.1: By hand."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="12.1",
    title="By hand",
    kind="derive",
    difficulty=1,
    minutes=20,
    reference={
        "kept": 4.0,
        "variance": 3.0,
        "row_sum": 0.625,
        "intact": 0.531441,
        "by_row": 0.2,
        "by_word": 0.04,
    },
    clauses={
        "of the number 3 if it keeps it": "no_scale and rate_for_scale change the variance as well",
        "what it makes of the number 3": ("variance", "mask_variance"),
        "weights 0.5, 0.3, 0.2": ("many", "shared_out"),
        "loses none of them at rate 0.1": ("many", "one_draw"),
        "rows of the table, at rate 0.2": ("by_row", "independent_rows"),
        "by input dropout, at rate 0.2": ("by_word", "shared_words"),
        "Give six digits or more": "the comparison takes six digits",
    },
    parts=[
        Part(
            "kept",
            1,
            "what a number is that is kept",
            reads=("kept",),
            hints=(
                "Which factor makes the mean come out right?",
                "What is kept is divided by what the rate leaves.",
            ),
        ),
        Part(
            "variance",
            1,
            "the variance of one number",
            reads=("variance",),
            hints=(
                "The variance is the mean of the squares minus the square of the mean.",
                "The number that is kept has been scaled.",
            ),
        ),
        Part(
            "many",
            1,
            "a row of weights, and a vector",
            reads=("row_sum", "intact"),
            hints=(
                "Does a weight that is kept know what happened to the others?",
                "Each of the six numbers has a draw of its own.",
            ),
        ),
        Part(
            "by_row",
            1,
            "two occurrences, where rows are hidden",
            reads=("by_row",),
            hints=(
                "How many draws decide over the two occurrences?",
                "A row of the table is drawn once.",
            ),
        ),
        Part(
            "by_word",
            1,
            "two occurrences, where words are hidden",
            reads=("by_word",),
            hints=(
                "How many draws decide over the two occurrences?",
                "A word of the text is drawn each time it occurs.",
            ),
        ),
    ],
)
