"""Question 07.4: Repair the heads."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes
from torch import nn

from ..inputs import FUSED


def module(rng, batch, time, d_model, heads, d_head):
    return {
        "x": normal(rng, batch, time, d_model),
        "n_heads": heads,
        "query": normal(rng, heads * d_head, d_model) * 1.5 * d_model**-0.5,
        "key": normal(rng, heads * d_head, d_model) * 1.5 * d_model**-0.5,
        "value": normal(rng, heads * d_head, d_model) * d_model**-0.5,
        "output": normal(rng, d_model, heads * d_head) * (heads * d_head) ** -0.5,
    }


def modules(rng, longest=105):
    axes = {"batch": 3, "time": 4, "d_model": 5, "heads": 4, "d_head": 5}
    for shape in sizes(rng, **axes, far={"heads": 5, "d_model": 6, "d_head": 6}):
        yield module(rng, *shape)
    yield module(rng, 1, int(rng.integers(longest, longest + 9)), 3, 2, int(rng.integers(1, 4)))


def modules_of_any_size(rng):
    """Beside the ordinary ones, tiny and large objects with matrices that make their scores ordinary."""
    yield from modules(rng, longest=32)
    for unit in (1e-3, 30.0):
        case = next(modules(rng))
        yield case | {name: case[name] / unit for name in ("query", "key", "value")} | {"x": case["x"] * unit}


def several_in_modules(rng):
    """At least two heads and two objects, so that differences of differences exist."""
    yield from (case for case in modules(rng) if case["n_heads"] > 1 and case["x"].shape[1] > 1)


def as_many_objects_as_heads(rng):
    """Queries of zeros, and as many objects as heads: all weights are one over this number, on any axis."""
    for batch in (2, 1, 3, 2):
        n, d_model, d_head = (int(rng.integers(low, high)) for low, high in ((2, 5), (4, 7), (2, 5)))
        case = module(rng, batch, n, d_model, n, d_head)
        yield {**case, "query": torch.zeros_like(case["query"])}


def modules_sent_back(rng):
    for case in modules(rng):
        batch, time, _ = case["x"].shape
        shape = (batch, case["n_heads"], time, time if time < 100 else 1)
        yield {
            **case,
            "upstream": normal(rng, *case["x"].shape),
            "upstream of the weights": normal(rng, *shape),
        }


def give_row_sums(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        return {"sums of the rows of weights": module(inputs["x"])[1].sum(-1)}


def give_contrasts(student, inputs):
    """By how much two heads differ in ln(weight 0 / weight 1), whatever weights are divided by."""
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        logs = module(inputs["x"])[1].log()
        ratios = logs[..., 0] - logs[..., 1]
        return {"head 1 minus head 2, ln(weight 0 / weight 1)": ratios[:, 0] - ratios[:, 1]}


def give_output_alone(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        return {"output": module(inputs["x"])[0]}


def give_all(student, inputs):
    """Of a module that has read other objects before."""
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        module(inputs["x"] / 2)
        output, weights = module(inputs["x"])
        names = sorted(name for name, _ in module.named_parameters())
        return {"output": output, "weights": weights, "parameters": names}


def give_gradients(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    x = inputs["x"].clone().requires_grad_()
    names = ("query", "key", "value", "output")
    with torch.no_grad():
        for name in names:
            getattr(module, name).weight.copy_(inputs[name])
    output, weights = module(x)
    (
        (output * inputs["upstream"]).sum() + (weights.square() * inputs["upstream of the weights"]).sum()
    ).backward()
    found = {name: getattr(module, name).weight.grad for name in names} | {"x": x.grad}
    return {
        f"gradient of {name}": torch.zeros_like(inputs[name]) if gradient is None else gradient
        for name, gradient in found.items()
    }


class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads = n_heads
        self.query, self.key, self.value = (
            nn.Linear(d_model, n_heads * d_head, bias=False) for _ in range(3)
        )
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        parts = [layer(x).chunk(self.n_heads, -1) for layer in (self.query, self.key, self.value)]
        total, kept = 0.0, []
        for q, k, v, W in zip(*parts, self.output.weight.chunk(self.n_heads, 1)):
            kept.append(torch.softmax(q @ k.mT / math.sqrt(q.shape[2]), 2))
            total = total + kept[-1] @ v @ W.T
        return total, torch.stack(kept, 1)


QUESTION = Question(
    id="07.4",
    title="Repair the heads",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"MultiHead": MultiHead},
    forbids=FUSED,
    exempt={
        "extreme exponents": "the faults are others; the text does not speak of the size of scores",
    },
    clauses={
        "compute the note's (1)-(3)": "the part output compares with these formulas",
        "its shapes are right": "said of the code as it is given",
        "able to train through both results": ("gradients", "weights_detached"),
    },
    parts=[
        Part(
            "rows",
            1,
            "in each head, the weights of an object sum to 1",
            give_row_sums,
            inputs=modules,
            hints=(
                "Print weights.sum(dim) for each dimension of the weights. Which sums are 1?",
                "The scores have the shape (batch, heads, queries, keys). An object shares its weight "
                "out among the keys.",
            ),
        ),
        Part(
            "scale",
            2,
            "the scores have the right size",
            give_contrasts,
            inputs=several_in_modules,
            rtol=2e-3,
            atol=2e-3,
            hints=(
                "ln(weight 0 / weight 1) is a difference of two scores. By what factor is it off, and "
                "how does the factor change with d_model and d_head?",
                "An inner product of a query and a key has how many terms?",
            ),
        ),
        Part(
            "join",
            1,
            "each object gets what the heads have found for it",
            give_output_alone,
            inputs=as_many_objects_as_heads,
            hints=(
                "Let all queries be zero, so that every object finds the same. Are the rows of the "
                "output equal?",
                "found has the shape (batch, heads, time, width). What is next to what in memory, and "
                "what should be?",
                "Splitting transposed heads and time; joining has to do it again before the reshape.",
            ),
        ),
        Part(
            "output",
            1,
            "output and weights are those of the note, whatever the module has read before",
            give_all,
            inputs=modules_of_any_size,
            hints=(
                "Take two heads, two objects and simple matrices, and tell by hand what both results must "
                "be.",
                "Compare each line with the note's (1)-(3): which columns belong to which head, and which "
                "weights "
                "average which values?",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients of output and weights reach x and all four matrices",
            give_gradients,
            inputs=modules_sent_back,
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
