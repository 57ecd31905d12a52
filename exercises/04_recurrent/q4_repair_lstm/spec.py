"""Question 04.4: Repair an LSTM."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED


def stacked(rng, width, d, alike):
    """Weights of four gates; where ``alike``, those of forget gate and candidate are the same."""
    shape = (d, width) if width else (d,)
    blocks = [normal(rng, *shape) for _ in range(4)]
    if alike:
        blocks[2] = blocks[1]
    return torch.cat(blocks)


def layer(rng, shape, size=1, alike=False):
    """A text, its weights, and the size of its pieces."""
    batch, time, d_in, d = shape
    return {
        "x": normal(rng, batch, time, d_in),
        "h": normal(rng, batch, d),
        "c": normal(rng, batch, d),
        "W_x": stacked(rng, d_in, d, alike),
        "W_h": stacked(rng, d, d, alike),
        "b": stacked(rng, 0, d, alike),
        "size": size,
        "upstream": normal(rng, batch, time, d),
        "upstream of h": normal(rng, batch, d),
        "upstream of c": normal(rng, batch, d),
    }


def one_step(rng):
    for d_in, d in sizes(rng, d_in=3, d=4):
        yield layer(rng, (1, 1, d_in, d))


def several(rng):
    for shape in sizes(rng, batch=3, time=4, d_in=3, d=4):
        yield layer(rng, shape, alike=True)


def single(rng):
    """One sequence in pieces of one token, which have the same outputs with the wrong axes."""
    for time, d_in, d in sizes(rng, time=5, d_in=3, d=4):
        yield layer(rng, (1, time, d_in, d), alike=True)


def all_layers(rng):
    """Drawn; small numbers beside large ones; a bias that cancels what comes from x; the last h from W_h."""
    for *shape, size in sizes(rng, batch=3, time=6, d_in=4, d=4, size=7, far={"batch": 110}):
        yield layer(rng, shape, size)
    yield layer(rng, (2, 13, 1, 2), 5)
    for rows, matrices in ((3e-4, 2e3), (15.0, 5e-4)):
        case = layer(rng, (2, 1, 2, 2))
        weak = {name: rows * case[name] for name in ("x", "h", "c")}
        yield case | weak | {name: matrices * case[name] for name in ("W_x", "W_h")}
    case = layer(rng, (2, 1, 1, 2))
    b = 20.0 + 5 * torch.arange(8.0)
    yield case | {"x": torch.ones(2, 1, 1), "b": b, "W_x": case["W_x"] - b[:, None]}
    case = layer(rng, (2, 1, 1, 2))
    yield {k: 5e-4 * v if k in ("h", "c", "W_x", "W_h", "b") else v for k, v in case.items()}
    x = torch.tensor([[[1.0], [0.0]], [[-1.0], [0.0]]])
    b = torch.tensor([5.0, -30.0, 0.0, 5.0]).repeat_interleave(2)
    for first, matrix in ((3.0, 5e-4), (0.1, 20.0)):
        case = layer(rng, (2, 2, 1, 2), 2)
        yield case | {"x": first * x, "W_h": matrix * case["W_h"], "b": b}


def layers_to_learn(rng):
    """The memory of the long one lasts, so that gradients reach from the end of a piece to its start."""
    for *shape, size in sizes(rng, batch=3, time=5, d_in=3, d=4, size=5):
        yield layer(rng, shape, size)
    yield layer(rng, (1, 4, 5, 2), 3)
    yield layer(rng, (2, 5, 2, 3), 2)
    case = layer(rng, (1, 42, 1, 2), 36)
    case |= {"W_x": case["W_x"] / 4, "W_h": case["W_h"] / 4}
    case["b"][2:4] = 5.0
    yield case


def call_layer(student, inputs):
    state = (inputs["h"], inputs["c"])
    outputs, (h, c) = student.lstm_layer(inputs["x"], state, *(inputs[name] for name in ("W_x", "W_h", "b")))
    return {"outputs": outputs, "last h": h, "last c": c}


def call_pieces(student, inputs):
    names = ("x", "size", "W_x", "W_h", "b")
    return {"outputs": student.read_in_pieces(*(inputs[name] for name in names))}


def call_truncated(student, inputs):
    x = inputs["x"].clone().requires_grad_()
    outputs = student.read_in_pieces(x, *(inputs[name] for name in ("size", "W_x", "W_h", "b")))
    total = (outputs * inputs["upstream"]).sum()
    if total.requires_grad:
        total.backward()
    return {"gradient of x": torch.zeros_like(x) if x.grad is None else x.grad}


def call_both(student, inputs):
    weights = tuple(inputs[name] for name in ("W_x", "W_h", "b"))
    outputs, (h, c) = student.lstm_layer(inputs["x"], (inputs["h"], inputs["c"]), *weights)
    pieces = student.read_in_pieces(inputs["x"], inputs["size"], *weights)
    return {"lstm_layer: outputs": outputs, "last h": h, "last c": c, "read_in_pieces": pieces}


def call_both_backward(student, inputs):
    gradients = {}
    for function in ("lstm_layer", "read_in_pieces"):
        names = ("x", "W_x", "W_h", "b") + (("h", "c") if function == "lstm_layer" else ())
        leaves = {name: inputs[name].clone().requires_grad_() for name in names}
        weights = tuple(leaves[name] for name in ("W_x", "W_h", "b"))
        if function == "lstm_layer":
            outputs, (h, c) = student.lstm_layer(leaves["x"], (leaves["h"], leaves["c"]), *weights)
            total = (h * inputs["upstream of h"]).sum() + (c * inputs["upstream of c"]).sum()
        else:
            outputs = student.read_in_pieces(leaves["x"], inputs["size"], *weights)
            total = 0.0
        total = total + (outputs * inputs["upstream"]).sum()
        if total.requires_grad:
            total.backward()
        for name, leaf in leaves.items():
            gradient = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
            gradients[f"{function}: gradient of {name}"] = gradient
    return gradients


def lstm_layer(x, state, W_x, W_h, b):
    d = W_h.shape[1]
    h, c = (part.double() for part in state)
    written, own = x.double() @ W_x.double().mT + b, W_h.double().mT
    outputs = []
    for t in range(x.shape[1]):
        sums = written[:, t] + h @ own
        gates = sums.sigmoid()
        c = gates[:, :d] * sums[:, 2 * d : 3 * d].tanh() + gates[:, d : 2 * d] * c
        h = gates[:, 3 * d :] * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, 1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    h = c = torch.zeros(len(x), W_h.shape[1], dtype=torch.float64)
    outputs = []
    for first in range(0, x.shape[1], size):
        piece, (h, c) = lstm_layer(x[:, first : first + size], (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(piece)
    return torch.cat(outputs, 1)


QUESTION = Question(
    id="04.4",
    title="Repair an LSTM",
    kind="repair",
    difficulty=4,
    minutes=30,
    reference={"lstm_layer": lstm_layer, "read_in_pieces": read_in_pieces},
    forbids=FUSED,
    exempt={
        "extreme exponents": "the faults are others; the text does not speak of large numbers",
    },
    clauses={
        "with one layer, batch first": "reshaped loses axes, together and gradients",
        "It is the LSTM of 04.3": "says where the layer is from",
        "as 04.3 allows; the last piece": ("gradients", "equal_pieces"),
        "no gradient reaches an earlier piece": "flow and others lose truncation and gradients",
        "These two functions should do": "each has parts of its own",
        "starts from a state of zeros": "carry asks for it, and only_c_passed loses four parts",
        "the last piece may be shorter": ("gradients", "equal_pieces"),
        "those of one pass over": "carry and others lose four parts",
        "you may compare with": "advice for a cell that is not graded",
        "There are *four* mistakes": "each has a part of its own",
        "answer itself may not use": "forbidden calls, which the question names",
        "time at least 1": "no case has less; one token is a case of axes and of together",
        "at least 1": "two_at_least loses truncation and gradients",
        "(4 * d, d_in)": "names the shapes, which every part draws",
        "(4 * d, d)": "names the shapes, which every part draws",
        "(4 * d,)": "names the shapes, which every part draws",
    },
    parts=[
        Part(
            "gates",
            3,
            "one step of one sequence",
            call_layer,
            inputs=one_step,
            hints=(
                "Copy W_x, W_h and b into an nn.LSTM in another cell, and compare one step.",
                "Which rows of the weights belong to which gate?",
                "PyTorch's order is input, forget, candidate, output.",
            ),
        ),
        Part(
            "axes",
            1,
            "several sequences of several steps",
            call_layer,
            inputs=several,
            hints=(
                "What is the shape of the outputs for 2 sequences of 3 steps?",
                "Where does torch.stack put the new axis if it is not told?",
                "The list has one entry for each step, so the new axis is time, and time comes second.",
            ),
        ),
        Part(
            "carry",
            1,
            "the second piece knows the first",
            call_pieces,
            inputs=single,
            hints=(
                (
                    "Read the text of one sequence in pieces of one token, and print both parts of the "
                    "state at the end of each piece and at the beginning of the next. Which should be "
                    "equal?"
                ),
                "What is the state at the beginning of the second piece?",
                "The state of zeros belongs before the loop, not into it.",
            ),
        ),
        Part(
            "truncation",
            1,
            "no gradient flows from piece to piece",
            call_truncated,
            inputs=single,
            hints=(
                "In pieces of one token, how does output 2 depend on input 1, for the gradient?",
                "A tensor's detach gives the same values without their history. A state has two tensors.",
            ),
        ),
        Part(
            "together",
            1,
            "all of it at once",
            call_both,
            inputs=all_layers,
            hints=(
                "Compare with nn.LSTM in another cell: first lstm_layer, then read_in_pieces with one pass.",
                "Where each fault is mended, try several sequences, longer pieces, and a last piece that is "
                "shorter.",
            ),
        ),
        Part(
            "gradients",
            1,
            "within a piece gradients flow through all steps",
            call_both_backward,
            inputs=layers_to_learn,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Where is the gradient cut off: between the pieces alone, or also within one?",
                "The state that lstm_layer is given and the one that it returns have gradients.",
            ),
        ),
    ],
)
