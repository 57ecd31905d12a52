"""Question 04.3: The LSTM, piece by piece."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

from ..inputs import FUSED, MATRICES, lstm, whole


def matrices(rng, d_in, d, scale=1.0):
    return {name: normal(rng, d, d if name[1] == "h" else d_in, scale=scale) for name in MATRICES}


def sequences(sizes, tanh=None, state=False, loud=False):
    def draw(rng):
        for n, (batch, time, d_in, d) in enumerate(sizes):
            x, W = normal(rng, batch, time, d_in), matrices(rng, d_in, d)
            if loud:
                x = 1000 * whole(rng, -2, 2, batch, time, d_in)
                W = {k: m if k[1] == "h" else whole(rng, -2, 2, d, d_in) for k, m in W.items()}
            case = {"x": x, **W}
            if state and n != 2:
                case |= {"h": normal(rng, batch, d), "c": normal(rng, batch, d)}
            if tanh or (tanh is None and n % 2):
                case["tanh"] = True
            upstream = {name: normal(rng, batch, d) for name in ("upstream of h", "upstream of c")}
            yield case | {"upstream": normal(rng, batch, time, d)} | upstream

    return draw


STEPS = [(2, 3, 4, 3), (1, 4, 2, 3), (3, 1, 3, 2), (2, 3, 3, 3), (2, 3, 4, 3)]
PIECES = [(2, 3, 4, 3), (1, 4, 2, 3), (2, 2, 3, 2), (3, 1, 2, 2), (2, 0, 3, 2), (2, 3, 4, 3), (2, 105, 2, 1)]


def pieces_of_texts(rng):
    """The last one is empty, and nothing was read before it."""
    yield from sequences(PIECES, state=True)(rng)
    yield from sequences([(3, 0, 2, 2)])(rng)


def opposed(rng):
    """What comes from x and what comes from h are in the thousands and cancel, but for an ordinary number."""
    (case,) = sequences([(2, 1, 2, 2)], state=True, loud=True)(rng)
    h = torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (2, 2)).astype(np.float32))
    rest = {k + "h": (4 * normal(rng, 2, 2)).round() / 4 - 1000 * case[k + "x"] for k in "cifo"}
    return case | rest | {"h": h, "x": 1000 * h[:, None]}


def loud_sequences(rng):
    yield from sequences([(2, 3, 2, 3)], tanh=False, loud=True)(rng)
    yield opposed(rng)
    yield from sequences([(2, 3, 2, 2), (1, 4, 3, 2)], state=True, loud=True)(rng)


def sequences_to_learn(rng):
    yield from sequences([(2, 3, 4, 3), (1, 4, 2, 3)])(rng)
    yield from sequences([(3, 2, 2, 2), (2, 4, 3, 2)], state=True)(rng)
    yield from sequences([(1, 20, 1, 1)])(rng)
    yield from sequences([(2, 3, 2, 3), (1, 2, 2, 2)], state=True, loud=True)(rng)


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
    parts=[
        Part(
            "one step",
            1,
            "a single step of the note's LSTM without a state",
            call_lstm,
            inputs=sequences([(2, 1, 4, 3), (1, 1, 2, 3), (3, 1, 3, 3)], tanh=False),
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
            inputs=sequences(STEPS, tanh=False),
            compare=("outputs",),
            hints=(
                "If `one step` is lost too, mend that first.",
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
            inputs=sequences(STEPS, tanh=True),
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
                "If `many steps` or `tanh` is lost too, mend that first.",
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
                "If another part is lost, mend that first.",
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
                "If another part is lost, mend that first.",
                "Does something cut the gradient off, such as detach, no_grad or numpy?",
                "The loss reads the returned state too: both parts of it need a gradient.",
            ),
        ),
    ],
)
