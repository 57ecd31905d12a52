"""Question 09.2: What a scheme costs, and how far it reaches."""

import math

from autograder.authoring import Part, Question

QUESTION = Question(
    id="09.2",
    title="What a scheme costs, and how far it reaches",
    kind="derive",
    difficulty=2,
    minutes=20,
    reference={
        "one_hot": 589824,
        "joint": 2621440,
        "relative": 198144,
        "wavelength": 2 * math.pi * 10000**0.375,
        "slow": 17,
        "similarity": math.cos(2) + math.cos(0.02),
        "penalty": math.exp(-1.5),
    },
    parts=[
        Part(
            "one_hot",
            1,
            "parameters of the one-hot form",
            reads=("one_hot",),
            hints=(
                "How long is the extended vector? The map has one row for each of its features.",
                "(x_t, e_t) has d + n features, and the map sends each of them to d.",
            ),
        ),
        Part(
            "joint",
            1,
            "parameters of the joint form",
            reads=("joint",),
            hints=(
                "The joint form has three matrices. Which of them have a side of length n?",
                "W_x is d x m, W_e is n x m, and W_z is m x d.",
            ),
        ),
        Part(
            "relative",
            1,
            "parameters of the vectors of distances",
            reads=("relative",),
            hints=(
                "How many distances are there from -c to c, with 0?",
                "Each of them has a vector of a head's width, in each head of each block.",
            ),
        ),
        Part(
            "wavelength",
            1,
            "a wavelength",
            reads=("wavelength",),
            hints=(
                "A pair has gone around when its angle is 2 pi. What is the angle after t positions?",
                "The wavelength of pair j is 2 pi times the base to the power 2j/d.",
            ),
        ),
        Part(
            "slow",
            1,
            "the pairs that are slower than the context",
            reads=("slow",),
            hints=(
                "If `wavelength` is wrong, mend that first.",
                "Write the 64 wavelengths down with a loop and count.",
            ),
        ),
        Part(
            "similarity",
            1,
            "how alike two positions are",
            reads=("similarity",),
            hints=(
                "The products of sines and of cosines of one pair add up to a single cosine. Of what?",
                "With d = 4 there are two pairs, of rates 1 and 1/100.",
            ),
        ),
        Part(
            "penalty",
            1,
            "what ALiBi does to a key",
            reads=("penalty",),
            hints=(
                "The slope of head h of H is 2 to the power -8h/H, and h counts from 1.",
                "The penalty is subtracted from the score. What does that do to its exponential?",
            ),
        ),
    ],
)
