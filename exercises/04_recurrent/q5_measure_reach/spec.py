"""Question 04.5: Measure how far gradients reach."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question

CELLS = [
    ("linear", 2, 3, 2, 3),
    ("plain", 3, 4, 3, 2),
    ("memory", 2, 5, 2, 2),
    ("memory", 1, 3, 4, 2),
    ("plain", 3, 1, 2, 1),
    ("plain", 3, 4, 3, 2),
    ("linear", 2, 4, 4, 4),
]


def cells(rng, sizes=CELLS):
    """Three kinds of cells: a linear one, a plain one, and one with a memory and a count as its state."""
    for kind, batch, time, d, k in sizes:
        scale = 1.0 if kind == "memory" else 0.8 / math.sqrt(k)
        yield {
            "kind": kind,
            "x": torch.from_numpy(rng.standard_normal((batch, time, d))),
            "A": torch.from_numpy(rng.standard_normal((k, d))),
            "B": torch.from_numpy(scale * rng.standard_normal((k, k))),
            "first": torch.from_numpy(rng.standard_normal((batch, k))),
            "target": torch.from_numpy(3.0 + rng.uniform(0, 1, (batch, k))),
        }


def cells_and_a_long_text(rng):
    yield from cells(rng)
    yield from cells(rng, [("memory", 1, 101, 1, 1)])


def cells_and_a_faint_loss(rng):
    """The gradients of the last one are tiny; what is asked of them is not."""
    yield from cells(rng)
    (case,) = cells(rng, [("linear", 2, 3, 2, 2)])
    yield case | {"scale": 1e-25}


def call_measure(student, inputs):
    A, B, target = inputs["A"], inputs["B"], inputs["target"]

    def linear(x, h):
        h = x @ A.T + h @ B.T
        return h, h

    def plain(x, h):
        h = torch.tanh(x @ A.T + h @ B.T)
        return 2 * h, h

    def memory(x, state):
        count, c = state
        gate = (1 + torch.tanh(1.5 + c @ B.T / 4)) / 2
        c = gate * c + torch.tanh(x @ A.T) / (1 + 0.1 * count)
        return c * (1 + torch.tanh(x.sum(1, keepdim=True))), (count + 1, c)

    def loss(output):
        return ((output - target) ** 2).sum(1) * inputs.get("scale", 1.0)

    state = (0, inputs["first"]) if inputs["kind"] == "memory" else inputs["first"]
    cell = {"linear": linear, "plain": plain, "memory": memory}[inputs["kind"]]
    student.measure(cell, state, inputs["x"], loss)  # what it leaves behind must not count
    return dict(student.measure(cell, state, inputs["x"], loss))


def measure(cell, state, x, loss):
    """Each input a leaf of its own."""
    leaves = [x_t.clone().requires_grad_() for x_t in x.unbind(1)]
    for leaf in leaves:
        output, state = cell(leaf, state)
    loss(output).sum().backward()
    norms = [np.sqrt((leaf.grad.numpy() ** 2).sum(1)).mean() for leaf in leaves]
    far = sum(n * norm for n, norm in enumerate(reversed(norms)))
    return {"norms": np.array(norms), "ratio": norms[0] / norms[-1], "lag": far / sum(norms)}


def give_ratios(student, inputs):
    return {"ratios": student.report["ratios"]}


def give_lags(student, inputs):
    return {"lags": student.report["lags"]}


QUESTION = Question(
    id="04.5",
    title="Measure how far gradients reach",
    kind="experiment",
    difficulty=3,
    minutes=30,
    reference={
        "measure": measure,
        "report": {
            "ratios": [4.0787255461892e-11, 7.108815555646e-09, 0.5747952529230627],
            "lags": [0.5835198557281839, 1.037530112018469, 20.624760722389674],
        },
    },
    parts=[
        Part(
            "norms",
            3,
            "on small cells: the norm for each input",
            call_measure,
            inputs=cells_and_a_long_text,
            atol=1e-12,
            compare=("norms",),
            hints=(
                "Run the cell over all inputs, handing its state on, and take the loss of the last "
                "output alone.",
                "One backward pass gives the gradients of all inputs. The sum of the losses has each "
                "sequence's own gradient.",
                "Take the norm over the features of one input of one sequence, then the mean over the "
                "sequences.",
            ),
        ),
        Part(
            "ratio",
            2,
            "on small cells: the first norm by the last",
            call_measure,
            inputs=cells_and_a_faint_loss,
            atol=1e-12,
            compare=("ratio",),
            hints=(
                "If `norms` is lost too, mend that first.",
                "Which of the two is usually the smaller one, and is it above or below the line?",
            ),
        ),
        Part(
            "lag",
            1,
            "on small cells: the mean distance",
            call_measure,
            inputs=cells_and_a_faint_loss,
            atol=1e-12,
            compare=("lag",),
            hints=(
                "If `norms` is lost too, mend that first.",
                "The last input has the distance 0, the first the distance time - 1.",
                "A weighted mean divides by the sum of the weights.",
            ),
        ),
        Part(
            "reported ratios",
            1,
            "your run: the ratios of the three cells",
            give_ratios,
            conceal=True,
            digits=4,
            requires=("norms", "ratio"),
            hints=(
                "Does each kind start with the state that make_cell gave, and with the seeds as they are?",
                "The order is rnn, lstm, lstm4. Four digits of 0.00000123 begin with its 1.",
            ),
        ),
        Part(
            "reported lags",
            1,
            "your run: the lags of the three cells",
            give_lags,
            conceal=True,
            digits=4,
            requires=("norms", "lag"),
            hints=(
                "Do the lags come from the same calls as the ratios?",
                "The order is rnn, lstm, lstm4. Give four digits or more.",
            ),
        ),
    ],
)
