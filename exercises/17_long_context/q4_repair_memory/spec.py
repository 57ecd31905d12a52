"""Question 17.4: Repair the memory."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def texts(rng, size, memory):
    for batch, time, d in sizes(rng, batch=3, time=7, d=4, far={"time": 110}):
        yield {
            "x": normal(rng, batch, time, d),
            "size": size,
            "memory": memory,
        }


def equal_sizes(rng):
    """The memory is as long as a piece: what is older is not needed."""
    for n in (1, 2, 3):
        yield from texts(rng, n, n)


def short_pieces(rng):
    """The memory is longer than a piece, and sometimes than the text."""
    for size, memory in ((1, 3), (2, 5), (3, 4), (2, 300)):
        yield from texts(rng, size, memory)


def any_sizes(rng):
    for size, memory in ((1, 4), (4, 1), (3, 3), (5, 2), (300, 2), (2, 300)):
        yield from texts(rng, size, memory)
    yield {"x": normal(rng, 2, 5, 3, scale=30.0), "size": 2, "memory": 3}


def give_inputs(student, inputs):
    def block(h, seen):  # twice its input, and what was seen, with weights that depend on the place
        weights = torch.arange(1, seen.shape[1] + 1, dtype=seen.dtype)
        return 2 * h + (weights[:, None] * seen).sum(1, keepdim=True)

    return {"outputs": student.read_pieces(block, inputs["x"], inputs["size"], inputs["memory"])}


def give_counts(student, inputs):
    def block(h, seen):  # how much was seen, whatever it is
        return 0 * h + seen.shape[1]

    return {"outputs": student.read_pieces(block, inputs["x"], inputs["size"], inputs["memory"])}


def give_gradients(student, inputs):
    def block(h, seen):  # linear: its gradients are the same whatever it has seen
        return h + seen.sum(1, keepdim=True)

    x = inputs["x"].clone().requires_grad_()
    outputs = student.read_pieces(block, x, inputs["size"], inputs["memory"])
    weights = torch.linspace(-1, 2, x.shape[1])[:, None]
    (weights * outputs).sum().backward()
    return {"gradient of x": torch.zeros_like(x) if x.grad is None else x.grad}


def read_pieces(block, x, size, memory):
    outputs = []
    for first in range(0, x.shape[1], size):
        before = x[:, max(0, first - memory) : first].detach()
        h = x[:, first : first + size]
        outputs.append(block(h, torch.cat([before, h], 1)))
    return torch.cat(outputs, 1)


QUESTION = Question(
    id="17.4",
    title="Repair the memory",
    kind="repair",
    difficulty=3,
    minutes=25,
    needs=("17.1",),
    reference={"read_pieces": read_pieces},
    clauses={
        "at most `memory` inputs": "inputs, older and all: `all_kept` loses them",
        "remembered at most": "says the same of the argument",
        "No gradient": ("gradients", "only_detach_missing"),
        "may be longer": "the part older has such memories",
        "last piece may be shorter": "texts of seven words in pieces of 2 and 3",
    },
    parts=[
        Part(
            "inputs",
            1,
            "the memory holds what the block has read",
            give_inputs,
            inputs=equal_sizes,
            hints=(
                "Take a block that doubles its input. What stands in the memory after the first piece?",
                "The next piece must see words as this block saw them, not what it made of them.",
            ),
        ),
        Part(
            "older",
            2,
            "pieces before the last one are remembered too",
            give_counts,
            inputs=short_pieces,
            hints=(
                "Read a text word by word with a memory of three. How many inputs has the fourth word seen?",
                "The new memory is made from the old memory and the piece together.",
            ),
        ),
        Part(
            "gradients",
            2,
            "gradients stay within a piece",
            give_gradients,
            inputs=equal_sizes,
            hints=(
                "Should the first piece get a gradient from the loss of the second?",
                "Within a piece gradients must flow. Only what is remembered has its gradient stopped.",
            ),
        ),
        Part(
            "all",
            1,
            "all together, for pieces and memories of any size",
            give_inputs,
            inputs=any_sizes,
            hints=(
                "If each of the parts above is right by itself, compare a short memory by hand.",
                "Of the old memory and the piece together, keep the last ones.",
            ),
        ),
    ],
)
