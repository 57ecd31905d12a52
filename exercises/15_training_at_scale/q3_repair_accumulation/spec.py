"""Question 15.3: Repair an accumulation."""

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import NUMBERS, whole

IGNORED = -100


def batches(rng, kinds):
    """Pieces of so many rows, of which so many are padding; their rows are in random order."""
    for pieces, padded, features, classes, most, scale in kinds:
        rows = sum(pieces)
        targets = rng.integers(0, classes, rows)
        first = 0
        for size, n in zip(pieces, padded):
            targets[first + rng.permutation(size)[:n]] = IGNORED
            first += size
        yield {
            "inputs": rng.standard_normal((rows, features)),
            "targets": targets,
            "weight": scale * rng.standard_normal((features, classes)),
            "sizes": list(pieces),
            "ignored": IGNORED,
            "most": most,
        }


def pieces_of(rng, rows, pieces):
    """Lengths of pieces that make up all rows, not all equal where that can be."""
    cuts = np.sort(rng.choice(np.arange(1, rows), min(pieces, rows) - 1, replace=False))
    found = np.diff([0, *cuts, rows])
    if len(set(found.tolist())) == 1 and found[0] > 1 and len(found) > 1:
        found[0], found[-1] = found[0] - 1, found[-1] + 1
    return tuple(int(n) for n in found)


def unequal_pieces(rng):
    for rows, features, classes in sizes(rng, rows=8, features=5, classes=(2, 5), far={"rows": 110}):
        pieces = pieces_of(rng, rows, 3)
        yield from batches(rng, [(pieces, (0,) * len(pieces), features, classes, 1e9, 1.0)])
    yield from batches(rng, [((1, 7), (0, 0), 5, 6, 1e9, 400.0), ((4, 1), (0, 0), 3, 4, 1e9, 1.0)])
    yield from batches(rng, [((whole(rng, 257, 300), 3), (0, 0), 2, 3, 1e9, 1.0)])


def padded_pieces(rng):
    """Pieces of equal length with equally many targets, so that only what a piece divides by matters."""
    for pieces, features, classes in sizes(rng, pieces=4, features=5, classes=(2, 5)):
        size = whole(rng, 2, 7)
        padded = (whole(rng, 1, size),) * pieces
        yield from batches(rng, [((size,) * pieces, padded, features, classes, 1e9, 1.0)])
    yield from batches(rng, [((3, 3, 3), (1, 1, 1), 5, 6, 1e9, 400.0), ((6,), (4,), 4, 5, 1e9, 1.0)])


def clipped(rng):
    yield from batches(
        rng,
        [
            ((3, 3), (0, 0), 3, 4, 0.05, 1.0),
            ((2, 2, 2), (0, 0, 0), 4, 3, 0.3, 2.0),
            ((1, 1, 1, 1), (0, 0, 0, 0), 2, 5, 0.1, 1.0),
            ((4, 4), (0, 0), 3, 6, 0.2, 400.0),
        ],
    )
    yield from near_the_limit(rng, 0.8)


def near_the_limit(rng, share):
    """Gradients of norms below and above 1, and this share of each as the greatest norm."""
    two, three = ((2, 2), (0, 0), 3, 4, np.inf, 1.0), ((3, 3, 3), (0, 0, 0), 4, 3, np.inf, 1.0)
    for norm, case in zip((0.3, 3.0, 40.0), batches(rng, [two, three, two])):
        case["weight"] *= 0.0  # the gradient is linear in the inputs
        case["inputs"] *= norm / np.linalg.norm(accumulated(**case))
        yield {**case, "most": share * norm}


def small_gradients(rng):
    """Gradients of norms down to 1e-9, above, at and below the greatest norm."""
    norms = [(3e-8, 2.0), (1e-9, 1e12), (1e-8, 0.5), (3e-9, 1.0)]
    kind = ((2, 2), (0, 0), 3, 4, np.inf, 1.0)
    for (norm, share), case in zip(norms, batches(rng, [kind] * len(norms))):
        case["weight"] *= 0.0
        case["inputs"] *= norm / np.linalg.norm(accumulated(**case))
        yield {**case, "most": share * norm}


def everything(rng):
    yield from small_gradients(rng)
    for rows, features, classes in sizes(rng, rows=(2, 8), features=5, classes=(2, 5), far={"features": 100}):
        pieces = pieces_of(rng, rows, 3)
        padded = tuple(whole(rng, 0, n) for n in pieces)
        yield from batches(rng, [(pieces, padded, features, classes, float(rng.choice([0.1, 1e9])), 1.0)])
    yield from batches(rng, [((2, 3), (0, 1), 3, 1, 1e9, 1.0)])  # one class: nothing to be learned
    # small weights that matter
    (case,) = batches(rng, [((2, 3), (1, 0), 3, 4, 1e9, 1e-4)])
    yield {**case, "inputs": 1e4 * case["inputs"]}
    # a class above 255
    (case,) = batches(rng, [((2, 2), (1, 0), 2, 300, 1e9, 1.0)])
    yield {
        **case,
        "targets": np.where(case["targets"] == IGNORED, 280, 299 - case["targets"] % 20),
        "ignored": 280,
    }
    yield from batches(
        rng,
        [
            ((3, 5), (2, 0), 3, 4, 0.1, 1.0),
            ((4, 2, 3), (1, 2, 0), 2, 3, 1e9, 1.0),
            ((1, 6, 2), (1, 3, 0), 4, 2, 0.2, 300.0),
            ((whole(rng, 2, 6), 4), (1, 4), 3, 3, 0.3, 1.0),
            ((5, 3), (2, 0), 3, 4, 1e9, 1.0),
        ],
    )
    kinds = [((3, 2), (1, 0), 3, 4, 1e9, 1.0), ((2, 4), (1, 2), 2, 5, 0.2, 1.0)]
    for ignored, case in zip((0, 99), batches(rng, kinds)):  # the number for padding may be that of a class
        targets = np.where(case["targets"] == ignored, 1, case["targets"])
        yield {**case, "targets": np.where(targets == IGNORED, ignored, targets), "ignored": ignored}
    yield from near_the_limit(rng, 1.25)
    yield from near_the_limit(rng, 0.8)
    (still,) = batches(rng, [((2, 1), (0, 0), 3, 4, 0.5, 1.0)])
    yield {**still, "inputs": np.zeros((3, 3))}
    yield {**still, "most": 0.0}
    yield from batches(rng, [((0, 3), (0, 1), 3, 4, 1e9, 1.0), ((2, 0, 2, 0), (1, 0, 0, 0), 2, 3, 0.2, 1.0)])
    (sure,) = batches(rng, [((3, 2), (0, 0), 4, 3, 1e9, 1e6)])  # all right, and certain: no gradient
    sure["inputs"] *= 1e4
    yield {**sure, "targets": (sure["inputs"] @ sure["weight"]).argmax(1)}


def call_accumulated(student, inputs):
    gradient = np.asarray(student.accumulated(**inputs))
    if inputs["weight"].any():
        return {"gradient": gradient}
    # where all classes are alike the gradient may be small, and is exact all the same
    return {"gradient": gradient, "logarithm of the norm": np.log(np.sqrt((gradient**2).sum()))}


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
    clauses={
        "weight:  float64 array": "what the function is given",
        "returns: float64 array": "values are compared with those of float64",
        "A classifier has one matrix": "the formulas say so",
        "greater than `most`, it is": "largest_entry and squared_norm lose both parts that clip",
        "however small": ("all", "millionth_added"),
        "which has no loss": "padding_learned loses both parts in which there is padding",
        "Scores may be in the thousands": "there are such in every part",
        "It has three mistakes": "each has a part, and the bank mends one of them alone",
        "A piece may consist of padding": ("all", "empty_piece"),
        "`most` may be 0": ("all", "most_zero"),
        "at least one target, and": "it says what is not asked for",
        "may be any whole number": ("all", "negative_ignored"),
        "A gradient of 0 stays 0": ("all", "norm_alone"),
        "the numbers of rows of the pieces": "what the function is given",
        "inputs:  float64 array": "accumulated values are compared with those of float64",
    },
    parts=[
        Part(
            "pieces",
            1,
            "pieces of different lengths, without padding, without clipping",
            call_accumulated,
            inputs=unequal_pieces,
            hints=(
                "Work out the case that is told of: which rows has each piece, by what is the sum of all "
                "pieces divided in the end, and does anything change it after that?",
                "Each row should count alike. The mean of the pieces' means is not the mean over all rows.",
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
                "Print the norm of the gradient before it is clipped, of your result, and `most`. "
                "Which should be equal?",
                "One norm counts: that of the mean over the whole batch, after all pieces have been added.",
                "A gradient whose norm is at most `most` stays as it is.",
            ),
        ),
        Part(
            "all",
            3,
            "all at once; also pieces of padding alone or of no row, and sure rows",
            call_accumulated,
            inputs=everything,
            hints=(
                "Is the gradient of the case small, is `most` 0, has a piece no target, or is "
                "`ignored` a class?",
                "What does your code do with a piece that has no target? Nothing may be divided by 0.",
                "A greatest norm of 0 leaves no gradient, and probabilities may be 0 and 1.",
                "Add up sums over targets, and divide once by the targets of the whole batch.",
            ),
        ),
    ],
)
