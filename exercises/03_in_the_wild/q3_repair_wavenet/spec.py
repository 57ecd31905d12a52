"""Question 03.3: Repair WaveNet."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import causal_conv, positive, quarters, weights


def positive_weights(rng, layers, k, d):
    return {
        "filters": positive(rng, layers, k, d, d),
        "gates": positive(rng, layers, k, d, d),
        "mixes": positive(rng, layers, d, d),
    }


def to_predict(rng):
    """Positive inputs and weights, so that no change is lost."""
    for time, d, layers, k in sizes(rng, time=6, d=2, layers=2, k=3):
        x = torch.from_numpy(rng.uniform(0.2, 1.0, (time, d)).astype(np.float32))
        yield {"x": x, **positive_weights(rng, layers, k, d)}


def to_see_far(rng):
    for layers, k in [(int(rng.integers(3, 5)), 2), (3, 3), (3, 2)]:
        x = positive(rng, (k - 1) * 2**layers + 4, 1) - 0.2
        yield {"x": x / 2, **positive_weights(rng, layers, k, 1)} | {"mixes": 1 + positive(rng, layers, 1, 1)}


def steady(rng, sizes):
    """The same input at all places: the last output is the same with a step to the right and without."""
    for batch, d, layers, k in sizes:
        time = 2 * (k - 1) * 2**layers + layers + 2
        yield {"x": normal(rng, batch, 1, d).repeat(1, time, 1), **weights(rng, layers, k, d)}


def steady_layers(rng):
    yield from steady(rng, [(batch, d, 1, k) for batch, d, k in sizes(rng, batch=3, d=3, k=3)])


def steady_pairs(rng):
    """Two layers whose gates have the kernels of the filters."""
    for case in steady(rng, [(batch, d, 2, k) for batch, d, k in sizes(rng, batch=3, d=3, k=3)]):
        yield case | {"gates": case["filters"].clone()}


def networks(rng):
    """Also one of four layers that all reach into the sequence."""
    shapes = [*sizes(rng, batch=3, time=6, d=3, layers=3, k=3, far={"time": 101})]
    for batch, time, d, layers, k in [*shapes, (2, int(rng.integers(12, 16)), 2, 4, 2)]:
        yield {
            "x": normal(rng, batch, time, d),
            **weights(rng, layers, k, d),
        }


def trained_networks(rng):
    """Sequences longer than the dilations, one of them with more than thirty places."""
    shapes = [*sizes(rng, batch=2, d=3, layers=2, k=3), (2, 2, 3, 2), (1, 1, 5, 2)]
    for batch, d, layers, k in shapes:
        time = 2**layers + int(rng.integers(1, 4))
        yield {
            "x": normal(rng, batch, time, d),
            **weights(rng, layers, k, d),
            "upstream": normal(rng, batch, time, d),
        }
    # an exponential of one's own: its value is right where it is infinite, its gradient is not
    case = {"x": quarters(rng, 2, 4, 2) * 4000, **weights(rng, 1, 2, 2), "upstream": normal(rng, 2, 4, 2)}
    yield case | {name: quarters(rng, 1, 2, 2, 2) for name in ("filters", "gates")}


def large_networks(rng):
    """Also a network deeper than the sequence is long, one that reaches far, and numbers of all sizes."""
    yield from networks(rng)
    for x, filters, gates, mixes in [
        (5e-4, 1, 1, 1),
        (1, 5e-4, 1, 1),
        (20, 0.05, 5e-4, 1),
        (1, 1, 1, 5e-4),
        (0.05, 20, 20, 20),
    ]:
        case = {"x": normal(rng, 2, 4, 2, scale=x), **weights(rng, 1, 2, 2)}
        scaled = {"filters": filters, "gates": gates, "mixes": mixes}
        yield case | {name: scale * case[name] for name, scale in scaled.items()}
    deep = {"x": normal(rng, 2, 5, 2), **weights(rng, 11, 2, 2)}
    yield {**deep, "mixes": 0.3 * deep["mixes"]}
    far = {"x": normal(rng, 1, 1024 + int(rng.integers(30, 40)), 2), **weights(rng, 11, 2, 2)}
    yield {**far, "mixes": 0.3 * far["mixes"]}
    for batch, time, d, k in [(2, 4, 2, 2), (1, 3, 3, 3)]:
        case = {"x": quarters(rng, batch, time, d) * 4000, **weights(rng, 1, k, d)}
        yield case | {name: quarters(rng, 1, k, d, d) for name in ("filters", "gates")}


def call_leak(student, inputs):
    """One input is changed at a time, each in a row of the batch."""
    x, names = inputs["x"], ("filters", "gates", "mixes")
    time = len(x)
    rows = torch.cat([x[None], x + torch.eye(time)[:, :, None]])
    y = torch.as_tensor(student.wavenet(rows, *(inputs[name] for name in names)))
    moves = ((y[1:] - y[0]).abs().amax(2) > 1e-5).T
    return {
        "row t moves with x[t] or later ones": moves.triu().any(1),
        "row t moves with x[t - 1]": moves.diagonal(-1),
    }


def call_far(student, inputs):
    x, names = inputs["x"], ("filters", "gates", "mixes")
    rows = torch.cat([x[None], x + 3 * torch.eye(len(x))[:, :, None]])
    y = torch.as_tensor(student.wavenet(rows, *(inputs[name] for name in names)))[:, -1]
    moves = ((y[1:] - y[0]).abs().amax(1) > 1e-5).nonzero().flatten().tolist()
    return {
        "places from the first input that moves the last row to the last": len(moves)
        and moves[-1] - moves[0] + 1
    }


def call_last(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    return {"the last row": student.wavenet(*(inputs[name] for name in names))[:, -1]}


def call_wavenet(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    return {"output": student.wavenet(*(inputs[name] for name in names))}


def call_wavenet_gradients(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    (student.wavenet(**leaves) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def layers_of(x, filters, gates, mixes):
    """The sum of all layers' outputs, and each layer's inputs."""
    line, total, inputs = x.double(), torch.zeros(x.shape, dtype=torch.float64), []
    for layer in range(len(filters)):
        inputs.append(line)
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = torch.einsum("btd,ed->bte", torch.tanh(content) * torch.sigmoid(gate), mixes[layer].double())
        line, total = line + s, total + s
    return total, inputs


def wavenet(x, filters, gates, mixes):
    total, _ = layers_of(x, filters, gates, mixes)
    return torch.cat([torch.zeros_like(total[:, :1]), total[:, :-1]], 1)


QUESTION = Question(
    id="03.3",
    title="Repair WaveNet",
    kind="repair",
    difficulty=3,
    minutes=30,
    reference={"wavenet": wavenet},
    needs=("03.2",),
    clauses={
        "row $t$ may depend on": "leak tests it, and so do the parts together and gradients",
        "float tensor (batch, time, d), time at least 1": "a promise: no sequence is empty",
    },
    parts=[
        Part(
            "leak",
            1,
            "row t knows x[t - 1], and nothing from x[t] on",
            call_leak,
            inputs=to_predict,
            hints=(
                "Change x[2] alone. What is the first row of the output that may change?",
                "The convolution reads the present. Of which sequence may the present be read?",
                "Move the input one place to the right, with a row of zeros in front, once.",
            ),
        ),
        Part(
            "gate",
            1,
            "the gate has weights of its own (one layer)",
            call_last,
            inputs=steady_layers,
            hints=(
                "With one layer, which of the arguments does the result depend on? Which does it not?",
                "The tanh is of one convolution, and the sigmoid of the other.",
            ),
        ),
        Part(
            "sum",
            1,
            "the result is the sum over the layers (two layers)",
            call_last,
            inputs=steady_pairs,
            hints=(
                "With two layers, what does the first one add to the result?",
                "A sum begins with zeros, and each layer adds to it.",
                "Does each layer still add its s to the line that the next one reads?",
            ),
        ),
        Part(
            "reach",
            1,
            "the dilation doubles from layer to layer",
            call_far,
            inputs=to_see_far,
            hints=(
                "Print the dilations of four layers. They should be 1, 2, 4, 8.",
                "With two layers, doubling and adding 1 give the same. The third one tells.",
            ),
        ),
        Part(
            "together",
            3,
            "the whole network, for inputs in the thousands too",
            call_wavenet,
            inputs=large_networks,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Compare each line with the formulas: two convolutions with one dilation, their product, V, "
                "and both sums.",
                "Is the dilation of the gate that of the filter, in every layer, however short the sequence?",
                "tanh and sigmoid of PyTorch can take any number. Are there exponentials of your own?",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients come back to the inputs and all weights",
            call_wavenet_gradients,
            inputs=trained_networks,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Call backward on the result, each number times one of its own. Which gradient is missing?",
                "A gradient ends at detach and in NumPy, also in your causal_conv. Where it comes back, it "
                "has the mistakes of the result.",
                "The last case has inputs in the thousands. What is the gradient of a fraction whose "
                "exponential is infinite?",
            ),
        ),
    ],
)
