"""Question 05.3: What padding takes."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="05.3",
    title="What padding takes",
    kind="derive",
    difficulty=2,
    minutes=15,
    reference={"context": [8 / 17, 24 / 17], "padded": [0.4, 1.2], "half": 18},
    clauses={
        "A source of three words has": "numbers that each part uses",
        "put sources of different lengths": "a reason to ask",
        "The decoder's state is": "numbers that each part uses",
        "the list of the two numbers": ("padded", "harmless"),
        "if three places of padding follow": ("padded", "one_place"),
        "takes more than half of the weight": ("half", "exactly_half"),
        "six digits or more where": "how precise a number is to be, as each part compares it",
    },
    parts=[
        Part(
            "context",
            1,
            "the context of the three words",
            reads=("context",),
            hints=(
                "What is the exponential of a sum of logarithms, and of a logarithm times 2?",
                "The three exponentials are whole numbers. Divide each by their sum.",
                "The context is the sum of the states, each times its weight.",
            ),
        ),
        Part(
            "padded",
            2,
            "the context with three places of padding",
            reads=("padded",),
            hints=(
                "What is the score of a state of zeros, and what is its exponential?",
                "These exponentials enter the sum by which all are divided.",
                "Padding adds nothing to the weighted sum, but its weights are missing elsewhere.",
            ),
        ),
        Part(
            "half",
            1,
            "how much padding takes more than half of the weight",
            reads=("half",),
            hints=(
                "Write the share of n places of padding as a fraction.",
                "More than half means more than all words together. Where is it exactly half?",
            ),
        ),
    ],
)
