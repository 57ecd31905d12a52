"""Question 15.4: Reduce and scatter."""

import numpy as np
from autograder.authoring import Part, Question

from ..inputs import NUMBERS, whole


def workers(rng, kinds):
    for n, tokens in kinds:
        gradients = [
            rng.standard_normal(n) * 10.0 ** rng.uniform(-1, 1) if own else np.full(n, np.nan)
            for own in tokens
        ]
        yield {"gradients": gradients, "tokens": list(tokens)}


def equal_shares(rng):
    n = whole(rng, 2, 9)
    yield from workers(rng, [(4, (7, 7)), (9, (5, 5, 5)), (3, (2,)), (n * 4, (n,) * 4), (240, (3, 3))])


def unequal_shares(rng):
    yield from workers(rng, [(4, (30, 5)), (6, (1, 2, 9)), (8, (100, 1, 1, 6)), (10, (whole(rng, 2, 9), 1))])
    for case in workers(rng, [(6, (4, 3, 2))]):  # a worker whose targets leave no gradient
        yield {**case, "gradients": [np.zeros(6), *case["gradients"][1:]]}


def uneven_parts(rng):
    yield from workers(rng, [(5, (4, 4)), (1, (3, 3, 3)), (7, (2, 2, 2)), (9, (6, 6, 6, 6)), (2, (1,) * 5)])


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
    parts=[
        Part(
            "equal",
            1,
            "workers with equally many targets, parts without a rest",
            call_scatter,
            inputs=equal_shares,
            hints=(
                "With equally many targets the shared gradient is the mean over workers.",
                "Worker 0 keeps the first part, worker 1 the second, and so on.",
            ),
        ),
        Part(
            "unequal",
            3,
            "workers with different numbers of targets",
            call_scatter,
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
            inputs=without_targets,
            hints=(
                "What is 0 times NaN?",
                "Leave a worker without targets out of the sum, rather than giving it the weight 0.",
                "If nobody has targets, do not divide at all: the result is zeros.",
            ),
        ),
    ],
)
