"""Question 03.2: A convolution that looks back."""

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import causal_conv, positive


def lags(rng):
    for time, d_in, d_out, k, dilation in [
        (6, 2, 3, 3, 2),
        (5, 1, 2, 2, 3),
        (4, 2, 1, 3, 3),
        (1, 2, 2, 2, 1),
    ]:
        yield {
            "x": positive(rng, time, d_in),
            "kernel": positive(rng, k, d_out, d_in),
            "dilation": dilation,
        }


def call_lags(student, inputs):
    """One input is changed at a time, each in a row of the batch."""
    time = len(inputs["x"])
    x = torch.cat([inputs["x"][None], inputs["x"] + torch.eye(time)[:, :, None]])
    y = torch.as_tensor(student.causal_conv(x, inputs["kernel"], inputs["dilation"]))
    return {"place t moves with input s": ((y[1:] - y[0]).abs().amax(2) > 1e-3).T}


PLAIN = [
    (2, 4, 3, 4, 2),
    (1, 4, 2, 3, 3),
    (3, 1, 4, 2, 2),
    (2, 3, 3, 3, 2),
    (2, 4, 3, 4, 2),
    (2, 2, 3, 2, 4),
    (1, 3, 2, 4, 1),
    (1, 101, 1, 1, 1),
]
DILATED = [
    (2, 4, 3, 4, 2, 2),
    (1, 6, 2, 3, 3, 2),
    (2, 3, 2, 2, 3, 4),
    (3, 1, 2, 3, 2, 3),
    (2, 5, 4, 4, 2, 4),
    (2, 4, 3, 4, 2, 2),
    (1, 3, 2, 1, 1, 3),
    (101, 4, 1, 1, 2, 3),
]


def plain_convolutions(rng):
    for batch, time, d_in, d_out, k in PLAIN:
        yield {"x": normal(rng, batch, time, d_in), "kernel": normal(rng, k, d_out, d_in)}


def dilated_convolutions(rng):
    for batch, time, d_in, d_out, k, dilation in DILATED:
        yield {
            "x": normal(rng, batch, time, d_in),
            "kernel": normal(rng, k, d_out, d_in),
            "dilation": dilation,
        }


def trained_convolutions(rng):
    for batch, time, d_in, d_out, k, dilation in [(2, 5, 3, 2, 2, 2), (1, 4, 2, 3, 3, 1), (2, 2, 1, 2, 2, 3)]:
        yield {
            "x": normal(rng, batch, time, d_in),
            "kernel": normal(rng, k, d_out, d_in),
            "dilation": dilation,
            "upstream": normal(rng, batch, time, d_out),
        }


def call_conv(student, inputs):
    dilation = (inputs["dilation"],) if "dilation" in inputs else ()
    return {"output": student.causal_conv(inputs["x"], inputs["kernel"], *dilation)}


def call_conv_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", "kernel")}
    output = student.causal_conv(leaves["x"], leaves["kernel"], inputs["dilation"])
    (output * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


QUESTION = Question(
    id="03.2",
    title="A convolution that looks back",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"causal_conv": causal_conv},
    parts=[
        Part(
            "lags",
            1,
            "each place depends on itself and on places before it, the dilation apart",
            call_lags,
            inputs=lags,
            hints=(
                "Put 1 at one place and 0 at all others. Where do the taps of the kernel appear?",
                "With k = 3 and dilation 2 they appear at the place itself, and 2 and 4 places later.",
                "If they appear earlier, the convolution looks ahead: all the padding belongs in front.",
            ),
        ),
        Part(
            "values",
            1,
            "the numbers, for dilation 1",
            call_conv,
            inputs=plain_convolutions,
            hints=(
                "Compute the example of the text with dilation 1: 1, 12, 23, 34, 45.",
                "Which matrix meets x_t itself, the first or the last of the kernel?",
                "kernel[i] has a row for each output feature and a column for each input feature.",
            ),
        ),
        Part(
            "dilated",
            2,
            "the numbers, for other dilations",
            call_conv,
            inputs=dilated_convolutions,
            hints=(
                "If `values` is lost too, mend that first.",
                "The kernel reaches (k - 1) times the dilation back. How many zeros have to stand in front?",
                "Tap i reads the input i times the dilation before the place.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients come back to x and to the kernel",
            call_conv_gradients,
            inputs=trained_convolutions,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "If `dilated` is lost too, mend that first.",
                "If not: does something cut the gradient off, such as detach, numpy, or a tensor made "
                "from numbers?",
            ),
        ),
    ],
)
