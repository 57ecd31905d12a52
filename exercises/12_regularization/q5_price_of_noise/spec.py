"""Question 12.5: The price of noise."""

import itertools

import numpy as np
import torch
from autograder.authoring import Part, Question

from ..inputs import normal, smoothed_loss, whole


def heads(rng, kinds):
    for d, vocab, rate in kinds:
        yield {
            "x": normal(rng, d),
            "W": normal(rng, d, vocab),
            "y": whole(rng, 0, vocab),
            "epsilon": float(rng.choice([0.1, 0.2, 0.3])),
            "rate": rate,
        }


def half(rng):
    yield from heads(rng, [(3, 4, 0.5), (1, 3, 0.5), (5, 2, 0.5), (4, 4, 0.5)])
    (many,) = heads(rng, [(2, 110, 0.5)])
    yield {**many, "y": 100}  # a target like any other


def other_rates(rng):
    yield from heads(
        rng,
        [
            (3, 4, 0.2),
            (4, 3, 0.8),
            (1, 5, 0.3),
            (6, 3, 0.1),
            (3, 3, 0.7),
            (3, 1, 0.4),
            (8, 3, 0.3),
            (7, 2, 0.2),
        ],
    )
    for case in heads(rng, [(4, 3, 0.4), (3, 3, 0.3)]):
        x = case["x"].clone()
        x[1] = 0.0  # some masks give the same vector
        yield {**case, "x": x}


def loud_heads(rng):
    yield from other_rates(rng)
    for sign, case in zip((1, -1, 1), heads(rng, [(3, 4, 0.2), (4, 3, 0.6), (2, 5, 0.3)])):
        x, W = case["x"], 400 * case["W"]  # logits beyond 1,000
        x[0], W[0] = 1.0, W[0] + sign * 3000.0
        yield {**case, "x": x, "W": W}


def no_rate(rng):
    yield from heads(rng, [(3, 4, 0.0), (1, 2, 0.0), (5, 3, 0.0)])


def call_mean(student, inputs):
    return {"mean": student.price(**inputs)[0]}


def call_price(student, inputs):
    mean, added = student.price(**inputs)
    return {"mean": mean, "price": added}


def price(x, W, y, epsilon, rate):
    d, target = len(x), torch.tensor([[y]])
    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=d):
        share = float(np.prod([1 - rate if m else rate for m in mask]))
        dropped = x * torch.tensor(mask, dtype=torch.float64) / (1 - rate)
        mean = mean + share * smoothed_loss((dropped @ W)[None, None], target, epsilon, -100)
    return mean, mean - smoothed_loss((x @ W)[None, None], target, epsilon, -100)


QUESTION = Question(
    id="12.5",
    title="The price of noise",
    kind="implement",
    difficulty=5,
    minutes=40,
    reference={"price": price},
    needs=("12.2",),
    exempt={
        "no gradient": "the text says that the model is measured, not trained",
    },
    parts=[
        Part(
            "half",
            2,
            "rate 0.5, where all masks are equally likely: the mean loss",
            call_mean,
            inputs=half,
            hints=(
                "How many masks of d numbers are there, and how likely is each at rate 0.5?",
                "What is kept is scaled; the target stays as it is.",
            ),
        ),
        Part(
            "rates",
            3,
            "other rates: the mean loss",
            call_mean,
            inputs=loud_heads,
            hints=(
                "How likely is the mask that keeps everything?",
                "Each number that is kept is a factor, and so is each that is hidden.",
            ),
        ),
        Part(
            "price",
            3,
            "what dropout adds",
            call_price,
            inputs=other_rates,
            hints=(
                "Compare with the loss of the vector as it is, without scale and mask.",
                "The price is never negative: the loss is convex in the logits.",
            ),
        ),
        Part(
            "no dropout",
            2,
            "rate 0",
            call_price,
            inputs=no_rate,
            hints=(
                "At rate 0 one mask has probability 1 and the others 0.",
                "Does a power of 0 come out as you expect?",
            ),
        ),
    ],
)
