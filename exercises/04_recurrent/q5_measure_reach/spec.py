"""Question 04.5: Measure how far gradients reach."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

KINDS = ("plain", "plain", "memory", "linear", "memory", "plain", "linear")


def one_cell(rng, kind, shape):
    """A linear cell, a plain one, or one with a memory and a count as its state."""
    batch, time, d, k = shape
    scale = 1.0 if kind == "memory" else 0.8 / math.sqrt(k)
    return {
        "kind": kind,
        "x": torch.from_numpy(rng.standard_normal((batch, time, d))),
        "A": torch.from_numpy(rng.standard_normal((k, d))),
        "B": torch.from_numpy(scale * rng.standard_normal((k, k))),
        "first": torch.from_numpy(rng.standard_normal((batch, k))),
        "target": torch.from_numpy(3.0 + rng.uniform(0, 1, (batch, k))),
    }


def cells(rng):
    """Drawn; the example of the text, cells that forget all and nothing, a loss with tiny gradients."""
    for kind, shape in zip(KINDS, sizes(rng, batch=3, time=5, d=4, k=4), strict=True):
        yield one_cell(rng, kind, shape)
    yield one_cell(rng, "memory", (3, 4, 3, 2))
    case = one_cell(rng, "linear", (1, 3, 1, 1))
    case |= {"A": torch.ones(1, 1).double(), "B": torch.full((1, 1), 0.5).double()}
    shares = torch.tensor([0.125, 0.25, 0.5, 1.0]).double()
    yield case | {"target": (torch.cat([case["first"][:, None], case["x"]], 1)[:, :, 0] @ shares)[None] - 0.5}
    for slope in (0.0, 1.5):
        yield one_cell(rng, "linear", (2, 3, 2, 2)) | {"B": slope * torch.eye(2).double()}
    yield one_cell(rng, "linear", (2, 3, 2, 2)) | {"scale": 1e-25}


def cells_and_a_long_text(rng):
    """Beside these a long text, wide inputs, and inputs and states below a thousandth and above ten."""
    yield from cells(rng)
    yield one_cell(rng, "memory", (1, 40, 1, 1))
    yield one_cell(rng, "plain", (2, 3, int(rng.integers(110, 120)), 2))
    for factor in (3e-4, 20.0):
        case = one_cell(rng, "plain", (2, 3, 2, 2))
        yield case | {"x": factor * case["x"], "A": case["A"] / factor}
        case = one_cell(rng, "plain", (2, 1, 2, 2))
        yield case | {"first": factor * case["first"], "B": case["B"] / factor}


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
    clauses={
        "an input that was read long before": "a reason to ask",
        "04.2 answered this": "a reason to ask",
        "for a whole network one measures": "a reason to ask",
        "have the biases 0 and 4": "given code, whose numbers the reports copy",
        "All tensors are float64": "kept_from_zero loses ratio and lag, a float32 norm all measures",
        "but the last norm is never 0": "no case has it; norms of 0 before the last are in each part",
        "with one unit, three inputs": "an example, which is a case of norms, ratio and lag",
        "to four significant digits or more": "how precise a report is to be, which its parts compare",
        "(The numbers count if": "both reports require the parts before them",
        "the first of 40 inputs": "not graded",
        "half_square": "given code",
        "time at least 1": "no case has less; one input is a case of norms, ratio and lag",
        "has the distance 0": "counted_from_one loses lag, and with it the reported lags",
    },
    parts=[
        Part(
            "norms",
            3,
            "on small cells: the norm for each input",
            call_measure,
            inputs=cells_and_a_long_text,
            atol=1e-40,
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
            inputs=cells,
            atol=1e-12,
            compare=("ratio",),
            hints=(
                "Which of the two is usually the smaller one, and is it above or below the line?",
                "Both are taken as they are, however small, from the averaged norms.",
            ),
        ),
        Part(
            "lag",
            1,
            "on small cells: the mean distance",
            call_measure,
            inputs=cells,
            atol=1e-12,
            compare=("lag",),
            hints=(
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
