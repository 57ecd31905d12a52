"""Question 06.3: How large is a score?"""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="06.3",
    title="How large is a score?",
    kind="derive",
    difficulty=2,
    minutes=20,
    reference={
        "variance": 72.0,
        "scale": 72.0**-0.5,
        "shifted": 720.0,
        "own_mean": 48.0,
        "own_variance": 96.0,
    },
    clauses={
        "rests on assumptions": "where the question comes from",
        "of a head of width 48": ("variance", "deviation"),
        "except where stated": ("own", "own_independent"),
        "mean 0 and variance 0.5": ("variance", "deviation"),
        "to have variance 1": ("scale", "one_over_variance"),
        "has mean 2 and variance 1": ("shifted", "mean_ignored"),
        "is normal with mean 0": ("own", "own_zero"),
        "a standard normal number is 3": ("own", "own_fourth"),
        "six digits or more": "how to type the numbers; `digits` sees to it",
    },
    parts=[
        Part(
            "variance",
            1,
            "the variance of the score",
            reads=("variance",),
            hints=(
                "s is a sum of 48 independent terms. What is the variance of one of them?",
                "For independent factors with mean 0 the variance of a product is the product of the "
                "variances.",
            ),
        ),
        Part(
            "scale",
            1,
            "the factor that makes it 1",
            reads=("scale",),
            hints=(
                "What happens to a variance when the variable is multiplied by c?",
                "It becomes c^2 times as large. Which c takes `variance` to 1?",
            ),
        ),
        Part(
            "shifted",
            1,
            "the variance when the keys have a mean",
            reads=("shifted",),
            hints=(
                "A product of independent factors has the variance E[q^2] E[k^2] - (E[q] E[k])^2.",
                "E[k^2] is not the variance of k when k has a mean: add the square of the mean.",
            ),
        ),
        Part(
            "own",
            2,
            "mean and variance of a token's score with itself",
            reads=("own_mean", "own_variance"),
            hints=(
                "With k = q each term is q^2. Are the mean of a square and the square of the mean the same?",
                "The mean of q^2 is the variance of q. The variance of q^2 is E[q^4] - E[q^2]^2.",
                "Add up 48 such terms.",
            ),
        ),
    ],
)
