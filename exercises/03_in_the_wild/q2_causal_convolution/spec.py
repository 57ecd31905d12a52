"""Question 03.2: A convolution that looks back."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import causal_conv, positive


def lags(rng):
    """Sequences into which the whole kernel fits, and a single place."""
    shapes = [*sizes(rng, k=4, dilation=4, d_in=3, d_out=3), (4, 3, 2, 1)]
    for number, (k, dilation, d_in, d_out) in enumerate([*shapes, (2, 1, 2, 2)]):
        time = (k - 1) * dilation + int(rng.integers(1, 4)) if number <= len(shapes) - 1 else 1
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


def plain_convolutions(rng):
    """Also long kernels, and numbers near zero and far from it."""
    shapes = [*sizes(rng, batch=3, time=6, d_in=4, d_out=4, k=5, far={"time": 101})]
    shapes += [(2, 15, 2, 1, int(rng.integers(9, 13)))]
    for batch, time, d_in, d_out, k in shapes:
        yield {"x": normal(rng, batch, time, d_in), "kernel": normal(rng, k, d_out, d_in)}
    for x, kernel in ((5e-4, 1.0), (1.0, 5e-4), (30.0, 1.0), (1.0, 30.0)):
        yield {"x": normal(rng, 2, 4, 3, scale=x), "kernel": normal(rng, 3, 2, 3, scale=kernel)}


def dilated_convolutions(rng):
    """Also the example of the text, kernels of four taps that fit in, and a dilation of hundreds."""
    yield {
        "x": torch.arange(1.0, 6.0)[None, :, None],
        "kernel": torch.tensor([1.0, 10.0])[:, None, None],
        "dilation": 2,
    }
    shapes = [*sizes(rng, batch=3, time=7, d_in=3, d_out=3, k=4, dilation=(2, 6))]
    for batch, time, d_in, d_out, k, dilation in [
        *shapes,
        (2, int(rng.integers(11, 15)), 2, 3, 4, 3),
        (2, 4, 3, 2, 3, 4),
        (1, 300, 1, 1, 2, int(rng.integers(257, 280))),
        (101, 4, 1, 1, 2, 3),
    ]:
        yield {
            "x": normal(rng, batch, time, d_in),
            "kernel": normal(rng, k, d_out, d_in),
            "dilation": dilation,
        }


def trained_convolutions(rng):
    """Sequences into which the whole kernel fits."""
    shapes = [*sizes(rng, batch=2, d_in=3, d_out=3, k=3, dilation=3), (2, 2, 3, 4, 9)]
    for batch, d_in, d_out, k, dilation in shapes:
        time = (k - 1) * dilation + int(rng.integers(1, 4)) + 4 * (dilation == 9)
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
    clauses={
        "where $W_i$ is `kernel[i]`": "all parts but the first test it together",
        "reaches back further than the sequence": ("dilated", "kept_inside"),
        "float tensor (batch, time, d_in), time at least 1": "a promise: no sequence is empty",
        "k at least 1": ("values", "eight_taps"),
        "a whole number, at least 1": ("dilated", "kept_inside"),
    },
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
                "Compute the example of the text, with dilation 2: 1, 2, 13, 24, 35.",
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
                "Call backward on the output, each number times one of its own. What are x.grad and "
                "kernel.grad?",
                "A gradient ends at detach, in NumPy, and at a tensor made from numbers. Where it comes "
                "back, it has the mistakes of the output.",
            ),
        ),
    ],
)
