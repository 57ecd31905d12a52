"""Question 12.5: The price of noise."""

import itertools

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import normal, smoothed_loss, whole


def heads(rng, kinds):
    """Heads of these sizes. In the first three the target is 0, the last token and 1."""
    for n, (d, vocab, rate) in enumerate(kinds):
        yield {
            "x": normal(rng, d),
            "W": normal(rng, d, vocab),
            "y": (0, vocab - 1, min(1, vocab - 1))[n] if n < 3 else whole(rng, 0, vocab),
            "epsilon": float(rng.choice([0.1, 0.2, 0.3])),
            "rate": rate,
        }


def drawn(rng, d=6):
    return sizes(rng, d=(1, d), vocab=(1, 7))


def half(rng):
    yield from heads(rng, [(*shape, 0.5) for shape in drawn(rng, 5)])
    (many,) = heads(rng, [(2, 300 + whole(rng, 0, 20), 0.5)])
    yield {**many, "y": 299}  # a target like any other
    (case,) = heads(rng, [(3, 4, 0.5)])
    yield {**case, "y": 3, "epsilon": 0.0}


def other_rates(rng):
    """What is kept at rate 0.99 is scaled by a hundred: its logits are below 300 in size."""
    yield from heads(rng, [(*shape, float(rng.uniform(0.1, 0.8))) for shape in drawn(rng)])
    yield from heads(rng, [(7, 2, 0.2)])
    for case in heads(rng, [(3, 3, 0.99)]):
        yield {**case, "x": case["x"].tanh(), "W": case["W"].tanh()}
    for case in heads(rng, [(4, 3, 0.4), (3, 3, 0.3)]):
        x = case["x"].clone()
        x[1] = 0.0  # some masks give the same vector
        yield {**case, "x": x}


def loud_heads(rng):
    yield from other_rates(rng)
    yield from heads(rng, [(8, 3, 0.3)])
    for scale, case in zip((1e-4, 1e4), heads(rng, [(3, 4, 0.3), (2, 3, 0.3)])):
        yield {**case, "x": scale * case["x"], "W": case["W"] / scale}
    for sign, case in zip((1, -1, 1), heads(rng, [(3, 4, 0.2), (4, 3, 0.6), (2, 5, 0.3)])):
        x, W = case["x"], 400 * case["W"]  # logits beyond 1,000
        x[0], W[0] = 1.0, W[0] + sign * 3000.0
        yield {**case, "x": x, "W": W}


def no_rate(rng):
    yield from heads(rng, [(3, 4, 0.0), (whole(rng, 4, 6), 3, 0.0), (1, whole(rng, 2, 6), 0.0)])


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
        "price: vocab and y agree": "the target is one of the vocabulary",
        "no gradient": "the text says that the model is measured, not trained",
    },
    clauses={
        "`smoothed_loss` of 12.2": "not_smoothed loses every part",
        "Sum over all $2^d$ masks": "equal_vectors and nothing_left_out lose several parts",
        "The rate may be 0": ("no dropout", "thousandth_at_least"),
        "Everything is float64": "single loses every part",
        "d at most 8": ("rates", "seven_features"),
        "the target, a whole number": ("half", "wrapped"),
        "at least 0 and below 1": ("no dropout", "thousandth_at_least"),
        "two float64 tensors": "single loses every part",
        "W:       float64 tensor": "single loses every part",
    },
    parts=[
        Part(
            "half",
            2,
            "rate 0.5, where all masks are equally likely: the mean loss",
            call_mean,
            inputs=half,
            rtol=1e-8,
            atol=1e-10,
            hints=(
                (
                    "Write down all masks of the smallest case that is lost, the chance of each and its "
                    "loss. Which of these does your sum differ from?"
                ),
                "What is kept is scaled; the target stays as it is.",
            ),
        ),
        Part(
            "rates",
            3,
            "other rates: the mean loss",
            call_mean,
            inputs=loud_heads,
            rtol=1e-8,
            atol=1e-10,
            hints=(
                (
                    "Write down all masks of two numbers and the probability of each at rate 0.2. They "
                    "sum to 1. Does your code use these, for each call its own?"
                ),
                "Each number that is kept is a factor, and so is each that is hidden.",
            ),
        ),
        Part(
            "price",
            3,
            "what dropout adds",
            call_price,
            inputs=other_rates,
            rtol=1e-8,
            atol=1e-10,
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
            rtol=1e-8,
            atol=1e-10,
            hints=(
                (
                    "At rate 0 nothing is dropped, and one mask has probability 1. What are the mean and "
                    "the price then?"
                ),
                "Does a power of 0 come out as you expect?",
            ),
        ),
    ],
)
