"""Question 01.3: Repair the average."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def draw_rows(rng):
    for rows, columns in sizes(rng, rows=4, columns=6):
        keep = torch.from_numpy(rng.random((rows, columns)) < 0.5)
        keep[:, 0] = True
        yield {"values": normal(rng, rows, columns), "keep": keep}


def call_mean(student, inputs):
    return {"mean": student.masked_mean(inputs["values"], inputs["keep"])}


def masked_mean(values, keep):
    return torch.stack([v[k].mean() for v, k in zip(values, keep)])


QUESTION = Question(
    id="01.3",
    title="Repair the average",
    kind="repair",
    difficulty=1,
    minutes=5,
    hints=("By what number should the sum of the kept values be divided?",),
    reference={"masked_mean": masked_mean},
    parts=[Part("mean", 2, "the mean over the kept positions", call_mean, draw_rows)],
)
