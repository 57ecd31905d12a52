"""Question 15.4: Reduce and scatter."""

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import NUMBERS, whole


def workers(rng, kinds):
    for n, tokens in kinds:
        gradients = [
            rng.standard_normal(n) * 10.0 ** rng.uniform(-1, 1) if own else np.full(n, np.nan)
            for own in tokens
        ]
        yield {"gradients": gradients, "tokens": list(tokens)}


def equal_shares(rng):
    for n, length in sizes(rng, workers=5, length=6, far={"workers": 100, "length": 100}):
        yield from workers(rng, [(n * length, (whole(rng, 1, 9),) * n)])


def unequal_shares(rng):
    for n, length in sizes(rng, workers=(2, 5), length=6):
        tokens = rng.integers(1, 40, n)
        tokens[rng.permutation(n)[:2]] = 1, whole(rng, 256, 400)
        yield from workers(rng, [(n * length, tokens.tolist())])
    for case in workers(rng, [(6, (4, 3, 2))]):  # a worker whose targets leave no gradient
        yield {**case, "gradients": [np.zeros(6), *case["gradients"][1:]]}
    for size in (1e-9, 1e4):  # gradients of any size
        for case in workers(rng, [(4, (3, 1))]):
            yield {**case, "gradients": [size * gradient for gradient in case["gradients"]]}


def uneven_parts(rng):
    for n, length in sizes(rng, workers=(2, 5), length=5):
        yield from workers(rng, [(n * length - whole(rng, 1, n), (whole(rng, 1, 9),) * n)])
    yield from workers(rng, [(5, (4, 4)), (1, (3, 3, 3)), (2, (1,) * 5)])


def without_targets(rng):
    yield from workers(
        rng,
        [
            (4, (3, 0)),
            (6, (0, 5, 2)),
            (5, (0, 1)),
            (4, (0, 0)),
            (7, (0, 0, 0)),
            (3, (4, 0, 1)),
            (5, (0,)),
            (1, (0, 0)),
        ],
    )
    for case in workers(rng, [(6, (2, 0, 2))]):  # what is left of two gradients is a millionth of each
        one, none, _ = case["gradients"]
        yield {**case, "gradients": [one, none, -one * (1 + 1e-6 * rng.uniform(1, 2, 6))]}


def call_scatter(student, inputs):
    parts = student.reduce_scatter(inputs["gradients"], inputs["tokens"])
    return {f"worker {i}": part for i, part in enumerate(parts)} | {"parts": len(parts)}


def reduce_scatter(gradients, tokens):
    n_workers, n = len(tokens), len(gradients[0])
    total = max(sum(tokens), 1)
    mean = sum((g * (own / total) for g, own in zip(gradients, tokens) if own), np.zeros(n))
    padded = np.concatenate([mean, np.zeros(-n % n_workers)])
    return np.split(padded, n_workers)


QUESTION = Question(
    id="15.4",
    title="Reduce and scatter",
    kind="implement",
    difficulty=4,
    minutes=30,
    reference={"reduce_scatter": reduce_scatter},
    exempt=NUMBERS,
    clauses={
        "each keeps one part": "whole loses every part",
        "its own $T_a$ targets": ("unequal", "zero_gradient_is_missing"),
        "cut into $W$ parts of equal length": "no_filling loses both parts in which there is a rest",
        "where the length is not": "no_filling loses both parts in which there is a rest",
        "it adds nothing": ("empty", "nan"),
        "If nobody has a target": ("empty", "alone"),
        "one for each worker": "the number of parts is compared",
        "each worker, 0 or more": ("empty", "nan"),
        "arrays of equal length": "no_filling loses both parts in which there is a rest",
    },
    parts=[
        Part(
            "equal",
            1,
            "workers with equally many targets, parts without a rest",
            call_scatter,
            rtol=1e-7,
            atol=1e-14,
            inputs=equal_shares,
            hints=(
                "Work out one number of the result by hand: what is it made of, and which worker keeps it?",
                "With equally many targets the shared gradient is the mean over workers.",
                "Worker 0 keeps the first part, worker 1 the second, and so on.",
            ),
        ),
        Part(
            "unequal",
            3,
            "workers with different numbers of targets",
            call_scatter,
            rtol=1e-7,
            atol=1e-14,
            inputs=unequal_shares,
            hints=(
                "How much should a target count, whichever worker has read it?",
                "A worker's gradient is a mean over its targets: weigh it by how many they are.",
            ),
        ),
        Part(
            "uneven",
            1,
            "a number of parameters that the workers do not divide",
            call_scatter,
            rtol=1e-7,
            atol=1e-14,
            inputs=uneven_parts,
            hints=(
                "How long is each part, if 5 numbers go to 2 workers?",
                "Round the length up, and fill the end of the whole gradient with zeros.",
            ),
        ),
        Part(
            "empty",
            3,
            "workers without targets",
            call_scatter,
            rtol=1e-7,
            atol=1e-14,
            inputs=without_targets,
            hints=(
                "What should each worker get in the case that is told of, and where do NaN or 0 come in?",
                "Leave a worker without targets out of the sum, rather than giving it the weight 0.",
                "If nobody has targets, do not divide at all: the result is zeros.",
            ),
        ),
    ],
)
