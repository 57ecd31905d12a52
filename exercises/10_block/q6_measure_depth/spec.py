"""Question 10.6: Measure the depth."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED


def stacks(rng, wirings, shapes, size=1.0):
    """Branches that mix the objects and bend; the norm takes the mean away in every other case.

    The objects' offsets are far from 0, and one layer in three is small.
    """
    for i, (batch, time, d, n_layers) in enumerate(shapes):
        scale = torch.from_numpy(np.exp(0.5 * rng.standard_normal((n_layers, 1, 1))))
        scale[rng.permutation(n_layers)[: n_layers // 3]] = 0.15
        for wiring in wirings:
            yield {
                "x": size * (1.0 + 2.0 * normal(rng, batch, time, d).double()),
                "mixes": normal(rng, n_layers, time, time).double() / time**0.5,
                "turns": scale * normal(rng, n_layers, d, d).double() / d**0.5,
                "upstream": 3.0 * normal(rng, batch, time, d).double(),
                "wiring": wiring,
                "centered": i % 2 == 0 and d > 2,
                "share": 0.3,
            }


def branches_alone(rng):
    """At last many sequences, small objects with a small gradient, and large ones with a large one."""
    yield from stacks(rng, ("plain",), sizes(rng, batch=3, time=4, d=5, layers=4))
    yield from stacks(rng, ("plain",), [(int(rng.integers(101, 113)), 2, 2, 2)])
    for size in (1e-3, 20.0):
        for case in stacks(rng, ("plain",), [(2, 2, 3, 2)], size):
            yield {**case, "upstream": size * case["upstream"]}


def with_lines(rng):
    yield from stacks(rng, ("residual",), sizes(rng, batch=3, time=3, d=4, layers=4))


def with_norms(rng):
    """Three features and more: a norm makes 1 and -1 of fewer, and no gradient passes."""
    yield from stacks(rng, ("post", "pre"), list(sizes(rng, batch=3, time=3, d=(3, 5), layers=3))[1:])


def all_wirings(rng):
    shapes = list(sizes(rng, batch=3, time=3, d=(3, 5), layers=3))[1:5]
    yield from stacks(rng, ("plain", "residual", "post", "pre"), shapes)
    yield from stacks(rng, ("plain", "residual"), [(2, 3, 2, 2)], 1e-4)


def call_stack(student, inputs):
    def branch(mix, turn):
        return lambda z: mix @ torch.tanh(z @ turn)

    def norm(z):
        z = z - z.mean(-1, keepdim=True) if inputs["centered"] else z
        spread = z.square().mean(-1, keepdim=True) + 1e-5
        return z / spread.sqrt()

    branches = [branch(mix, turn) for mix, turn in zip(inputs["mixes"], inputs["turns"])]
    given = (inputs["x"], inputs["upstream"], inputs["wiring"], inputs["share"])
    if inputs["wiring"] == "pre":
        student.measure(branches, norm, *given)  # what it leaves behind must not count
    return dict(student.measure(branches, norm, *given))


def fading(rng):
    """Gradients that fall below the share and rise again, that never fall, and that start below it.

    Among them are one layer, many layers, and the text's example. At last the gradient comes down all of
    more than a hundred layers, and 36 of forty.
    """
    falls = ((2, 0.1, 4, 2, 0.9), (0.9, 2, 1.5, 1.5), (4, 3, 0.1), (3, 0.2, 0.8), (0.5, 0.5, 0.5, 0.5))
    stacks = [(factors, share) for factors in falls for share in (0.25, 0.6)]
    stacks += [((0.5, 0.5), 0.5), ((0.5, 0.5), 0.25), ((0.9,), 0.3), ((0.1,), 0.3)]
    stacks += [([float(size) for size in rng.uniform(0.8, 1.15, 40)], 0.3)]
    stacks += [([1.06] * (101 + int(rng.integers(10))), 0.3), ([1.06] * 3 + [1e-3] + [1.06] * 36, 0.3)]
    for factors, share in stacks:
        batch, time, d = int(rng.integers(2, 4)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
        upstream = torch.zeros(batch, time, d, dtype=torch.float64)
        # so that a norm of 0.25 is exactly that
        size = 3.0 if 0.5 not in factors else 8.0 if len(factors) == 2 else 1.0
        upstream[1, rng.integers(time), rng.integers(d)] = size
        yield {
            "x": normal(rng, batch, time, d).double(),
            "sizes": [size * (1.0 if size == 0.5 else rng.uniform(0.95, 1.05)) for size in factors],
            "upstream": upstream,
            "share": share,
        }


def call_reach(student, inputs):
    branches = [lambda z, size=size: size * z for size in inputs["sizes"]]
    found = student.measure(
        branches, torch.nn.Identity(), inputs["x"], inputs["upstream"], "plain", inputs["share"]
    )
    return {"reach": found["reach"]}


def give_gradients(student, inputs):
    return {name: student.report[name] for name in ("plain", "residual", "post", "pre")}


def give_reach(student, inputs):
    return {"reach": student.report["reach"]}


def give_shares(student, inputs):
    return {name: student.report[name] for name in ("first", "last")}


def measure(branches, norm, x, upstream, wiring, share):
    """Layer by layer, with the product of a vector and a Jacobian at each."""

    def layer(branch, z):
        found = branch(norm(z)) if wiring == "pre" else branch(z)
        whole = found if wiring == "plain" else z + found
        return (norm(whole) if wiring == "post" else whole), found

    inputs, shares = [x], []
    for branch in branches:
        after, found = layer(branch, inputs[-1])
        shares.append(math.sqrt(found.square().sum() / inputs[-1].square().sum()))
        inputs.append(after)
    gradients = [upstream]
    for branch, z in zip(reversed(branches), reversed(inputs[:-1])):
        z = z.detach().requires_grad_()
        gradients.insert(0, torch.autograd.grad(layer(branch, z)[0], z, gradients[0])[0])
    norms = [math.sqrt(gradient.square().sum()) for gradient in gradients]
    fallen = [n for n, size in enumerate(norms[-2::-1]) if size < share * norms[-1]]
    return {"gradients": norms, "shares": shares, "reach": fallen[0] if fallen else len(branches)}


QUESTION = Question(
    id="10.6",
    title="Measure the depth",
    kind="experiment",
    difficulty=4,
    minutes=35,
    reference={
        "measure": measure,
        "report": {
            "plain": 3.9042e-06,
            "residual": 769.46,
            "post": 0.22899,
            "pre": 4.3387,
            "reach": 11,
            "first": 0.64682,
            "last": 0.11898,
        },
    },
    forbids=FUSED,
    parts=[
        Part(
            "branches alone",
            2,
            "on small stacks: the gradients without lines",
            call_stack,
            inputs=branches_alone,
            compare=("gradients",),
            hints=(
                (
                    "Take two branches and write down each gradient from `upstream` down to x, and its "
                    "norm as one number for the whole tensor. How many are there, and which is the first?"
                ),
                "`upstream` is the gradient for the output: hand it on, it need not be all ones.",
                "A norm is the root of the sum of all squares, of all sequences and objects together.",
            ),
        ),
        Part(
            "lines",
            1,
            "on small stacks: the gradients with lines alone",
            call_stack,
            inputs=with_lines,
            compare=("gradients",),
            hints=(
                "Print the norms for two branches f(h) = h / 2 with lines: they grow by 3/2 in each layer.",
                "The gradient comes back on both ways, along the line and through the branch.",
            ),
        ),
        Part(
            "norms",
            1,
            "on small stacks: the gradients with norms",
            call_stack,
            inputs=with_norms,
            compare=("gradients",),
            hints=(
                (
                    "Take norm(h) = h / 2 and write down both wirings: what does the branch read, what is "
                    "added to what, and through what does the gradient go?"
                ),
                "In pre-norm the line carries the layer's input as it is.",
                "Use the `norm` that you are given. It need not be a LayerNorm.",
            ),
        ),
        Part(
            "shares",
            1,
            "on small stacks: how large the branches are",
            call_stack,
            inputs=all_wirings,
            compare=("shares",),
            hints=(
                (
                    "Take the case that is named: at each layer, the norm of what is divided by the norm "
                    "of what?"
                ),
                "What the branch gives, before anything is added, over what enters the layer.",
                "In pre-norm the layer's input is longer than what enters the branch.",
            ),
        ),
        Part(
            "reach",
            1,
            "branches that only scale: how far down the gradient comes",
            call_reach,
            inputs=fading,
            hints=(
                (
                    "Walk down from the last layer in the case that is named. With which bound is each "
                    "gradient compared, and at which layer does the walk end?"
                ),
                "A gradient that has fallen once may grow again further down. That no longer counts.",
                "Compare with the norm of `upstream`, not with 1. Equal to the bound is not below it.",
            ),
        ),
        Part(
            "reported gradients",
            1,
            "your run: the gradient at the bottom, in four wirings",
            give_gradients,
            conceal=True,
            digits=4,
            requires=("branches alone", "lines", "norms"),
            hints=(
                "Each of the four is the first entry of a list of 33.",
                "Use `branches`, `norm`, `x` and `upstream` as the cell above leaves them. Give four "
                "digits or more.",
            ),
        ),
        Part(
            "reported reach",
            1,
            "your run: how far down the gradient comes without lines",
            give_reach,
            conceal=True,
            requires=("branches alone", "reach"),
            hints=(
                "It belongs to the wiring without lines, and is a whole number from 0 to 32.",
                "The share is one hundredth.",
            ),
        ),
        Part(
            "reported shares",
            1,
            "your run: the shares of the first and the last branch in pre-norm",
            give_shares,
            conceal=True,
            digits=4,
            requires=("shares",),
            hints=(
                "Both are entries of one list of 32. Which wiring is asked for?",
                "Give four digits or more.",
            ),
        ),
    ],
    clauses={
        "Here are 32 position-wise networks": "what is given",
        "which may mix the objects": "every part but the reach has such branches",
        "`upstream` may have any size": "every part has such a gradient",
        "There is at least one branch": "what is given; one layer is a case of the reach",
        "An example to check by hand": "it is a case of the reach",
        "at 0.5 the reach is 1": "it is a case of the reach",
        "with each wiring and `share=0.01`": ("reported reach", "report_of_all"),
        "at the input of the *first* layer": ("reported gradients", "last_layer"),
        "the shares of the first and of the last": ("reported shares", "report_of_lines"),
        "The numbers count if": "every mistake in `measure` costs its reports too",
        "float64 tensor": "the form of what is given",
        "a number between 0 and 1": "the form of what is given",
        "counted from the last one down": "layer_number, from_below and strictly_above cost the report too",
    },
)
