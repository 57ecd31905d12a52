"""Question 15.3: Repair an accumulation."""

import numpy as np
from autograder.authoring import Part, Question

from ..inputs import NUMBERS, whole

IGNORED = -100


def batches(rng, kinds):
    """Pieces of so many rows, of which so many are padding; their rows are in random order."""
    for sizes, padded, features, classes, most, scale in kinds:
        rows = sum(sizes)
        targets = rng.integers(0, classes, rows)
        first = 0
        for size, n in zip(sizes, padded):
            targets[first + rng.permutation(size)[:n]] = IGNORED
            first += size
        yield {
            "inputs": rng.standard_normal((rows, features)),
            "targets": targets,
            "weight": scale * rng.standard_normal((features, classes)),
            "sizes": list(sizes),
            "ignored": IGNORED,
            "most": most,
        }


def unequal_pieces(rng):
    yield from batches(
        rng,
        [
            ((4, 1), (0, 0), 3, 4, 1e9, 1.0),
            ((2, 5, 1), (0, 0, 0), 2, 3, 1e9, 1.0),
            ((1, 7), (0, 0), 5, 2, 1e9, 400.0),
            ((3, 110), (0, 0), 4, 4, 1e9, 1.0),
        ],
    )


def padded_pieces(rng):
    """Pieces of equal length with equally many targets, so that only what a piece divides by matters."""
    yield from batches(
        rng,
        [
            ((4, 4), (1, 1), 3, 4, 1e9, 1.0),
            ((5, 5, 5), (3, 3, 3), 2, 3, 1e9, 1.0),
            ((6,), (4,), 4, 5, 1e9, 1.0),
            ((3, 3), (2, 2), 5, 2, 1e9, 400.0),
        ],
    )


def clipped(rng):
    yield from batches(
        rng,
        [
            ((3, 3), (0, 0), 3, 4, 0.05, 1.0),
            ((2, 2, 2), (0, 0, 0), 4, 3, 0.3, 2.0),
            ((1, 1, 1, 1), (0, 0, 0, 0), 2, 5, 0.1, 1.0),
            ((2, 2), (0, 0), 3, 3, 0.2, 400.0),
        ],
    )
    yield from near_the_limit(rng, 0.8)


def near_the_limit(rng, share):
    """Gradients of norms below and above 1, and this share of each as the greatest norm."""
    kinds = [((2, 2), (0, 0), 3, 4, np.inf, 1.0), ((3, 3, 3), (0, 0, 0), 4, 3, np.inf, 1.0)]
    for norm in (0.3, 3.0):
        for case in batches(rng, kinds):
            case["weight"] *= 0.0  # the gradient is linear in the inputs
            case["inputs"] *= norm / np.linalg.norm(accumulated(**case))
            yield {**case, "most": share * norm}


def everything(rng):
    yield from batches(
        rng,
        [
            ((3, 5), (2, 0), 3, 4, 0.1, 1.0),
            ((4, 2, 3), (1, 2, 0), 2, 3, 1e9, 1.0),
            ((1, 6, 2), (1, 3, 0), 4, 2, 0.2, 300.0),
            ((1,), (0,), 3, 3, 1e9, 1.0),
            ((2, 3), (0, 1), 1, 4, 1e9, 1.0),
            ((whole(rng, 2, 6), 4), (1, 4), 3, 3, 0.3, 1.0),
            ((5, 3), (2, 0), 3, 4, 1e9, 1.0),
        ],
    )
    kinds = [((3, 2), (1, 0), 3, 4, 1e9, 1.0), ((2, 4), (1, 2), 2, 5, 0.2, 1.0)]
    for ignored in (0, 99):  # the number for padding may be that of a class
        for case in batches(rng, kinds):
            targets = np.where(case["targets"] == ignored, 1, case["targets"])
            yield {**case, "targets": np.where(targets == IGNORED, ignored, targets), "ignored": ignored}
    yield from near_the_limit(rng, 1.25)
    (still,) = batches(rng, [((2, 1), (0, 0), 3, 4, 0.5, 1.0)])
    yield {**still, "inputs": np.zeros((3, 3))}
    yield {**still, "most": 0.0}
    yield from batches(rng, [((0, 3), (0, 1), 3, 4, 1e9, 1.0), ((2, 0, 2, 0), (1, 0, 0, 0), 2, 3, 0.2, 1.0)])
    (sure,) = batches(rng, [((3, 2), (0, 0), 4, 3, 1e9, 1e6)])  # all right, and certain: no gradient
    sure["inputs"] *= 1e4
    yield {**sure, "targets": (sure["inputs"] @ sure["weight"]).argmax(1)}


def call_accumulated(student, inputs):
    return {"gradient": student.accumulated(**inputs)}


def accumulated(inputs, targets, weight, sizes, ignored, most):
    rows = [i for i, target in enumerate(targets) if target != ignored]
    gradient = np.zeros(weight.shape)
    for i in rows:
        scores = inputs[i] @ weight
        p = np.exp(scores - scores.max())
        p /= p.sum()
        p[targets[i]] -= 1
        gradient += np.outer(inputs[i], p) / len(rows)
    norm = np.linalg.norm(gradient)
    return gradient * (most / norm) if norm > most else gradient


QUESTION = Question(
    id="15.3",
    title="Repair an accumulation",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"accumulated": accumulated},
    exempt=NUMBERS,
    parts=[
        Part(
            "pieces",
            1,
            "pieces of different lengths, without padding, without clipping",
            call_accumulated,
            inputs=unequal_pieces,
            hints=(
                "Pieces of 4 rows and of 1 row: how much does each row count in your result?",
                "The mean of the pieces' means is not the mean over all rows.",
            ),
        ),
        Part(
            "padding",
            1,
            "pieces of equal length with equally many targets that are padding",
            call_accumulated,
            inputs=padded_pieces,
            hints=(
                "By how many is the sum over a piece divided?",
                "Padding adds nothing to the sum, so it must not be in the count either.",
            ),
        ),
        Part(
            "clipping",
            1,
            "pieces of equal length, without padding, with a small greatest norm",
            call_accumulated,
            inputs=clipped,
            hints=(
                "Whose norm is to be at most `most`?",
                "Clip once, after all pieces have been added.",
            ),
        ),
        Part(
            "all",
            3,
            "all at once; also pieces of padding alone or of no row, and sure rows",
            call_accumulated,
            inputs=everything,
            hints=(
                "If another part is lost, mend that first.",
                "What does your code do with a piece that has no target? Nothing may be divided by 0.",
                "A greatest norm of 0 leaves no gradient, and probabilities may be 0 and 1.",
                "Add up sums over targets, and divide once by the targets of the whole batch.",
            ),
        ),
    ],
)
