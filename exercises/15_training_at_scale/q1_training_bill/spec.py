"""Question 15.1: The bill."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="15.1",
    title="The bill",
    kind="derive",
    difficulty=1,
    minutes=25,
    reference={
        "blocks": 16515072,
        "whole": 22159360,
        "forward": 57193529344,
        "crossing": 2688,
        "cache": 25165824,
        "states": 88637440,
    },
    clauses={
        "has width $d = 512$": "the numbers of the question",
        "It reads at most 1,024": "no_positions changes the states as well",
        "Count no biases": "the numbers of the question",
        "with all pairs in attention": ("forward", "causal"),
        "an addition as two": ("forward", "multiplications"),
        "cost as much as the blocks": ("crossing", "six_widths"),
        "8 texts of 1,024 tokens": ("cache", "keys_without_values"),
        "each of 4 workers": ("states", "not_sharded"),
        "All six are whole numbers": "the comparison takes six digits",
    },
    parts=[
        Part(
            "blocks",
            1,
            "the parameters of the blocks",
            reads=("blocks",),
            hints=(
                "Which matrices has a block? Write down the two sizes of each.",
                "The matrices of keys and of values have columns for two heads, not for eight.",
            ),
        ),
        Part(
            "whole",
            1,
            "all parameters",
            reads=("whole",),
            hints=(
                "Which tables has the model beside its blocks, and what are the two sizes of each?",
                "The embeddings are the head as well, so count them once; positions have a table too.",
            ),
        ),
        Part(
            "forward",
            1,
            "the operations of a text",
            reads=("forward",),
            hints=(
                "Each weight of a matrix costs two operations per token. What costs without weights?",
                "Every head of queries compares all pairs and then mixes the values of all pairs.",
                "The head is a product too: one of width by vocabulary for each token.",
            ),
        ),
        Part(
            "crossing",
            1,
            "where the pairs catch up",
            reads=("crossing",),
            hints=(
                "The crossing asks for the blocks alone: set both terms equal and solve for the length.",
                "Per token of a text of n, a head of queries needs 4 n k operations for scores and mixing.",
            ),
        ),
        Part(
            "cache",
            1,
            "the bytes of a cache",
            reads=("cache",),
            hints=(
                "Which heads does a cache hold: those of the queries or those of the keys?",
                "Keys and values are two numbers for each feature of a head, in each block.",
            ),
        ),
        Part(
            "states",
            1,
            "the bytes of a worker's states",
            reads=("states",),
            hints=(
                "How many numbers does Adam's training keep for each parameter, and how many bytes has each?",
                "Four numbers of four bytes belong to each parameter, and four workers share them.",
            ),
        ),
    ],
)
