"""Question 07.1: Split and join."""

import torch
from autograder.authoring import Part, Question, normal, sizes

AXES = {"batch": 4, "time": 5, "heads": 5, "width": 4}


def shapes(rng):
    """Sizes of every kind, more than four heads."""
    yield from sizes(rng, **AXES)
    yield (1, int(rng.integers(105, 115)), 2, 1)
    heads = int(rng.integers(2, 4))
    yield (2, 2 * heads, heads, 2)
    yield (2, int(rng.integers(2, 5)), int(rng.integers(5, 8)), 2)


def packed(rng):
    for number, (batch, time, heads, width) in enumerate(shapes(rng)):
        unit = (1.0, 1e-3, 30.0)[number % 3]
        yield {"x": normal(rng, batch, time, heads * width, scale=unit), "n_heads": heads}


def apart(rng):
    for number, (batch, time, heads, width) in enumerate(shapes(rng)):
        yield {"x": normal(rng, batch, heads, time, width, scale=(1.0, 1e-3, 30.0)[number % 3])}


def both_ways(rng):
    for batch, time, heads, width in shapes(rng):
        yield {
            "x": normal(rng, batch, time, heads * width),
            "n_heads": heads,
            "upstream": normal(rng, batch, heads, time, width),
            "found": normal(rng, batch, heads, time, width),
            "joined_upstream": normal(rng, batch, time, heads * width),
        }


def call_split(student, inputs):
    return {"split": student.split_heads(inputs["x"], inputs["n_heads"])}


def call_join(student, inputs):
    return {"joined": student.join_heads(inputs["x"])}


def call_both_backward(student, inputs):
    x, found = inputs["x"].clone().requires_grad_(), inputs["found"].clone().requires_grad_()
    (student.split_heads(x, inputs["n_heads"]) * inputs["upstream"]).sum().backward()
    (student.join_heads(found) * inputs["joined_upstream"]).sum().backward()
    return {"gradient through split_heads": x.grad, "gradient through join_heads": found.grad}


def split_heads(x, n_heads):
    width = x.shape[2] // n_heads
    return torch.stack([x[..., h * width : (h + 1) * width] for h in range(n_heads)], 1)


def join_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], -1)


QUESTION = Question(
    id="07.1",
    title="Split and join",
    kind="implement",
    difficulty=1,
    minutes=15,
    reference={"split_heads": split_heads, "join_heads": join_heads},
    clauses={
        "Both are used in a model that trains": ("gradients", "detached"),
        "a whole number, the heads": "the sizes of split go from one head to seven",
    },
    parts=[
        Part(
            "split",
            1,
            "each head has its own columns, and heads stand before time",
            call_split,
            inputs=packed,
            hints=(
                "Give a tensor whose entries say where they are, like torch.arange(12.).view(1, 2, 6), "
                "and print what each head gets.",
                "First cut the last dimension into heads and width, in this order. Which two dimensions "
                "are then in the wrong order?",
                "A reshape alone never changes the order of numbers in memory; here it has to change.",
            ),
        ),
        Part(
            "join",
            2,
            "the heads' results stand side by side, the first head's first",
            call_join,
            inputs=apart,
            hints=(
                "Joining undoes splitting: try both on the same small tensor.",
                "Time has to stand before the heads again before heads and width become one dimension.",
                "If the shape is right and the numbers are not, look whether an object gets what another "
                "has found.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients pass through both",
            call_both_backward,
            inputs=both_ways,
            hints=(
                "Call backward on (result * upstream).sum() with random upstream, and compare x.grad with "
                "upstream, "
                "moved back.",
                "Does something in your functions make a new tensor from numbers, or detach the old one?",
            ),
        ),
    ],
)
