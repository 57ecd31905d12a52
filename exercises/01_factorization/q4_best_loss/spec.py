"""Question 01.4: The best possible loss."""

import math

from autograder.authoring import Part, Question


def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


QUESTION = Question(
    id="01.4",
    title="The best possible loss",
    kind="derive",
    difficulty=3,
    minutes=20,
    reference={
        "after_a": entropy(0.1),
        "share": 0.8,
        "rate": 0.8 * entropy(0.1) + 0.2 * entropy(0.4),
        "perplexity": math.exp(0.8 * entropy(0.1) + 0.2 * entropy(0.4)),
        "memoryless": entropy(0.8),
    },
    clauses={
        "`b` with probability 0.1": ("after_a", "after_a_in_bits"),
        "`a` with probability 0.4": ("share", "share_of_b"),
        "the same as a perplexity": ("perplexity", "base_two"),
        "with the same two probabilities": ("memoryless", "uniform_model"),
        "Give numbers to six digits": "the precision in which all five are compared",
    },
    parts=[
        Part(
            "after_a",
            1,
            "the surprisal that a reader expects after an a",
            reads=("after_a",),
            hints=(
                "After an a there are two possibilities, with probabilities 0.1 and 0.9. What is the "
                "surprisal of each?",
                "Weigh each surprisal, -ln p, with the probability that it occurs.",
                "Nats belong to the natural logarithm.",
            ),
        ),
        Part(
            "share",
            1,
            "the share of a's in the long run",
            reads=("share",),
            hints=(
                "In the long run as many steps lead from a to b as from b to a.",
                "If a share of all tokens is a, which share of all steps leads from a to b?",
            ),
        ),
        Part(
            "rate",
            1,
            "the entropy rate in nats",
            reads=("rate",),
            hints=(
                "The next token's entropy is one number after an a and another after a b. How often "
                "does each count?",
                "Weigh the two entropies with the shares of a and b.",
            ),
        ),
        Part(
            "perplexity",
            1,
            "the perplexity of the source",
            reads=("perplexity",),
            hints=(
                "Perplexity is an exponential of the entropy rate. With which base, if the rate is in nats?",
                "It lies between 1 and 2 here, for there are two tokens.",
            ),
        ),
        Part(
            "memoryless",
            1,
            "the best loss without a memory",
            reads=("memoryless",),
            hints=(
                "A model that forgets everything predicts a with one fixed probability. Which one is best?",
                "The best is the share of a's: what is the expected -ln p then?",
            ),
        ),
    ],
)
