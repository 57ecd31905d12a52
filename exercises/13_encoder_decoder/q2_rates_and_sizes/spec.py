"""Question 13.2: Rates and sizes."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="13.2",
    title="Rates and sizes",
    kind="derive",
    difficulty=2,
    minutes=25,
    reference={
        "peak": 256000**-0.5,
        "early": 250.0,
        "late": 16000.0,
        "weights": 1048576,
        "more": 4 / 3,
        "scores": 75,
    },
    clauses={
        "with steps counted from 1": ("late", "late_after_peak"),
        "width $d = 256$": ("peak", "width_without_root"),
        "with six digits or more": "the comparison takes six digits",
        "`early`: the step before": ("early", "early_root"),
        "`late`: the step after": ("late", "late_line"),
        "4 heads of 64 features": "the heads share the matrices out: heads_counted_twice changes two numbers",
        "those of one block of the decoder": "one_attention changes the ratio as well",
        "in one block of the encoder": ("more", "more_inverted"),
        "the decoder reads 6 words": ("scores", "one_more_read"),
        "Count one head of one block": ("scores", "four_heads"),
    },
    parts=[
        Part(
            "peak",
            1,
            "the schedule's peak",
            reads=("peak",),
            hints=(
                "At which step are the two terms of the minimum equal?",
                "The width and the steps of warm-up both stand under a root.",
            ),
        ),
        Part(
            "early",
            1,
            "where the rate is a quarter of the peak, before it",
            reads=("early",),
            hints=(
                "Before the peak the rate is proportional to the step.",
                "The peak is at the last step of warm-up. At which share of it is the rate a quarter?",
            ),
        ),
        Part(
            "late",
            1,
            "where the rate is a quarter of the peak, after it",
            reads=("late",),
            hints=(
                "After the peak the rate is proportional to one over the root of the step.",
                "A quarter of a root is the root of a sixteenth.",
            ),
        ),
        Part(
            "weights",
            1,
            "the weights of a block of the decoder",
            reads=("weights",),
            hints=(
                "Which three sub-layers has a block of the decoder, and which matrices has each?",
                "An attention has four matrices of width by width. Its heads share them out.",
            ),
        ),
        Part(
            "more",
            1,
            "how many times an encoder's block that is",
            reads=("more",),
            hints=(
                "How many matrices of each size has a block of the encoder, and how many one of the decoder?",
                "An encoder's block has one attention. Which of the two counts is divided by the other?",
            ),
        ),
        Part(
            "scores",
            1,
            "open pairs of a query and a key",
            reads=("scores",),
            hints=(
                "Row i of a causal mask has i open cells. How many is that for six rows?",
                "Cross-attention has one row per word that is read and one column per source word.",
            ),
        ),
    ],
)
