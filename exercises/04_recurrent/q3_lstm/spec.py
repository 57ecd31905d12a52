"""Question 04.3: The LSTM, piece by piece."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, MATRICES, lstm, whole


def matrices(rng, d_in, d, scale=1.0):
    return {name: normal(rng, d, d if name[1] == "h" else d_in, scale=scale) for name in MATRICES}


def sequence(rng, shape, tanh=False, state=False, x=1.0, scale=1.0):
    """A case; ``x`` is the scale of what is read and of a given state, ``scale`` that of the matrices."""
    batch, time, d_in, d = shape
    case = {"x": normal(rng, batch, time, d_in, scale=x), **matrices(rng, d_in, d, scale)}
    if state:
        case |= {"h": normal(rng, batch, d, scale=x), "c": normal(rng, batch, d, scale=x)}
    if tanh:
        case["tanh"] = True
    upstream = {name: normal(rng, batch, d) for name in ("upstream of h", "upstream of c")}
    return case | {"upstream": normal(rng, batch, time, d)} | upstream


def loud(rng, shape, tanh=False, state=False):
    """Sums in the thousands."""
    batch, time, d_in, d = shape
    read = {k: whole(rng, -2, 2, d, d_in) for k in MATRICES if k[1] == "x"}
    x = 1000 * whole(rng, -2, 2, batch, time, d_in)
    x[0], x[:, :, 0] = x[0].abs() + 1000, x[:, :, 0].abs() + 1000
    for k in read:
        read[k][0], read[k][-1] = 2.0, -1.0
    read["cx"][0], read["ix"][0] = -1.0, 0.0
    return sequence(rng, shape, tanh, state, scale=0.5) | read | {"x": x}


def single_steps(rng):
    for batch, d_in, d in sizes(rng, batch=3, d_in=4, d=4, far={"batch": 110}):
        yield sequence(rng, (batch, 1, d_in, d))


def many_steps(rng):
    """From no state; the last case is the example of the text."""
    for shape in sizes(rng, batch=3, time=5, d_in=4, d=4, far={"time": 40}):
        yield sequence(rng, shape)
    case = sequence(rng, (2, 2, 2, 3))
    yield case | {name: torch.zeros_like(case[name]) for name in MATRICES}


def many_steps_with_tanh(rng):
    for case in many_steps(rng):
        if case["x"].shape[1] < 40:
            yield case | {"tanh": True}


def pieces_of_texts(rng):
    """Some are empty, the last one without a state; two have numbers below a thousandth beside large ones."""
    for n, shape in enumerate(sizes(rng, batch=3, time=(0, 4), d_in=4, d=4)):
        yield sequence(rng, shape, tanh=n % 2 == 1, state=n != 2)
    yield sequence(rng, (2, 0, 3, 2), state=True)
    for time, x, scale in ((1, 3e-4, 2e3), (3, 15.0, 1e-3)):
        case = sequence(rng, (2, time, 2, 2), tanh=True, state=True, x=x, scale=scale)
        yield case | {"c": case["c"].clamp(-40, 40)}
    yield sequence(rng, (int(rng.integers(2, 4)), 0, 2, 2))


def opposed(rng):
    """What comes from x and what comes from h are in the thousands and cancel, but for an ordinary number."""
    case = loud(rng, (2, 1, 2, 2), state=True)
    h = torch.from_numpy(rng.choice([1.0, 2.0], (2, 2)).astype(np.float32))
    rest = {k + "h": (4 * normal(rng, 2, 2)).round() / 4 - 1000 * case[k + "x"] for k in "cifo"}
    return case | rest | {"h": h, "x": 1000 * h[:, None]}


def shut(rng, gates, memory):
    """The sums of these gates are near -14, which is no zero beside a large memory, or beside none."""
    case = sequence(rng, (2, 1, 2, 3), tanh=True, state=True, scale=0.1)
    closed = {gate + "x": -7 - torch.from_numpy(rng.uniform(0, 1, (3, 2))).float() for gate in gates}
    return case | closed | {"x": torch.ones(2, 1, 2), "c": torch.full((2, 3), memory)}


def loud_sequences(rng):
    yield loud(rng, (2, 3, 2, 3))
    yield opposed(rng)
    yield loud(rng, (2, 3, 2, 2), state=True)
    yield loud(rng, (1, 4, 3, 2), tanh=True, state=True)
    yield shut(rng, "f", 1e5)
    yield shut(rng, "io", 0.0)


def sequences_to_learn(rng):
    """In the one of forty steps the memory lasts, so that gradients reach from its end to its start."""
    for n, shape in enumerate(sizes(rng, batch=3, time=4, d_in=3, d=4)):
        yield sequence(rng, shape, tanh=n % 2 == 1, state=n > 2)
    case = sequence(rng, (1, 40, 2, 2), tanh=True, state=True)
    lasting = {"fx": torch.full((2, 2), 4.0), "ix": torch.full((2, 2), -2.0), "x": 1 + case["x"] / 4}
    yield case | lasting
    yield loud(rng, (1, 3, 2, 3), state=True) | {"upstream of c": torch.full((1, 3), 3.0)}
    yield loud(rng, (2, 2, 2, 2), tanh=True, state=True)


def call_lstm(student, inputs):
    W = {name: inputs[name] for name in ("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox")}
    given = (inputs["h"], inputs["c"]) if "h" in inputs else None
    options = {"tanh": True} if "tanh" in inputs else {}
    outputs, (h, c) = student.lstm(inputs["x"], W, given, **options)
    return {"outputs": outputs, "last h": h, "last c": c}


def call_lstm_backward(student, inputs):
    leaves = {
        name: inputs[name].clone().requires_grad_()
        for name in ("x", "h", "c", "ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox")
        if name in inputs
    }
    W = {name: leaf for name, leaf in leaves.items() if len(name) == 2}
    given = (leaves["h"], leaves["c"]) if "h" in leaves else None
    options = {"tanh": True} if "tanh" in inputs else {}
    outputs, (h, c) = student.lstm(leaves["x"], W, given, **options)
    total = (outputs * inputs["upstream"]).sum()
    total = total + (h * inputs["upstream of h"]).sum() + (c * inputs["upstream of c"]).sum()
    if total.requires_grad:
        total.backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


QUESTION = Question(
    id="04.3",
    title="The LSTM, piece by piece",
    kind="implement",
    difficulty=3,
    minutes=30,
    reference={"lstm": lstm},
    forbids=FUSED,
    clauses={
        "(13)-(18) has eight matrices": "numbers of equations; each part uses all eight matrices",
        "is the memory line of 04.2": "says where the line is from",
        "PyTorch's LSTM layers and cells": "forbidden calls, which the question names",
        "Two pieces, the second read": ("carry", "one_zero"),
        "A piece may be empty": ("carry", "empty_zeros"),
        "and the state is returned with": ("carry", "empty_zeros"),
        "the gates and the candidate are 1/2": "an example, which is a case of many steps and of tanh",
        "With tanh both are 0": "an example, which is a case of tanh",
        "None means zeros": ("carry", "one_zero"),
        "The model trains through this": ("gradients", "cut_at_thirty"),
    },
    parts=[
        Part(
            "one step",
            1,
            "a single step of the note's LSTM without a state",
            call_lstm,
            inputs=single_steps,
            compare=("outputs",),
            hints=(
                "With matrices of zeros the first output is 0.2811 everywhere. What is yours?",
                "The matrices act on columns, and yours are rows: multiply by the transposed matrix.",
                "The memory goes through the squashing function before the output gate acts on it.",
            ),
        ),
        Part(
            "many steps",
            2,
            "the note's LSTM over a sequence, from a state of zeros",
            call_lstm,
            inputs=many_steps,
            compare=("outputs",),
            hints=(
                "All four sums of step t use the output of step t - 1. Does one of yours use a newer "
                "one, or the first?",
                "Which gate belongs to the old memory, and which to the candidate?",
            ),
        ),
        Part(
            "tanh",
            1,
            "the usual LSTM",
            call_lstm,
            inputs=many_steps_with_tanh,
            compare=("outputs",),
            hints=(
                "Two of the five sigmas become tanh. The gates are shares, and stay between 0 and 1.",
                "They are the one around the candidate's sum and the one around the memory.",
            ),
        ),
        Part(
            "carry",
            2,
            "a given state, and the state that is returned",
            call_lstm,
            inputs=pieces_of_texts,
            hints=(
                "Read a text in two pieces, and compare with one pass. What does the second piece "
                "need from the first?",
                "The state is a pair, the output h first, then the memory c, both of the last step.",
                "With a piece of time 0 the state is the one that was given, or zeros.",
            ),
        ),
        Part(
            "large",
            1,
            "sums in the thousands",
            call_lstm,
            inputs=loud_sequences,
            hints=(
                "Is each sum used as it is? A gate of a millionth is not 0 where the memory is large.",
                "The exponential of 1000 is infinite, and infinity over infinity is NaN. Which "
                "functions of PyTorch avoid it?",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients reach x, the matrices and the state",
            call_lstm_backward,
            inputs=sequences_to_learn,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Does something cut the gradient off, such as detach, no_grad or numpy?",
                "The loss reads the returned state too: both parts of it need a gradient.",
            ),
        ),
    ],
)
