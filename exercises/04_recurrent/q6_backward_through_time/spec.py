"""Question 04.6: Back through time by hand."""

import torch
from autograder.authoring import Part, Question

from ..inputs import MATRICES, lstm


def doubles(rng, *shape, scale=1.0):
    return scale * rng.standard_normal(shape)


def backward_cases(sizes, loud=False):
    """Where ``loud``, the sums of two gates are in the thousands, and the others are ordinary."""

    def draw(rng):
        for n, (p, d_in, d) in enumerate(sizes):
            W = {k: doubles(rng, d, d if k[1] == "h" else d_in, scale=0.8) for k in MATRICES}
            x = doubles(rng, p, d_in)
            if loud:
                x = rng.choice([-2.0, -1.0, 1.0, 3.0], (p, d_in))
                shut = ("cx", "ix") if n % 2 else ("fx", "ox")
                W |= {k: 1000 * rng.choice([-3.0, -1.0, 1.0, 2.0], W[k].shape) for k in shut}
            yield {
                "x": x,
                **W,
                "h_0": doubles(rng, d),
                "c_0": doubles(rng, d),
                "up_h": doubles(rng, p, d),
                "up_c": doubles(rng, d),
            }

    return draw


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
    parts=[
        Part(
            "one step",
            3,
            "all gradients of a sequence of one step",
            call_gradients,
            inputs=backward_cases([(1, 3, 2), (1, 2, 3), (1, 2, 2)]),
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
            inputs=backward_cases([(4, 3, 2), (2, 2, 4), (5, 1, 3)]),
            rtol=1e-9,
            atol=1e-13,
            compare=("x",),
            hints=(
                "If `one step` is lost too, mend that first.",
                "Two things flow back from step t + 1 to step t. One goes through the four sums, the "
                "other through the forget gate.",
                "Is the row of up_h added to what comes from later steps, at each step?",
            ),
        ),
        Part(
            "matrices",
            3,
            "the gradients of the eight matrices over many steps",
            call_gradients,
            inputs=backward_cases([(4, 3, 2), (2, 2, 4), (3, 3, 3), (4, 3, 2), (103, 1, 2)]),
            rtol=1e-9,
            atol=1e-12,
            compare=("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox"),
            hints=(
                "If `inputs` is lost too, mend that first.",
                "Every step uses the same matrices, so the outer products of all steps add up.",
                "The matrices with h multiply the output of the step before.",
            ),
        ),
        Part(
            "first state",
            3,
            "the gradients of the first state over many steps",
            call_gradients,
            inputs=backward_cases([(4, 3, 2), (2, 2, 4), (6, 1, 3)]),
            rtol=1e-9,
            atol=1e-13,
            compare=("h_0", "c_0"),
            hints=(
                "If `inputs` is lost too, mend that first.",
                "What flows out of the first step, to where a step 0 would stand?",
                "The memory c_0 enters through the forget gate alone, h_0 through four matrices.",
            ),
        ),
        Part(
            "large",
            2,
            "sums in the thousands",
            call_gradients,
            inputs=backward_cases([(3, 2, 3), (3, 3, 2), (4, 1, 3)], loud=True),
            rtol=1e-9,
            atol=1e-9,
            hints=(
                "If another part is lost, mend that first.",
                "exp(2000) is infinite in float64, and infinity over infinity is NaN. Write the sigmoid "
                "with one exponential that may become 0 or infinite, or with np.tanh.",
                "Where a gate is fully open or shut, its slope is 0 and not NaN.",
            ),
        ),
    ],
)
