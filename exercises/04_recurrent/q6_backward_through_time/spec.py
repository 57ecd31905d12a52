"""Question 04.6: Back through time by hand."""

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import MATRICES, lstm


def doubles(rng, *shape, scale=1.0):
    return scale * rng.standard_normal(shape)


def backward_case(rng, shape):
    p, d_in, d = shape
    return {
        "x": doubles(rng, p, d_in),
        **{k: doubles(rng, d, d if k[1] == "h" else d_in, scale=0.8) for k in MATRICES},
        "h_0": doubles(rng, d),
        "c_0": doubles(rng, d),
        "up_h": doubles(rng, p, d),
        "up_c": doubles(rng, d),
    }


def single_steps(rng):
    """Drawn; the example of the text; and numbers below a thousandth beside large ones."""
    for d_in, d in sizes(rng, d_in=3, d=4, far={"d_in": 104}):
        yield backward_case(rng, (1, d_in, d))
    case = {name: np.zeros_like(array) for name, array in backward_case(rng, (1, 1, 1)).items()}
    yield case | {"x": np.ones((1, 1)), "up_h": np.ones((1, 1))}
    for rows, matrices in ((3e-4, 1e3), (20.0, 3e-4)):
        for name, array in (case := backward_case(rng, (1, 2, 3))).items():
            is_matrix = name in MATRICES
            case[name] = matrices * array if is_matrix else rows * rng.choice([-0.8, 0.7, 0.9], array.shape)
        yield case


def many_steps(rng):
    for shape in sizes(rng, p=5, d_in=3, d=4):
        yield backward_case(rng, shape)


def many_steps_and_a_lasting_memory(rng):
    """The last sequence is long, and its forget gates are nearly open."""
    yield from many_steps(rng)
    case = backward_case(rng, (int(rng.integers(130, 150)), 2, 2))
    case |= {"fx": np.full((2, 2), 3.0), "ix": np.full((2, 2), -1.0), "x": 1 + case["x"] / 4}
    yield case


def loud(rng):
    """The sums of two gates are in the thousands, and the others are ordinary."""
    for n, (p, d_in, d) in enumerate([(3, 2, 3), (3, 3, 2), (4, 1, 3), (3, 2, 1)]):
        case = backward_case(rng, (p, d_in, d)) | {"x": rng.choice([-2.0, -1.0, 1.0, 3.0], (p, d_in))}
        for k in ("cx", "ix") if n % 2 else ("fx", "ox"):
            case[k] = 1000 * rng.choice([-3.0, -1.0, 1.0, 2.0], case[k].shape)
        yield case


def call_gradients(student, inputs):
    W = {name: inputs[name] for name in ("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox")}
    rest = (inputs[name] for name in ("h_0", "c_0", "up_h", "up_c"))
    return dict(student.lstm_gradients(inputs["x"], W, *rest))


def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    """Autograd."""
    leaves = {name: torch.from_numpy(array).clone().requires_grad_() for name, array in W.items()}
    for name, array in (("x", x), ("h_0", h_0), ("c_0", c_0)):
        leaves[name] = torch.from_numpy(array).clone().requires_grad_()
    state = (leaves["h_0"][None], leaves["c_0"][None])
    outputs, (_, c) = lstm(leaves["x"][None], leaves, state)
    loss = (outputs[0] * torch.from_numpy(up_h)).sum() + (c[0] * torch.from_numpy(up_c)).sum()
    loss.backward()
    return {name: leaf.grad.numpy() for name, leaf in leaves.items()}


AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jvp",
    "torch.autograd.functional.jacobian",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.linearize",
)


QUESTION = Question(
    id="04.6",
    title="Back through time by hand",
    kind="implement",
    difficulty=5,
    minutes=50,
    reference={"lstm_gradients": lstm_gradients},
    needs=("04.3",),
    forbids=AUTOGRAD,
    exempt={"no gradient": "the numbers are gradients, and nothing trains through them"},
    clauses={
        "In 04.5 autograd walked back": "says where the question comes from",
        "LSTM of 04.3 (the logistic one)": "says where the network is from",
        "where the loss itself uses": "last_output_alone loses all parts of many steps",
        "NumPy arrays of float64": "float32 loses every part",
        "handed to the piece before it": "says what the gradients are for",
        "may not be used": "forbidden calls, which the question names",
        "float32 and finite differences": "float32 loses every part",
        "Your `lstm` of 04.3 is there": "an offer",
        "An example with one unit": "an example, which is a case of one step",
        "The loss $L$ reads": "last_output_alone and no_up_c lose each part of many steps",
        "`c_0` and `up_c` are 0": "an example, which is a case of one step",
        "Then $\\mathbf{c}_1": "an example, which is a case of one step",
        "The gradient with respect to `c_0`": "an example, which is a case of one step",
        "h_0, c_0: arrays": "names the shapes, which every part draws",
        'a dict of arrays: "x"': "every part compares names and shapes",
        "p at least 1": "no case has less; one step is a part of its own",
        "as in 04.3": "says where the names are from",
    },
    parts=[
        Part(
            "one step",
            3,
            "all gradients of a sequence of one step",
            call_gradients,
            inputs=single_steps,
            rtol=1e-9,
            atol=1e-13,
            hints=(
                "Work the example of the text through by hand, and compare each number.",
                "The memory is reached in two ways: through the output, and directly by up_c.",
                "The slope of a sigmoid with the value s is s (1 - s). Which five sigmas are there?",
                "If g is the gradient for the sum W h, then h gets W^T g, and W gets an outer "
                "product of g and h.",
            ),
        ),
        Part(
            "inputs",
            2,
            "the gradients of x over many steps",
            call_gradients,
            inputs=many_steps_and_a_lasting_memory,
            rtol=1e-9,
            atol=1e-13,
            compare=("x",),
            hints=(
                (
                    "Take two steps and one number of x: on which ways does the loss depend on it, and "
                    "what comes back on each of these ways?"
                ),
                "Is the row of up_h added to what comes from later steps, at each step?",
            ),
        ),
        Part(
            "matrices",
            3,
            "the gradients of the eight matrices over many steps",
            call_gradients,
            inputs=many_steps_and_a_lasting_memory,
            rtol=1e-9,
            atol=1e-12,
            compare=("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox"),
            hints=(
                (
                    "Take two steps and one matrix: of which two vectors is the outer product of each "
                    "step, and what becomes of the two products?"
                ),
                "The matrices with h multiply the output of the step before.",
            ),
        ),
        Part(
            "first state",
            3,
            "the gradients of the first state over many steps",
            call_gradients,
            inputs=many_steps_and_a_lasting_memory,
            rtol=1e-9,
            atol=1e-13,
            compare=("h_0", "c_0"),
            hints=(
                "What flows out of the first step, to where a step 0 would stand?",
                "The memory c_0 enters through the forget gate alone, h_0 through four matrices.",
            ),
        ),
        Part(
            "large",
            2,
            "sums in the thousands",
            call_gradients,
            inputs=loud,
            rtol=1e-9,
            atol=1e-9,
            hints=(
                (
                    "Print the sums of the case that is named. What does your sigmoid make of the largest "
                    "and of the smallest, and what is its slope there?"
                ),
                "Where a gate is fully open or shut, its slope is 0 and not NaN.",
            ),
        ),
    ],
)
