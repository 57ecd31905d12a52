"""Question 03.1: How far back, and how few bits."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="03.1",
    title="How far back, and how few bits",
    kind="derive",
    difficulty=1,
    minutes=20,
    reference={
        "field": 1024,
        "milliseconds": 191.875,
        "doubled": 9,
        "plain": 392,
        "smaller": 128 / 3,
        "uniform": 49 * math.log(512),
        "bits": 88.33 / 784 / math.log(2),
    },
    clauses={"it takes at least for a receptive field": ("depth", "rounded_down")},
    parts=[
        Part(
            "one stack",
            1,
            "the receptive field of ten layers",
            reads=("field",),
            hints=(
                "How far back does one layer with k = 2 and dilation 4 look?",
                "Each layer adds its own dilation to what the layers below it reach.",
                "Add up the ten dilations. The place t itself counts too.",
            ),
        ),
        Part(
            "three stacks",
            1,
            "the sound that three stacks take in",
            reads=("milliseconds",),
            hints=(
                "Three stacks reach back three times as far as one. But the place t itself is counted once.",
                "At 16,000 samples a second a millisecond has 16 samples.",
            ),
        ),
        Part(
            "depth",
            1,
            "how many layers it takes, with doubled dilations and without",
            reads=("doubled", "plain"),
            hints=(
                "With k = 3 a layer reaches back by twice its dilation. How far do n layers reach?",
                "784 places are 783 before the present and the present itself.",
                "Half a layer does not exist: round up.",
            ),
        ),
        Part(
            "codes",
            1,
            "what codes save, and what they cost under a uniform prior",
            reads=("smaller", "uniform"),
            hints=(
                "How many bits name one of 512 codes?",
                "Every place of the grid has a code of its own, so the costs of the places add up.",
                "A nat is log with base e: -log p of one of 512 equally probable codes.",
            ),
        ),
        Part(
            "bits",
            1,
            "NADE's nats as bits per pixel",
            reads=("bits",),
            hints=(
                "One nat is 1 / ln 2 bits, more than one.",
                "The image has 784 pixels.",
            ),
        ),
    ],
)
