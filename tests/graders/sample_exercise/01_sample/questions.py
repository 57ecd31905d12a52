"""Specification of the sample exercise: one question of each kind."""

import numpy as np
import torch
from autograder.authoring import Interval, Part, Question, normal


def draw(rng):
    for batch, queries, keys, d_key, d_value in [
        (2, 3, 4, 5, 6),
        (1, 1, 3, 2, 4),
        (3, 2, 1, 4, 1),
        (1, 4, 4, 3, 3),
    ]:
        yield {
            "query": normal(rng, batch, queries, d_key),
            "key": normal(rng, batch, keys, d_key),
            "value": normal(rng, batch, keys, d_value),
            "mask": torch.ones(queries, keys, dtype=torch.bool),
        }


def draw_masked(rng):
    for case in draw(rng):
        mask = torch.from_numpy(rng.random(case["mask"].shape) < 0.6)
        mask[0] = False
        yield {**case, "mask": mask}


def call(student, inputs):
    return {"output": student.attention(inputs["query"], inputs["key"], inputs["value"], inputs["mask"])}


def attention(query, key, value, mask):
    scores = query.double() @ key.double().mT / key.shape[-1] ** 0.5
    weights = torch.where(mask, torch.exp(scores - scores.amax(-1, keepdim=True)), 0.0)
    total = weights.sum(-1, keepdim=True)
    return weights @ value.double() / torch.where(total == 0, 1.0, total)


def draw_rows(rng):
    for rows, columns in [(3, 5), (1, 4), (2, 2)]:
        keep = torch.from_numpy(rng.random((rows, columns)) < 0.5)
        keep[:, 0] = True
        yield {"values": normal(rng, rows, columns), "keep": keep}


def call_mean(student, inputs):
    return {"mean": student.masked_mean(inputs["values"], inputs["keep"])}


def masked_mean(values, keep):
    return torch.stack([v[k].mean() for v, k in zip(values, keep)])


def call_measure(student, inputs):
    return dict(student.measure())


def measured(inputs):
    return {"share": Interval(0.249, 0.251), "ratio": Interval(1.0, 100.0)}


def consistent(inputs, outputs):
    if not np.isclose(outputs["ratio"], 16 * outputs["share"], rtol=1e-3):
        return "ratio is not the share with 4 keys divided by the share with 16 keys, which is 1/16"
    return None


QUESTIONS = [
    Question(
        id="01.1",
        title="Scaled dot-product attention",
        kind="implement",
        difficulty=2,
        minutes=10,
        hints=("Which keys have no part in a row's sums?", "What is left of a row without any key?"),
        reference={"attention": attention},
        forbids=("torch.nn.functional.scaled_dot_product_attention",),
        parts=[
            Part(
                "values",
                2,
                "the output is the weighted average of the values",
                call,
                draw,
                hints=(
                    "What is the variance of a dot product of d independent terms?",
                    "Divide by the standard deviation of the scores.",
                ),
            ),
            Part(
                "mask", 1, "masked keys have no weight, and a fully masked row gives zeros", call, draw_masked
            ),
        ],
    ),
    Question(
        id="01.2",
        title="Count the scores",
        kind="derive",
        difficulty=1,
        minutes=2,
        hints=("Each token of a sequence scores each token of the same sequence.",),
        reference={"n_scores": 75},
        parts=[Part("count", 1, "the number of scores", reads=("n_scores",))],
    ),
    Question(
        id="01.3",
        title="Repair the average",
        kind="repair",
        difficulty=1,
        minutes=5,
        hints=("By what number should the sum of the kept values be divided?",),
        reference={"masked_mean": masked_mean},
        parts=[Part("mean", 2, "the mean over the kept positions", call_mean, draw_rows)],
    ),
    Question(
        id="01.4",
        title="Measure",
        kind="experiment",
        difficulty=1,
        minutes=5,
        hints=("Give a query of zeros, and the identity matrix as values.",),
        needs=("01.1",),
        parts=[
            Part(
                "numbers",
                2,
                "the share, and its ratio to the share with 16 keys",
                call_measure,
                expected=measured,
                properties=(consistent,),
            ),
        ],
    ),
]
