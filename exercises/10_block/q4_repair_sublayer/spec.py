"""Question 10.4: Repair a sub-layer."""

import torch
from autograder.authoring import Part, Question, normal, sizes
from torch import nn

from ..inputs import FUSED, layer_norm, spread_out


def a_sub_layer(rng, batch, time, d, m):
    return {
        "u": spread_out(rng, batch, time, d),
        "W_1": normal(rng, m, d),
        "b_1": normal(rng, m),
        "W_2": normal(rng, d, m) / m**0.5,
        "b_2": normal(rng, d),
    }


def sub_layers(rng, fewest):
    for shape in sizes(rng, batch=4, time=4, d=(fewest, 6), m=7):
        yield a_sub_layer(rng, *shape)


def whole_sub_layers(rng):
    """One feature too, long texts, many features; at last large ones, and some near the epsilon's root."""
    cases = list(sub_layers(rng, 1))
    for shape in ((1, 105, 4, 3), (2, 2, 105, 3), (2, 2, 3, 120)):
        yield a_sub_layer(rng, *(size + int(rng.integers(9)) * (size > 100) for size in shape))
    yield from cases
    for case, size in zip(cases, (20.0, 2e-3, 2e-3, 2e-3)):
        yield {**case, "u": size * case["u"]}


def upstream_sub_layers(rng):
    """Three features and more: the gradient of two is as small as the epsilon, that of one is rounding."""
    far = a_sub_layer(rng, 1, int(rng.integers(101, 113)), 3, 2)
    for case in [*sub_layers(rng, 3), far]:
        yield {**case, "upstream": normal(rng, *case["u"].shape)}


def silent(rng):
    """The network gives nothing, so that the output is the input."""
    for case in sub_layers(rng, 2):
        yield {**case, "W_2": torch.zeros_like(case["W_2"]), "b_2": torch.zeros_like(case["b_2"])}


def positive(rng):
    """Inputs that are normalized at each position already; all inner and outer values are above zero."""
    for case in sub_layers(rng, 3):
        u = case["u"] - case["u"].mean(2, keepdim=True)
        u = u / u.var(2, keepdim=True, correction=0).sqrt()
        inner = 60.0 + case["b_1"]
        outer = 60.0 + case["b_2"] - case["W_2"] @ inner
        yield {**case, "u": u, "b_1": inner, "b_2": outer + 40.0 * case["u"].shape[2]}


def checkered(rng):
    """Inputs of 1 and -1 that are normalized at each position and in each feature."""
    for batch, half_time, half, m in sizes(rng, batch=3, half_time=3, half=3, m=7):
        rows = torch.ones(2 * half_time, 1)
        rows[::2] = -1.0
        columns = torch.ones(1, 2 * half)
        columns[:, ::2] = -1.0
        sign = (normal(rng, batch, 1, 1) > 0).float() * 2 - 1
        yield {**a_sub_layer(rng, batch, 2 * half_time, 2 * half, m), "u": sign * rows * columns}


def call_sub_layer(student, inputs):
    layer = student.SubLayer(inputs["u"].shape[2], len(inputs["b_1"]))
    with torch.no_grad():
        layer.up.weight.copy_(inputs["W_1"])
        layer.up.bias.copy_(inputs["b_1"])
        layer.down.weight.copy_(inputs["W_2"])
        layer.down.bias.copy_(inputs["b_2"])
    return {"z": layer(inputs["u"])}


def call_sub_layer_twice(student, inputs):
    layer = student.SubLayer(inputs["u"].shape[2], len(inputs["b_1"]))
    with torch.no_grad():
        layer.up.weight.copy_(inputs["W_1"])
        layer.up.bias.copy_(inputs["b_1"])
        layer.down.weight.copy_(inputs["W_2"])
        layer.down.bias.copy_(inputs["b_2"])
    return {"z": layer(inputs["u"]), "z of -u": layer(-inputs["u"])}


def call_sub_layer_backward(student, inputs):
    layer = student.SubLayer(inputs["u"].shape[2], len(inputs["b_1"]))
    with torch.no_grad():
        layer.up.weight.copy_(inputs["W_1"])
        layer.up.bias.copy_(inputs["b_1"])
        layer.down.weight.copy_(inputs["W_2"])
        layer.down.bias.copy_(inputs["b_2"])
    u = inputs["u"].clone().requires_grad_()
    (layer(u) * inputs["upstream"]).sum().backward()
    found = {"u": u.grad, "up": layer.up.weight.grad, "down": layer.down.weight.grad}
    shapes = {"u": u, "up": layer.up.weight, "down": layer.down.weight}
    gradients = {
        f"gradient of {name}": torch.zeros_like(shapes[name]) if grad is None else grad
        for name, grad in found.items()
    }
    return {**gradients, "parameters": sorted(name for name, _ in layer.named_parameters())}


class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        one = torch.ones(u.shape[2], dtype=u.dtype)
        normed = layer_norm(u, one, torch.zeros_like(one)).to(u.dtype)
        return u + self.down(self.up(normed).clamp(min=0.0))


QUESTION = Question(
    id="10.4",
    title="Repair a sub-layer",
    kind="repair",
    difficulty=3,
    minutes=20,
    reference={"SubLayer": SubLayer},
    forbids=FUSED,
    parts=[
        Part(
            "line",
            1,
            "where the network gives nothing, the input passes unchanged",
            call_sub_layer,
            inputs=silent,
            hints=(
                "Set the second matrix and its bias to zero. What should come out?",
                "Which vector does the last line add to the branch?",
                "In pre-norm the residual line carries the input, not what was made of it.",
            ),
        ),
        Part(
            "bend",
            1,
            "the network bends where it should",
            call_sub_layer,
            inputs=checkered,
            hints=(
                "Can the branch give negative numbers? It should be able to.",
                "Two linear maps with nothing between them are one linear map.",
                "If the ReLU is right: by how many does the variance divide? By the number of features.",
            ),
        ),
        Part(
            "norm",
            1,
            "each position is normalized by itself",
            call_sub_layer,
            inputs=positive,
            rtol=1e-3,
            atol=1e-2,
            hints=(
                "Change one position. Do the outputs of the others move?",
                "Which dimension holds the features?",
                "If the dimension is right: by how many does the variance divide? By the number of features.",
            ),
        ),
        Part(
            "output",
            1,
            "all together",
            call_sub_layer_twice,
            inputs=whole_sub_layers,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Take one position with two features, of the size of 0.001 too, and compute it by hand.",
                "Compare with the formula above, from the inside out.",
            ),
        ),
        Part(
            "gradients",
            1,
            "it trains",
            call_sub_layer_backward,
            inputs=upstream_sub_layers,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Do u and the weights of both maps get a gradient, and is it made of numbers?",
                "Does something cut the gradient off?",
                "The layer has the parameters of __init__, and no others.",
            ),
        ),
    ],
    clauses={
        "its epsilon is": ("output", "outside"),
        "the parameters in `__init__` are right": ("gradients", "new_parameters"),
        "a whole number": "it is the form of a width",
    },
)
