"""Question 06.5: Which of these can see order?"""

from autograder.authoring import Part, Question


def give_without_masks(student, inputs):
    answers = student.without_masks
    if not isinstance(answers, str) and hasattr(answers, "__len__"):
        answers = [bool(answer) if answer in (0, 1) else answer for answer in answers]
    return {"without_masks": answers}


def give_with_masks(student, inputs):
    answers = student.with_masks
    if not isinstance(answers, str) and hasattr(answers, "__len__"):
        answers = [bool(answer) if answer in (0, 1) else answer for answer in answers]
    return {"with_masks": answers}


QUESTION = Question(
    id="06.5",
    title="Which of these can see order?",
    kind="derive",
    difficulty=3,
    minutes=15,
    hints=(
        "Ask of each: if I renumber the objects, is every sum over the same objects as before, with the "
        "same weights?",
        "A rule that mentions the numbers i and j does not survive renumbering, unless it only asks "
        "whether they are equal. A rule about what stands in x_j does.",
    ),
    reference={
        "without_masks": [True, False, True, True, False],
        "with_masks": [True, False, True, False],
    },
    clauses={
        "if permuting its inputs": "the definition, which every line asks about",
        "a list of five": "the form of the answer",
        "a list of four": "the form of the answer",
        "softmax taken over the queries": ("without masks", "axis"),
        "a learned vector for each position": ("without masks", "places"),
        "a position-wise ReLU network": ("without masks", "network"),
        "replaced by the mean": ("without masks", "mean"),
        "over three neighboring objects": ("without masks", "convolution"),
        "only if the first feature": ("with masks", "content"),
        "with the causal mask": ("with masks", "causal"),
        "no object may attend to itself": ("with masks", "self"),
        "may attend to the objects $i - 2": ("with masks", "window"),
    },
    parts=[
        Part(
            "without masks",
            2,
            "the five functions without a mask",
            give_without_masks,
            hints=(
                "Ask of each: if I renumber the objects, is every sum over the same objects as before, "
                "with the same weights?",
                "Two of the five mention positions or neighbors. For the others write down the output "
                "of object i, and renumber.",
                "To be equivariant is not to be useful: a wrong softmax, or the same output for all "
                "objects, can be equivariant too.",
            ),
        ),
        Part("with masks", 2, "the four masked self-attentions", give_with_masks),
    ],
)
