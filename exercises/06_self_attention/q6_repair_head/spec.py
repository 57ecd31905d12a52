"""Question 06.6: Repair a head."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes
from torch import nn

from ..inputs import FUSED


def heads(rng, far=105):
    for batch, time, d_model, d_head in sizes(rng, batch=3, time=6, d_model=6, d_head=5, far={"time": far}):
        yield {
            "x": normal(rng, batch, time, d_model),
            "query": normal(rng, d_head, d_model) * d_model**-0.5,
            "key": normal(rng, d_head, d_model) * d_model**-0.5,
            "value": normal(rng, d_head, d_model) * d_model**-0.5,
            "output": normal(rng, d_model, d_head) * d_head**-0.5,
        }


def heads_of_three_or_more(rng):
    yield from (case for case in heads(rng) if case["x"].shape[1] > 2)


def heads_of_long_texts(rng):
    yield from heads(rng, far=300)


def large_scores(rng):
    """Scores of thousands: those of the future far above those of the past, and the other way round."""
    for batch, sign in ((2, -1.0), (1, 1.0)):
        d_model, d_head = (int(rng.integers(*ends)) for ends in ((3, 6), (2, 5)))
        levels = sign * torch.tensor([*rng.permutation([40.0, 60.0, 80.0]), -90.0, 90.0]).float()
        x = normal(rng, batch, len(levels), d_model)
        x[..., 0], x[..., 1] = levels, 100.0 * torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0])
        query, key = (normal(rng, d_head, d_model) for _ in range(2))
        for matrix, column, size in ((query, 1, d_head**0.5), (key, 0, 1.0)):
            matrix[0], matrix[:, :2] = 0.0, 0.0
            matrix[0, column] = size
        value, output = normal(rng, d_head, d_model), normal(rng, d_model, d_head)
        yield {"x": x, "query": query, "key": key, "value": 0.1 * value, "output": output}


def heads_of_any_size(rng):
    """Ordinary ones, tiny and large objects with matrices that make their scores ordinary, large scores."""
    yield from heads(rng, far=32)
    for unit in (1e-3, 30.0):
        case = next(heads(rng))
        yield {**case, "x": case["x"] * unit, "query": case["query"] / unit, "key": case["key"] / unit}
    yield from large_scores(rng)


def heads_sent_back(rng):
    for case in (*heads(rng), *large_scores(rng)):
        batch, time, _ = case["x"].shape
        yield {
            **case,
            "upstream": normal(rng, *case["x"].shape),
            "upstream_weights": normal(rng, batch, time, time) if time < 100 else torch.ones(()),
        }


def give_row_sums(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        return {"sums of the rows from the second on": head(inputs["x"])[1][:, 1:].sum(-1)}


def give_reach(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        head(inputs["x"][:, :1])  # a short text comes first
        attends = head(inputs["x"])[1] != 0
        later = head.eval()(inputs["x"])[1] != 0
    if attends.shape[1] > 100:
        return {"number of weights in each row": attends.sum(-1), "the same after eval()": later.sum(-1)}
    return {"attends": attends, "attends after eval()": later}


def give_log_ratios(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        weights = head(inputs["x"])[1]
        return {"log of weight 0 over weight 1": (weights[:, 2:, 0] / weights[:, 2:, 1]).log()}


def give_output(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        output, weights = head(inputs["x"])
        later, also = head.eval()(inputs["x"].flip(1))
        return {
            "output": output,
            "weights": weights,
            "output of the objects in reverse after eval()": later,
            "weights of the objects in reverse after eval()": also,
        }


def give_gradients(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    x = inputs["x"].clone().requires_grad_()
    names = ("query", "key", "value", "output")
    with torch.no_grad():
        for name in names:
            getattr(head, name).weight.copy_(inputs[name])
    output, weights = head(x)
    ((output * inputs["upstream"]).sum() + (weights.square() * inputs["upstream_weights"]).sum()).backward()
    found = {name: getattr(head, name).weight.grad for name in names} | {"x": x.grad}
    return {
        f"gradient of {name}": torch.zeros_like(inputs[name]) if gradient is None else gradient
        for name, gradient in found.items()
    }


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = torch.zeros(batch, time, time)
        for i in range(time):
            scores = (k[:, : i + 1] @ q[:, i, :, None])[..., 0] / math.sqrt(q.shape[2])
            weights[:, i, : i + 1] = torch.softmax(scores, 1)
        return self.output(weights @ v), weights


QUESTION = Question(
    id="06.6",
    title="Repair a head",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"CausalHead": CausalHead},
    forbids=FUSED,
    exempt={
        "a large negative number for minus infinity": "every object attends to itself",
    },
    clauses={
        "it has to train as well": ("gradients", "weights_detached"),
        "(1)-(3) for one head": "the part output compares with these formulas",
        "rows that sum to 1": "a row that is wrong makes the output wrong as well",
    },
    parts=[
        Part(
            "rows",
            1,
            "each row of weights sums to 1, from the second on",
            give_row_sums,
            inputs=heads,
            hints=(
                "Print the weights of a short input, and the sum of each row.",
                "After the softmax the rows sum to 1. What happens to them later in forward?",
                "What must not be attended to should be removed before the softmax.",
            ),
        ),
        Part(
            "reach",
            1,
            "each object attends to itself and the past only",
            give_reach,
            inputs=heads_of_long_texts,
            hints=(
                "Which weights are not zero? Compare them with j <= i.",
                "Look up what triu does to the diagonal, and which diagonal it begins with if none is given.",
                "Object i attends to itself, so the diagonal is not in the future.",
            ),
        ),
        Part(
            "scale",
            2,
            "the scores have the right size: ratios of weights are right",
            give_log_ratios,
            inputs=heads_of_three_or_more,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "ln(weight 0 / weight 1) is the difference of two scores. By what factor is it off?",
                "Which size is in the scale, and how many terms does the inner product of q and k have?",
            ),
        ),
        Part(
            "output",
            1,
            "weights and output are those of the note",
            give_output,
            inputs=heads_of_any_size,
            hints=(
                "Take a time of 2 and unit matrices, and tell by hand what both results must be, in training "
                "and after eval().",
                "Compare each line with the note's (1)-(3). Which weights, which values, and which matrix "
                "acts "
                "on the averages?",
                "Scores may be in the thousands: what are the weights where a score of the future is far "
                "above those of the past?",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients of output and weights reach x and the matrices",
            give_gradients,
            inputs=heads_sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "A loss may be made of the output, of the weights or of both. Call backward on each, and "
                "look "
                "at the gradient of each matrix.",
                "What forward gives wrong has wrong gradients too. Where the values are right, something "
                "cuts the gradient off, such as detach, no_grad, or a tensor made from plain numbers.",
            ),
        ),
    ],
)
