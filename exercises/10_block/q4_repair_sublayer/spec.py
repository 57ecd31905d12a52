"""Question 10.4: Repair a sub-layer."""

import torch
from autograder.authoring import Part, Question, normal
from torch import nn

from ..inputs import BLOCKS, FUSED, LONG, layer_norm, spread_out


def sub_layers(rng):
    for batch, time, d, m in BLOCKS + LONG:
        yield {
            "u": spread_out(rng, batch, time, d),
            "W_1": normal(rng, m, d),
            "b_1": normal(rng, m),
            "W_2": normal(rng, d, m) / m**0.5,
            "b_2": normal(rng, d),
        }


def whole_sub_layers(rng):
    """Inputs of ordinary size, and such whose deviation is near the root of the epsilon."""
    yield from sub_layers(rng)
    for case, _ in zip(sub_layers(rng), range(3)):
        yield {**case, "u": 2e-3 * case["u"]}


def upstream_sub_layers(rng):
    for case in sub_layers(rng):
        yield {**case, "upstream": normal(rng, *case["u"].shape)}


def silent(rng):
    """The network gives nothing, so that the output is the input."""
    for case in sub_layers(rng):
        yield {**case, "W_2": torch.zeros_like(case["W_2"]), "b_2": torch.zeros_like(case["b_2"])}


def positive(rng):
    """Inputs that are normalized at each position already; all inner and outer values are above zero."""
    for case in sub_layers(rng):
        if case["u"].shape[2] > 2:
            u = case["u"] - case["u"].mean(2, keepdim=True)
            u = u / u.var(2, keepdim=True, correction=0).sqrt()
            inner = 60.0 + case["b_1"]
            outer = 60.0 + case["b_2"] - case["W_2"] @ inner
            yield {**case, "u": u, "b_1": inner, "b_2": outer + 40.0 * case["u"].shape[2]}


def checkered(rng):
    """Inputs of 1 and -1 that are normalized at each position and in each feature."""
    for batch, half_time, half, m in [(2, 1, 2, 7), (1, 2, 2, 4), (3, 1, 3, 5), (2, 3, 1, 3)]:
        rows = torch.ones(2 * half_time, 1)
        rows[::2] = -1.0
        columns = torch.ones(1, 2 * half)
        columns[:, ::2] = -1.0
        sign = (normal(rng, batch, 1, 1) > 0).float() * 2 - 1
        d = 2 * half
        yield {
            "u": sign * rows * columns,
            "W_1": normal(rng, m, d),
            "b_1": normal(rng, m),
            "W_2": normal(rng, d, m) / m**0.5,
            "b_2": normal(rng, d),
        }


def call_sub_layer(student, inputs):
    layer = student.SubLayer(inputs["u"].shape[2], len(inputs["b_1"]))
    with torch.no_grad():
        layer.up.weight.copy_(inputs["W_1"])
        layer.up.bias.copy_(inputs["b_1"])
        layer.down.weight.copy_(inputs["W_2"])
        layer.down.bias.copy_(inputs["b_2"])
    return {"z": layer(inputs["u"])}


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
            call_sub_layer,
            inputs=whole_sub_layers,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "If another part is lost, mend that first.",
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
                "If another part is lost, mend that first.",
                "Does something cut the gradient off?",
                "The layer has the parameters of __init__, and no others.",
            ),
        ),
    ],
)
