"""Question 01.1: Scaled dot-product attention."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def draw(rng):
    for batch, queries, keys, d_key, d_value in sizes(rng, batch=3, queries=4, keys=5, d_key=4, d_value=6):
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


QUESTION = Question(
    id="01.1",
    title="Scaled dot-product attention",
    kind="implement",
    difficulty=2,
    minutes=10,
    hints=("Which keys have no part in a row's sums?", "What is left of a row without any key?"),
    reference={"attention": attention},
    clauses={
        "zeros where nothing may be attended": ("mask", "nan_rows"),
        "where a query may attend": "what True means; each mistake with masks loses that part",
    },
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
        Part("mask", 1, "masked keys have no weight, and a fully masked row gives zeros", call, draw_masked),
    ],
)
