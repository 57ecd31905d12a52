"""Question 05.5: Measure how often order crosses."""

import math

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def alignment(rng, steps, sources):
    """Some rows are certain, some have equal largest weights."""
    weights = rng.random((steps, sources)) ** 2 + 0.01
    for row in weights[1::3]:
        row[:] = np.floor(4 * row)
        row[rng.permutation(sources)[:2]] = 5.0
    if steps > 2:
        weights[2, :] = np.eye(sources)[whole(rng, 0, sources)]
    return weights / weights.sum(1, keepdims=True)


def small_alignments(rng):
    """Drawn; the example of the text; largest weights nearly equal; weights below a thousandth."""
    for steps, sources in sizes(rng, steps=6, sources=5, far={"sources": 104}):
        yield {"alignments": [alignment(rng, steps, sources), alignment(rng, 2, 3)]}
    yield {"alignments": [alignment(rng, *shape) for shape in ((1, 3), (4, 3), (2, 5))]}
    yield {"alignments": [alignment(rng, 12, 2), alignment(rng, 1, 1)]}
    yield {"alignments": [np.array([[0.0, 1.0], [0.5, 0.5], [0.75, 0.25]])]}
    yield {
        "alignments": [
            np.array([[0.30002, 0.30006, 0.39992], [0.49998, 0.50002, 0.0], [0.50001, 0.49999, 0.0]]),
            np.array([[0.4004, 0.4006, 0.199], [1.0, 0.0, 0.0]]),
        ]
    }
    small = rng.uniform(3e-4, 9e-4, 2)
    yield {"alignments": [np.stack([1 - small, small], 1)]}


def call_measure(student, inputs):
    return dict(student.measure(inputs["alignments"]))


def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        steps, sources = weights.shape
        for j in range(steps):
            bits.append(-math.fsum(w * math.log2(w) for w in weights[j].tolist() if w > 0))
            for k in range(j):
                crossed.append(int(weights[k].argmax() > weights[j].argmax()))
                later = [weights[k, i] * weights[j, :i].sum() for i in range(sources)]
                expected.append(math.fsum(later))
    return {
        name: math.fsum(x) / len(x)
        for name, x in (("crossed", crossed), ("expected", expected), ("bits", bits))
    }


def give_crossings(student, inputs):
    return {name: student.report[name] for name in ("crossed", "expected")}


def give_bits(student, inputs):
    return {"bits": student.report["bits"]}


# The run is the same everywhere: float64, seeds, 150 steps. With first weights perturbed by 1e-6 its
# numbers change by 4e-6 at most, and the largest weight of a row is ahead by 1e-3 or more.
QUESTION = Question(
    id="05.5",
    title="Measure how often order crosses",
    kind="experiment",
    difficulty=3,
    minutes=30,
    reference={
        "measure": measure,
        "report": {"crossed": 0.20260223, "expected": 0.25077207, "bits": 0.78999377},
    },
    exempt={"measure: alignments clipped at 10": "a weight is at most 1"},
    clauses={
        "so whoever translates numbers has to": "a story",
        "the chapter's translator with attention": "given code",
        "all its steps run at once": "given code",
        "row $j$ says how much": "says what the rows are, which each part uses",
        "to four significant digits or more": "two_digits loses both reports",
        "(The numbers count if": "both reports require the parts before them",
        "alone has the most attended sources": "last_of_equals loses crossed, and with it the report",
        "Two of its three pairs": "an example, which is a case of each part",
        "cross in 0.5, 0.75 and 0.375": "an example, which is a case of each part",
        "The rows have 0, 1 and 0.811 bits": "an example, which is a case of each part",
        "of any sizes from 1": "drawn in each part",
        "entries are 0 or larger": "nan loses bits, and with it the report",
        "two steps or more": "no case has less",
        "a weight of 0 adds nothing": "nan loses bits, and with it the report",
    },
    parts=[
        Part(
            "crossed",
            2,
            "on small alignments: pairs whose most attended sources are in reversed order",
            call_measure,
            inputs=small_alignments,
            compare=("crossed",),
            hints=(
                "Work out the three pairs of the example by hand.",
                "Two steps with the same source do not cross, and of equal weights the first counts.",
                "Divide by the number of pairs of all sentences together, n * (n - 1) / 2 for n steps.",
            ),
        ),
        Part(
            "expected",
            2,
            "on small alignments: how likely drawn sources cross",
            call_measure,
            inputs=small_alignments,
            compare=("expected",),
            hints=(
                "For one pair: which combinations of two sources cross, and how likely is each?",
                "The draws are independent, so the chance of a combination is a product of two weights.",
                "Each weight of the earlier step goes with all weights of the later step on sources that "
                "stand before it.",
            ),
        ),
        Part(
            "bits",
            1,
            "on small alignments: the mean entropy",
            call_measure,
            inputs=small_alignments,
            compare=("bits",),
            hints=(
                "The entropy of two equal weights is 1 bit, and of a certain row 0.",
                "0 times the logarithm of 0 counts as 0, and the logarithm has base 2.",
                "The mean is over all rows of all sentences, not over sentences.",
            ),
        ),
        Part(
            "reported crossings",
            2,
            "your run: crossings",
            give_crossings,
            conceal=True,
            digits=4,
            requires=("crossed", "expected"),
            hints=(
                "Are these the values of `measure` on the alignments of the cell above?",
                "Give four significant digits or more.",
            ),
        ),
        Part(
            "reported bits",
            1,
            "your run: the entropy",
            give_bits,
            conceal=True,
            digits=4,
            requires=("bits",),
            hints=(
                "Is it the value of `measure` on the alignments of the cell above?",
                "Give four significant digits or more.",
            ),
        ),
    ],
)
