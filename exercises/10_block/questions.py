"""Exercises of chapter 10: LayerNorm by hand and in code, blocks, a repair, a backward pass, the depth."""

import itertools
import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal
from torch import nn

FUSED = (
    "torch.nn.functional.layer_norm",
    "torch.layer_norm",
    "torch.native_layer_norm",
    "torch.nn.LayerNorm",
    "torch.nn.functional.group_norm",
    "torch.nn.functional.batch_norm",
    "torch.nn.functional.instance_norm",
    "torch.nn.functional.rms_norm",
    "torch.rms_norm",
)
ATTENTIONS = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)
AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jvp",
    "torch.autograd.functional.jacobian",
    "torch.autograd.forward_ad.make_dual",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.linearize",
)
SHAPES = [
    (2, 3, 5),
    (1, 4, 4),
    (3, 1, 6),
    (2, 5, 2),
    (1, 2, 3),
    (3, 3, 3),
    (2, 3, 5),
    (1, 101, 4),
    (2, 2, 104),
]


def spread_out(rng, *shape):
    """Features whose deviation at each position is between 1 and 3."""
    z = normal(rng, *shape).double()
    z = (z - z.mean(-1, keepdim=True)) / z.std(-1, keepdim=True, correction=0)
    size = 2.0 + normal(rng, *shape[:-1], 1).double().tanh()
    return (size * z + normal(rng, *shape[:-1], 1)).float()


def ordinary(rng):
    for shape in SHAPES:
        yield {
            "z": spread_out(rng, *shape),
            "gain": 1.0 + normal(rng, shape[2]),
            "bias": normal(rng, shape[2]),
        }


def ordinary_and_turned(rng):
    """The last features are a view, whose numbers do not lie in order."""
    yield from ordinary(rng)
    yield {**next(ordinary(rng)), "turned": True}


def with_epsilon(rng):
    """Another epsilon than the default, of the order of the variance."""
    for case, eps in zip(ordinary(rng), (0.5, 2.0, 1.0, 3.0, 0.25, 1.5, 0.7, 0.3, 2.5)):
        yield {**case, "eps": eps}


def tiny(rng):
    """Deviations around the root of epsilon and far below, and features that are all equal."""
    for (batch, time, d), scale in zip(SHAPES[:6], (3e-3, 1e-3, 1e-4, 3e-3, 1e-5, 2e-3)):
        yield {
            "z": scale * normal(rng, batch, time, d),
            "gain": 1.0 + normal(rng, d),
            "bias": normal(rng, d),
        }
        yield {
            "z": (4 * normal(rng, batch, time, 1)).round().expand(batch, time, d).clone(),
            "gain": 1.0 + normal(rng, d),
            "bias": normal(rng, d),
        }


def offset(rng):
    """A mean thousands of times as large as the deviation, in steps that float32 holds; no two are equal."""
    for shape in SHAPES[:6]:
        yield {"z": far_off(rng, *shape), "gain": 1.0 + normal(rng, shape[2]), "bias": normal(rng, shape[2])}


def far_off(rng, batch, time, d):
    steps = d * (4 * normal(rng, batch, time, d) / d).round() + torch.arange(d)
    return steps + (3000 * (2 + normal(rng, batch, time, 1).abs())).round()


def sent_back(rng):
    short = itertools.islice(with_epsilon(rng), 6)
    for case in itertools.chain(ordinary(rng), short, tiny(rng)):
        yield {**case, "upstream": normal(rng, *case["z"].shape)}


def call_norm(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    z = inputs["z"].mT.contiguous().mT if "turned" in inputs else inputs["z"]
    return {"output": student.layer_norm(z, inputs["gain"], inputs["bias"], *eps)}


def call_norm_backward(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "gain", "bias")}
    output = student.layer_norm(leaves["z"], leaves["gain"], leaves["bias"], *eps)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def layer_norm(z, gain, bias, eps=1e-5):
    z = z.double()
    centered = z - z.mean(-1, keepdim=True)
    return gain.double() * centered / (centered.square().mean(-1, keepdim=True) + eps).sqrt() + bias.double()


BLOCKS = [(2, 3, 5, 7), (1, 4, 4, 4), (3, 1, 6, 5), (2, 5, 2, 3), (1, 2, 3, 9), (3, 3, 3, 3), (2, 3, 5, 7)]
LONG = [(1, 101, 4, 3), (2, 2, 3, 120)]


def blocks(rng):
    """``write`` times ``read`` is what `attend` multiplies a sequence's objects by, ``turn`` the features.

    Four features or more: of fewer, some are nearly equal now and then, and their norm magnifies rounding.
    Once the objects are as small as the root of the norm's epsilon.
    """
    for number, (batch, time, d, m) in enumerate(BLOCKS + LONG):
        d, x = max(d, 4), normal(rng, batch, time, max(d, 4))
        yield {
            "x": 3e-3 * x if number == len(BLOCKS) - 1 else 0.5 + 2.0 * x,
            "write": normal(rng, batch, time, 3),
            "read": normal(rng, 3, time) / (3 * time) ** 0.5,
            "turn": normal(rng, d, d) / d**0.5,
            "W_1": normal(rng, d, m),
            "b_1": normal(rng, m),
            "W_2": normal(rng, m, d) / m**0.5,
            "b_2": normal(rng, d),
            "gain_1": 1.5 + normal(rng, d).abs(),
            "bias_1": normal(rng, d),
            "gain_2": 0.5 + normal(rng, d).abs(),
            "bias_2": normal(rng, d),
        }


def with_identity(rng):
    """In the last case `attend` hands back the very tensor that it was given."""
    yield from blocks(rng)
    yield {**next(blocks(rng)), "hands_back": True}


def far_from_zero(rng):
    """The last case has a mean that is thousands of times as large as the deviation."""
    yield from with_identity(rng)
    case = list(blocks(rng))[1]  # of four features, whose mean float32 holds exactly
    yield {**case, "x": far_off(rng, *case["x"].shape), "hands_back": True}


def both_blocks(rng):
    for case in blocks(rng):
        for pre in (False, True):
            yield {**case, "pre": pre, "upstream": normal(rng, *case["x"].shape)}


def call_post(student, inputs):
    # a dictionary's order is no promise
    names = ("bias_2", "gain_2", "b_2", "W_2", "bias_1", "gain_1", "b_1", "W_1")
    parameters = {name: inputs[name] for name in names}

    def attend(x):
        if "hands_back" in inputs:
            return x
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        return write @ (read @ x) @ turn

    return {"z": student.block(inputs["x"], attend, parameters)}


def call_pre(student, inputs):
    names = ("gain_2", "gain_1", "bias_2", "bias_1", "b_2", "b_1", "W_2", "W_1")
    parameters, found = {name: inputs[name] for name in names}, []

    def attend(x):
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        output = x if "hands_back" in inputs else write @ (read @ x) @ turn
        found.append((output, output.clone()))
        return output

    z = student.block(inputs["x"], attend, parameters, True)
    return {"z": z, "attend's output is as it was": all(torch.equal(now, then) for now, then in found)}


def call_block_backward(student, inputs):
    names = ("W_1", "b_1", "W_2", "b_2", "gain_1", "bias_1", "gain_2", "bias_2")
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", *names)}

    def attend(x):
        write, read, turn = (inputs[name].to(x.dtype) for name in ("write", "read", "turn"))
        return write @ (read @ x) @ turn

    parameters = {name: leaves[name] for name in names}
    output = student.block(leaves["x"], attend, parameters, inputs["pre"])
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    gradients = {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}
    return {**gradients, "parameters afterwards": sorted(parameters)}


def block(x, attend, parameters, pre=False):
    p = {name: value.double() for name, value in parameters.items()}
    x = x.double()

    def found(y):
        return attend(y.to(parameters["W_1"].dtype)).double()

    def network(y):
        return (y @ p["W_1"] + p["b_1"]).clamp(min=0.0) @ p["W_2"] + p["b_2"]

    def norm(y, n):
        return layer_norm(y, p[f"gain_{n}"], p[f"bias_{n}"])

    if pre:
        u = x + found(norm(x, 1))
        return u + network(norm(u, 2))
    u = norm(x + found(x), 1)
    return norm(u + network(u), 2)


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


def call_formula(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    given = (inputs["z"], inputs["gain"], inputs["upstream"], *eps)
    for_z, for_gain, for_bias = student.layer_norm_backward(*given)
    return {"for z": for_z, "for the gain": for_gain, "for the bias": for_bias}


def backward_cases(rng):
    """At last a single feature, and means that are thousands of times as large as the deviation."""
    for case in ordinary(rng):
        yield {"z": case["z"], "gain": case["gain"], "upstream": normal(rng, *case["z"].shape)}
    yield {"z": normal(rng, 2, 3, 1), "gain": 1.0 + normal(rng, 1), "upstream": normal(rng, 2, 3, 1)}
    for case in offset(rng):
        if case["z"].shape[2] == 4:  # of so many, float32 holds the mean exactly
            yield {"z": case["z"], "gain": case["gain"], "upstream": normal(rng, *case["z"].shape)}


def backward_cases_with_epsilon(rng):
    """At last the epsilon that is not given, of the order of the variance too."""
    for case in with_epsilon(rng):
        yield {
            "z": case["z"],
            "gain": case["gain"],
            "upstream": normal(rng, *case["z"].shape),
            "eps": case["eps"],
        }
    for shape in ((2, 3, 5), (3, 1, 6)):
        small = {name: 3e-3 * normal(rng, *shape) for name in ("z", "upstream")}
        gain = 1.0 + normal(rng, shape[2])
        gain[-1] = 0.0
        yield {**small, "gain": gain}


def all_backward_cases(rng):
    yield from backward_cases(rng)
    yield from backward_cases_with_epsilon(rng)


def layer_norm_backward(z, gain, upstream, eps=1e-5):
    z, gain, upstream = z.double(), gain.double(), upstream.double()
    d = z.shape[2]
    centered = z - z.mean(2, keepdim=True)
    root = (centered.square().mean(2, keepdim=True) + eps).sqrt()
    z_hat, h = centered / root, gain * upstream
    inner = h - h.sum(2, keepdim=True) / d - z_hat * (h * z_hat).sum(2, keepdim=True) / d
    return inner / root, (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))


STACKS = [(2, 3, 5, 4), (1, 4, 4, 3), (3, 1, 6, 2), (2, 5, 2, 5), (3, 3, 3, 3), (2, 3, 5, 4)]
TALL = [(1, 101, 2, 1), (2, 3, 2, 1)]


def stacks(rng, wirings, shapes):
    """Branches that mix the objects and bend; the norm takes the mean away in every other case.

    The objects' offsets are far from 0, and one layer in three is small.
    """
    for i, (batch, time, d, n_layers) in enumerate(shapes):
        size = torch.from_numpy(np.exp(0.5 * rng.standard_normal((n_layers, 1, 1))))
        size[rng.permutation(n_layers)[: n_layers // 3]] = 0.15
        for wiring in wirings:
            yield {
                "x": 1.0 + 2.0 * normal(rng, batch, time, d).double(),
                "mixes": normal(rng, n_layers, time, time).double() / time**0.5,
                "turns": size * normal(rng, n_layers, d, d).double() / d**0.5,
                "upstream": 3.0 * normal(rng, batch, time, d).double(),
                "wiring": wiring,
                "centered": i % 2 == 0,
                "share": 0.3,
            }


def branches_alone(rng):
    yield from stacks(rng, ("plain",), STACKS + TALL)


def with_lines(rng):
    yield from stacks(rng, ("residual",), STACKS + TALL[1:])


def with_norms(rng):
    yield from stacks(rng, ("post", "pre"), STACKS[:5])


def all_wirings(rng):
    yield from stacks(rng, ("plain", "residual", "post", "pre"), STACKS[:4])


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
    """Gradients that fall below the share and rise again, that never fall, and that start below it."""
    for sizes in ((2, 0.1, 4, 2, 0.9), (0.9, 2, 1.5, 1.5), (4, 3, 0.1), (3, 0.2, 0.8), (0.5, 0.5, 0.5, 0.5)):
        for share in (0.25, 0.6):
            upstream = torch.zeros(2, 3, 2, dtype=torch.float64)
            # so that a norm of 0.25 is exactly that
            upstream[1, rng.integers(3), rng.integers(2)] = 1.0 if 0.5 in sizes else 3.0
            yield {
                "x": normal(rng, 2, 3, 2).double(),
                "sizes": [size * (1.0 if size == 0.5 else rng.uniform(0.95, 1.05)) for size in sizes],
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


# batch, time, d, heads, heads of keys, width of a head, m
DECODERS = [
    (2, 4, 5, 4, 2, 2, 7),
    (1, 5, 6, 6, 2, 4, 3),
    (3, 3, 3, 2, 2, 2, 4),
    (2, 1, 4, 3, 1, 4, 5),
    (2, 4, 5, 4, 2, 2, 7),
    (1, 102, 2, 2, 1, 2, 2),
]
FREE = 1e36  # a base with which only the first pair of a head turns


def decoders(rng, shapes, **others):
    """Streams with offsets, and weights of a block; queries and keys give scores of a few units."""
    for batch, time, d, n_heads, n_shared, k, m in shapes:
        yield {
            "x": spread_out(rng, batch, time, d),
            "gain_1": 0.5 + normal(rng, d).abs(),
            "W_q": 1.5 * normal(rng, d, n_heads * k) / d**0.5,
            "W_k": 1.5 * normal(rng, d, n_shared * k) / d**0.5,
            "W_v": normal(rng, d, n_shared * k),
            "W_o": 0.5 * normal(rng, n_heads * k, d) / (n_heads * k) ** 0.5,
            "gain_2": 0.5 + normal(rng, d).abs(),
            "W_g": 1.5 * normal(rng, d, m) / d**0.5,
            "W_1": normal(rng, d, m),
            "W_2": normal(rng, m, d) / m**0.5,
            "n_heads": n_heads,
            **others,
        }


def networks(rng):
    """Attention gives nothing. Streams are of ordinary size, and as small as the epsilon's root."""
    for i, case in enumerate(decoders(rng, DECODERS)):
        size = (1.0, 1.0, 4e-3)[i % 3]
        yield {**case, "x": size * case["x"], "W_o": torch.zeros_like(case["W_o"])}


def lone_tokens(rng):
    """One token, which attends to itself; the network gives nothing."""
    for i, case in enumerate(
        decoders(
            rng, [(2, 1, 5, 4, 2, 2, 3), (1, 1, 4, 6, 2, 4, 2), (3, 1, 3, 3, 1, 2, 4), (2, 1, 4, 2, 2, 2, 3)]
        )
    ):
        size = (1.0, 4e-3)[i % 2]
        yield {**case, "x": size * case["x"], "W_2": torch.zeros_like(case["W_2"])}


def unturned(rng):
    """Only the last two features of six are used, and they hardly turn; the network gives nothing."""
    used = torch.tensor([0.0, 0.0, 0.0, 0.0, 2.0, 2.0])
    shapes = [(2, 4, 5, 2, 2, 6, 2), (1, 5, 3, 4, 2, 6, 2), (3, 3, 6, 3, 1, 6, 2), (2, 2, 4, 4, 2, 6, 3)]
    for case in decoders(rng, shapes, base=FREE):
        yield {
            **case,
            "W_q": case["W_q"] * used.repeat(case["n_heads"]),
            "W_k": case["W_k"] * used.repeat(case["W_k"].shape[1] // 6),
            "W_2": torch.zeros_like(case["W_2"]),
        }


def together(rng):
    yield from decoders(rng, DECODERS)
    yield from decoders(rng, [(2, 4, 3, 4, 2, 4, 3)], base=30.0)
    yield from decoders(rng, [(1, 3, 4, 2, 1, 6, 2)], base=200.0)
    for case in decoders(rng, [(2, 4, 3, 2, 1, 2, 3)]):  # all scores are 0
        yield {**case, "W_q": torch.zeros_like(case["W_q"])}


PIECES = [
    ((2, 4, 5, 4, 2, 2, 3), [1, 1, 1, 1]),
    ((1, 6, 4, 2, 1, 4, 5), [3, 1, 2]),
    ((2, 5, 3, 3, 3, 4, 2), [2, 3]),
]


def in_pieces(rng, more=(((1, 102, 3, 2, 1, 2, 2), [99, 3]),)):
    for shape, pieces in (*PIECES, *more):
        for case in decoders(rng, [shape], base=50.0):
            even = 0.2 if shape[1] > 100 else 1.0  # of many tokens, each has its share
            yield {
                **case,
                "W_q": even * case["W_q"],
                "pieces": pieces,
                "upstream": normal(rng, *case["x"].shape),
            }


def forked(rng):
    """A text and two continuations of it; the second one is of another length."""
    for shape in ((2, 6, 4, 4, 2, 2, 3), (1, 6, 3, 2, 1, 4, 2), (3, 6, 4, 2, 2, 2, 2)):
        for case in decoders(rng, [shape]):
            yield {**case, "other": spread_out(rng, shape[0], 2, shape[2])}


def extreme(rng):
    """Scores of about 1,500 and -1,500, another in each row, later ones larger by 1,100, and large gates.

    The squares of each token sum to d, and no pair that is used turns by more than a third. The last text
    is one token as small as the epsilon's root, whose scores are large all the same.
    """
    for batch, n_heads, n_shared, pieces, base, size in (
        (2, 4, 2, [4, 3], {}, 1.0),
        (1, 2, 1, [3, 2], {"base": FREE}, 1.0),
        (3, 2, 1, [1], {}, 4e-3),
    ):
        time, d, k, m = sum(pieces), 6, 6, 4
        for case in decoders(rng, [(batch, time, d, n_heads, n_shared, k, m)], **base):
            case = {
                name: value.double() if isinstance(value, torch.Tensor) else value
                for name, value in case.items()
            }
            x = 0.4 * normal(rng, batch, time, d).double().clamp(-2, 2)
            sign = torch.ones(time, dtype=torch.float64)
            sign[::2] = -1.0
            x[..., 0] = sign * (0.9 + 0.1 * normal(rng, batch, time).clamp(-1, 1)) * rng.choice([-1, 1])
            x[..., 1] = 1.0
            x[..., 2] = 0.7 * (torch.arange(time) >= pieces[0] - 1)
            x[:, -1, 2] = 1.4 * (time > 1)
            x[..., 5] = (d - x[..., :5].square().sum(-1)).sqrt()
            gates = torch.tensor([2000.0, 2000.0, 2000.0, 1.0], dtype=torch.float64)
            queries, keys = torch.zeros(2, d, k, dtype=torch.float64)
            queries[0, 4], keys[1, 4] = 4000.0, 1.0
            queries[1, 2], keys[2, 2], keys[3, 2] = 1.0, 4000.0, 4.0
            yield {
                **case,
                "x": size * x,
                "gain_1": torch.ones(d, dtype=torch.float64),
                "W_q": queries.repeat(1, n_heads),
                "W_k": keys.repeat(1, n_shared),
                "W_g": case["W_g"] * gates,
                "W_1": case["W_1"] / gates,
                "pieces": pieces,
                "upstream": normal(rng, batch, time, d).double(),
            }


def sent_through(rng):
    """Texts in pieces and in one; the streams of the last are as small as the epsilon's root."""
    yield from in_pieces(rng, more=())
    for case in decoders(rng, DECODERS[:3]):
        yield {**case, "pieces": [case["x"].shape[1]], "upstream": normal(rng, *case["x"].shape)}
    for case in decoders(rng, [(2, 2, 4, 2, 1, 2, 3)]):
        upstream = normal(rng, *case["x"].shape)
        yield {**case, "x": 4e-3 * case["x"], "pieces": [2], "upstream": upstream}


def call_decoder(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights = {name: inputs[name] for name in names}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    return {"z": student.decoder_block(inputs["x"], weights, inputs["n_heads"], **base)[0]}


def call_in_pieces(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights = {name: inputs[name] for name in names}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    found, cache = [], None
    for piece in inputs["x"].split(inputs["pieces"], 1):
        past = {} if cache is None else {"cache": cache}
        z, cache = student.decoder_block(piece, weights, inputs["n_heads"], **past, **base)
        found.append(z)
    return {f"z of piece {n}": z for n, z in enumerate(found)}


def call_forked(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights, n_heads = {name: inputs[name] for name in names}, inputs["n_heads"]
    _, first = student.decoder_block(inputs["x"][:, :4], weights, n_heads)
    sizes = [list(kept.shape) for kept in first]
    _, longer = student.decoder_block(inputs["x"][:, 4:], weights, n_heads, first)
    before = [kept.clone() for kept in longer]
    z, second = student.decoder_block(inputs["other"], weights, n_heads, first)
    return {
        "shapes of the cache": sizes,
        "shapes of the second cache": [list(kept.shape) for kept in second],
        "shapes of the first, afterwards": [list(kept.shape) for kept in first],
        "z of the other continuation": z,
        "the first continuation's cache stays": [torch.equal(a, b) for a, b in zip(before, longer)],
    }


def call_decoder_backward(student, inputs):
    names = ("x", "gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    weights = {name: leaves[name] for name in names[1:]}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    found, cache = [], None
    for piece in leaves["x"].split(inputs["pieces"], 1):
        past = {} if cache is None else {"cache": cache}
        z, cache = student.decoder_block(piece, weights, inputs["n_heads"], **past, **base)
        found.append(z)
    (torch.cat(found, 1) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    """Token by token and head by head; the cache holds keys that are not turned."""
    kind = x.dtype
    w = {name: weight.double() for name, weight in weights.items()}
    x, k = x.double(), w["W_q"].shape[1] // n_heads
    rates = base ** (-torch.arange(0, k, 2).double() / k)

    def rms_norm(z, gain):
        return gain * z * (z.square().mean(-1, keepdim=True) + 1e-5).rsqrt()

    def turned(rows, start):
        angles = (start + torch.arange(rows.shape[1]).double())[:, None] * rates
        pairs = torch.view_as_complex(rows.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    queries, keys, values = ((normed @ w[name]).split(k, 2) for name in ("W_q", "W_k", "W_v"))
    start = 0
    if cache is not None:
        start = cache[0].shape[2]
        keys = [torch.cat([cache[0][:, g].double(), key], 1) for g, key in enumerate(keys)]
        values = [torch.cat([cache[1][:, g].double(), value], 1) for g, value in enumerate(values)]
    ahead = torch.arange(keys[0].shape[1]) > start + torch.arange(x.shape[1])[:, None]
    u = x
    for h, query in enumerate(queries):
        g = h * len(keys) // n_heads
        scores = turned(query, start) @ turned(keys[g], 0).mT / math.sqrt(k)
        shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
        u = u + shares @ values[g] @ w["W_o"][h * k : (h + 1) * k]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    z = u + (gate * torch.sigmoid(gate) * (normed @ w["W_1"])) @ w["W_2"]
    return z.to(kind), (torch.stack(list(keys), 1).to(kind), torch.stack(list(values), 1).to(kind))


SIGMA = math.sqrt(4.4)
SMALL = SIGMA / 1000

QUESTIONS = [
    Question(
        id="10.1",
        title="LayerNorm by hand",
        kind="derive",
        difficulty=1,
        minutes=15,
        reference={
            "deviation": SIGMA,
            "last": 4 / SIGMA,
            "slope": (1 - 1 / 5 - 16 / 4.4 / 5) / SIGMA,
            "stratos": SMALL / (SMALL + 0.001),
            "library": SMALL / math.sqrt(SMALL**2 + 1e-5),
        },
        parts=[
            Part(
                "deviation",
                1,
                "the deviation of the five features",
                reads=("deviation",),
                hints=(
                    "The mean is 3. Write down the five deviations from it, and their squares.",
                    "LayerNorm divides the sum of the squares by the number of features.",
                ),
            ),
            Part(
                "last",
                1,
                "the last feature, normalized",
                reads=("last",),
                hints=(
                    "Subtract the mean, then divide by the deviation.",
                    "The last feature is 7 and the mean 3.",
                ),
            ),
            Part(
                "slope",
                1,
                "the derivative of the last output for the last input",
                reads=("slope",),
                hints=(
                    "If the last feature grows, the mean and the deviation grow with it.",
                    "Take the last entry on the diagonal of the chapter's Jacobian.",
                    "Three terms stand in its bracket, and one factor in front.",
                ),
            ),
            Part(
                "stratos",
                1,
                "small features, 0.001 added to the deviation",
                reads=("stratos",),
                hints=(
                    "Dividing all features by 1,000 divides their deviation by 1,000.",
                    "The output has the deviation of the input over what LayerNorm divides by.",
                ),
            ),
            Part(
                "library",
                1,
                "small features, epsilon added to the variance",
                reads=("library",),
                hints=(
                    "Compare the variance of the small features with the epsilon.",
                    "The epsilon stands inside the root.",
                ),
            ),
        ],
    ),
    Question(
        id="10.2",
        title="LayerNorm",
        kind="implement",
        difficulty=2,
        minutes=20,
        reference={"layer_norm": layer_norm},
        forbids=FUSED,
        parts=[
            Part(
                "values",
                2,
                "features of ordinary size",
                call_norm,
                inputs=ordinary_and_turned,
                hints=(
                    "Take one position with two features and compute it by hand.",
                    "Over which dimension are mean and variance taken, and what keeps it for the "
                    "subtraction?",
                    "The variance divides by the number of features, and gain and bias come last.",
                    "The last z is a view, on which `view` may fail where `reshape` does not.",
                ),
            ),
            Part(
                "epsilon",
                1,
                "another epsilon than the default",
                call_norm,
                inputs=with_epsilon,
                hints=(
                    "Does your function use `eps`, and where in the formula does it stand?",
                    "The epsilon is added to the variance, before the root.",
                ),
            ),
            Part(
                "tiny",
                1,
                "tiny deviations, and features that are all equal",
                call_norm,
                inputs=tiny,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "What does your function give if all features are equal? It should be the bias.",
                    "With a variance far below epsilon, the epsilon decides the size of the output.",
                ),
            ),
            Part(
                "offset",
                1,
                "a mean thousands of times as large as the deviation",
                call_norm,
                inputs=offset,
                rtol=2e-3,
                atol=2e-3,
                hints=(
                    "The inputs are exact in float32. Which intermediate result is not?",
                    "The difference of two large squares loses its digits.",
                    "Subtract the mean first, and square what is left.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients for the features, the gain and the bias",
                call_norm_backward,
                inputs=sent_back,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "If the values are wrong, mend them first.",
                    "Does something cut the gradient off: detach, no_grad, item, NumPy?",
                    "Mean and deviation depend on the features, and their gradients count.",
                ),
            ),
        ],
    ),
    Question(
        id="10.3",
        title="The block",
        kind="implement",
        difficulty=3,
        minutes=25,
        reference={"block": block},
        needs=("10.2",),
        forbids=FUSED,
        parts=[
            Part(
                "post",
                3,
                "the post-norm block",
                call_post,
                inputs=far_from_zero,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "Write down the shapes of x, attend(x), u and the network's inner values.",
                    "What is normalized first: the sum, or what attention found?",
                    "The second residual line starts from u, not from x, and has its own gain and bias.",
                ),
            ),
            Part(
                "pre",
                3,
                "the pre-norm block",
                call_pre,
                inputs=with_identity,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "Which vectors does attend read, and which are added to what it finds?",
                    "The residual line itself is never normalized.",
                    "Nothing is normalized behind the last sum.",
                    "What attend hands back is a tensor that you are given: add to it, but not in place.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients for the inputs and all parameters, in both forms",
                call_block_backward,
                inputs=both_blocks,
                rtol=2e-3,
                atol=1e-3,
                hints=(
                    "If a form is wrong, mend that first.",
                    "Both paths carry a gradient, the line and the branch.",
                    "Does something cut the gradient off: detach, no_grad, .data?",
                ),
            ),
        ],
    ),
    Question(
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
                    "If the dimension is right: by how many does the variance divide? By the number of "
                    "features.",
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
    ),
    Question(
        id="10.5",
        title="Backward through LayerNorm",
        kind="implement",
        difficulty=4,
        minutes=35,
        reference={"layer_norm_backward": layer_norm_backward},
        forbids=(*FUSED, *AUTOGRAD),
        exempt={"no gradient": "it is itself a gradient; nothing trains through it"},
        parts=[
            Part(
                "parameters",
                2,
                "the gradients for gain and bias",
                call_formula,
                inputs=all_backward_cases,
                compare=("for the gain", "for the bias"),
                rtol=2e-4,
                atol=2e-5,
                hints=(
                    "An entry of the bias is added at every position of every sequence.",
                    "An entry of the gain multiplies its normalized feature at every position.",
                ),
            ),
            Part(
                "features",
                2,
                "the gradient for z",
                call_formula,
                inputs=backward_cases,
                compare=("for z",),
                rtol=2e-4,
                atol=2e-5,
                hints=(
                    "Test your gradient by small changes of one feature.",
                    "Adding the same number to all features changes nothing: what does that say about the "
                    "sum of the gradient?",
                    "With h for the gain times what comes from above, subtract its mean, then its share "
                    "along the normalized features.",
                ),
            ),
            Part(
                "epsilon",
                2,
                "the gradient for z where epsilon is of the order of the variance",
                call_formula,
                inputs=backward_cases_with_epsilon,
                compare=("for z",),
                rtol=2e-4,
                atol=2e-5,
                hints=(
                    "The root holds the epsilon. Differentiate it with the epsilon in place.",
                    "The normalized features have a variance below 1 now. Where does your derivation use "
                    "that it is 1?",
                ),
            ),
        ],
    ),
    Question(
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
                1,
                "on small stacks: the gradients without lines",
                call_stack,
                inputs=branches_alone,
                compare=("gradients",),
                hints=(
                    "The list has one number more than there are layers. Which is its first, which its last?",
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
                    "If the part before is lost, mend that first.",
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
                    "In which wiring does the norm stand on the line, and in which before the branch?",
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
                    "There is one share for each layer, none for the top.",
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
                    "Walk down from the last layer. What ends the walk?",
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
    ),
    Question(
        id="10.7",
        title="A block of today, token by token",
        kind="implement",
        difficulty=5,
        minutes=60,
        reference={"decoder_block": decoder_block},
        forbids=(*FUSED, *ATTENTIONS),
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands, and every token may "
            "attend to itself: -1e9 is as good",
        },
        parts=[
            Part(
                "network",
                2,
                "W_o is zero: the norm, the gated network and its line",
                call_decoder,
                inputs=networks,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "With W_o = 0 attention adds nothing, and u is x. What is left of the equations?",
                    "The root mean square is taken over the features of a token. No mean is subtracted, and "
                    "the epsilon stands inside the root.",
                    "Only one of the two inner layers goes through the activation; then they are multiplied.",
                ),
            ),
            Part(
                "one token",
                1,
                "W_2 is zero, one token: what it finds is its own value",
                call_decoder,
                inputs=lone_tokens,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "A single token has all its weight on itself, so its heads return its values. Which head "
                    "of values belongs to each head of queries?",
                    "The first n_heads / n_kv heads of queries share the first head of values.",
                    "The heads are put side by side, head 1 first, and W_o follows.",
                ),
            ),
            Part(
                "attention",
                2,
                "W_2 is zero, several tokens, features that hardly turn",
                call_decoder,
                inputs=unturned,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If the part before is lost, mend that first.",
                    "Token i attends to the tokens 0 to i, and the weights of each row sum to 1.",
                    "By the root of which width are the scores divided?",
                ),
            ),
            Part(
                "positions",
                1,
                "everything together, all tokens at once",
                call_decoder,
                inputs=together,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If a part before is lost, mend that first.",
                    "Queries and keys are turned, values are not. Which two features make a pair?",
                    "The rates depend on the width of a head, not on that of the stream.",
                ),
            ),
            Part(
                "pieces",
                2,
                "the same text in pieces, with the cache",
                call_in_pieces,
                inputs=in_pieces,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "Print the result for five tokens at once, and for the first four and then the fifth. "
                    "From which token on do they differ?",
                    "A piece begins at the position that the cache's length says, for turning and for the "
                    "mask.",
                    "Are the keys in your cache turned already? Then they must not be turned again.",
                ),
            ),
            Part(
                "cache",
                1,
                "the cache holds no more than it must, and can be used twice",
                call_forked,
                inputs=forked,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If the part before is lost, mend that first.",
                    "Heads that share their keys need them once. The shape is (batch, n_kv, tokens, k).",
                    "A cache that is given stays as it is. A longer one is new.",
                ),
            ),
            Part(
                "extremes",
                1,
                "scores near 1,500 and near -1,500, and gates in the thousands, with their gradients",
                call_decoder_backward,
                inputs=extreme,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "Mask before the largest score of a row is subtracted: a later one may be larger by "
                    "a thousand.",
                    "If numbers are NaN, look for an exponential that overflows, in the gate too: its "
                    "gradient is then infinity times zero.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients for x and all weights, through the cache too",
                call_decoder_backward,
                inputs=sent_through,
                rtol=2e-3,
                atol=1e-3,
                hints=(
                    "If a part before is lost, mend that first.",
                    "An earlier piece gets a gradient from later ones, through its keys and values. Does "
                    "something cut it off?",
                ),
            ),
        ],
    ),
]
