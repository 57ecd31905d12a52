"""Question 17.2: Reaches and a bill."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="17.2",
    title="Reaches and a bill",
    kind="derive",
    difficulty=2,
    minutes=15,
    reference={"reach": 768, "layers": 6, "per_word": 131_072, "texts": 13},
    clauses={
        "at least": ("layers", "rounded_down"),
        "besides the weights": "says what the room is for",
    },
    parts=[
        Part(
            "reach",
            1,
            "how far back the last word can see",
            reads=("reach",),
            hints=(
                "How far back does a word of the first layer see? And one of the second?",
                "The word itself is no word before it. Each layer adds what a query sees before itself.",
            ),
        ),
        Part(
            "layers",
            1,
            "the layers that reach the first sentence",
            reads=("layers",),
            hints=(
                "How far do five layers reach?",
                "Divide the distance by what a layer adds. Which way must the result be rounded?",
            ),
        ),
        Part(
            "bytes",
            1,
            "the bytes of one word in the cache",
            reads=("per_word",),
            hints=(
                "What is kept for each head of keys, and in how many blocks?",
                "A key and a value for every head that has its own, in every block, two bytes a number.",
            ),
        ),
        Part(
            "texts",
            1,
            "how many whole texts fit",
            reads=("texts",),
            hints=(
                "How many bytes does one text of this length take?",
                "Divide the room by a text's bytes. Can a part of a text be served?",
            ),
        ),
    ],
)
