"""Exercises of chapter 4: a running state, gradients and counts, the LSTM, one repaired, reach, by hand."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

FUSED = ("torch.nn.LSTM", "torch.nn.LSTMCell", "torch.lstm", "torch.lstm_cell")


def whole(rng, low, high, *shape):
    """Whole numbers from low to high, in float32."""
    return torch.from_numpy(rng.integers(low, high + 1, shape).astype(np.float32))


def network(rng, vocab, d, k):
    return {
        "E": normal(rng, vocab, d),
        "W_x": normal(rng, k, d),
        "W_h": normal(rng, k, k),
        "c": normal(rng, k),
        "W_o": normal(rng, vocab, k),
        "b": normal(rng, vocab),
        "h_0": normal(rng, k),
    }


def loud_network(rng, vocab, d, k):
    """Whole numbers times 1,000 go into the sigmoid, so that no rounding error does."""
    net = network(rng, vocab, d, k)
    signs = torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 3.0], (vocab, d)).astype(np.float32))
    return net | {"E": 1000 * signs, "W_x": whole(rng, -2, 2, k, d)}


def far_logits(rng, vocab, d, k):
    """Logits in the thousands, with another offset after each state."""
    net = loud_network(rng, vocab, d, k)
    offsets = torch.from_numpy(rng.choice([-3000.0, 2500.0], k).astype(np.float32))
    return net | {"W_o": offsets + normal(rng, vocab, k, scale=400.0), "b": normal(rng, vocab, scale=900.0)}


def texts(sizes, make, full=False):
    def draw(rng):
        for batch, time, vocab, d, k in sizes:
            lengths = rng.integers(0, time + 1, batch)
            if batch > 1:
                lengths[rng.permutation(batch)[:2]] = 0, time
            yield {
                "tokens": torch.from_numpy(rng.integers(0, vocab, (batch, time))),
                "lengths": torch.full((batch,), time) if full else torch.from_numpy(lengths),
                "start": int(rng.integers(0, vocab)),
                **make(rng, vocab, d, k),
            }

    return draw


TEXTS = [(2, 4, 5, 3, 2), (1, 3, 4, 2, 3), (3, 1, 3, 2, 2), (2, 4, 5, 3, 2), (3, 5, 6, 3, 3)]


def loud_texts(rng):
    sizes = [(2, 4, 5, 3, 2), (3, 3, 4, 2, 4)]
    for full in (True, False):
        yield from texts(sizes, far_logits, full)(rng)


def texts_to_learn(rng):
    for make, sizes in ((network, TEXTS), (loud_network, [(2, 4, 5, 3, 2)])):
        for case in texts(sizes, make)(rng):
            k, d = case["W_x"].shape
            batch = len(case["tokens"])
            yield case | {
                "x": normal(rng, batch, d),
                "h": normal(rng, batch, k),
                "upstream": normal(rng, batch),
                "upstream of the step": normal(rng, batch, k),
            }


def single_steps(rng):
    for batch, d, k in [(2, 3, 4), (1, 4, 2), (3, 1, 3), (2, 3, 3), (2, 3, 4), (120, 2, 1)]:
        yield {"x": normal(rng, batch, d), "h": normal(rng, batch, k), **network(rng, 2, d, k)}
    x = 1000 * torch.from_numpy(rng.choice([-2.0, 1.0, 3.0], (3, 2)).astype(np.float32))
    yield {"x": x, "h": normal(rng, 3, 4), **loud_network(rng, 2, 2, 4)}


def call_step(student, inputs):
    net = {name: inputs[name] for name in ("E", "W_x", "W_h", "c", "W_o", "b", "h_0")}
    return {"state": student.rnn_step(inputs["x"], inputs["h"], net)}


def call_likelihood(student, inputs):
    net = {name: inputs[name] for name in ("E", "W_x", "W_h", "c", "W_o", "b", "h_0")}
    return {
        "log-likelihoods": student.log_likelihood(inputs["tokens"], inputs["lengths"], inputs["start"], net)
    }


def call_learning(student, inputs):
    gradients = {}
    for function in ("log_likelihood", "rnn_step"):
        names = ("W_x", "W_h", "c") + (
            ("E", "W_o", "b", "h_0") if function == "log_likelihood" else ("x", "h")
        )
        leaves = {name: inputs[name].clone().requires_grad_() for name in names}
        net = {name: leaves.get(name, inputs[name]) for name in ("E", "W_x", "W_h", "c", "W_o", "b", "h_0")}
        if function == "log_likelihood":
            result = student.log_likelihood(inputs["tokens"], inputs["lengths"], inputs["start"], net)
            total = (result * inputs["upstream"]).sum()
        else:
            result = student.rnn_step(leaves["x"], leaves["h"], net)
            total = (result * inputs["upstream of the step"]).sum()
        if total.requires_grad:
            total.backward()
        for name, leaf in leaves.items():
            gradient = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
            gradients[f"{function}: gradient of {name}"] = gradient
    return gradients


def rnn_step(x, h, net):
    rows = (x @ net["W_x"].mT).double() + h.double() @ net["W_h"].double().mT + net["c"]
    return torch.sigmoid(rows)


def log_likelihood(tokens, lengths, start, net):
    """All states first, then all logits at once."""
    batch, time = tokens.shape
    read = torch.cat([torch.full((batch, 1), start), tokens], 1)[:, :time]
    W_h, W_o = net["W_h"].double(), net["W_o"].double()
    written = (net["E"] @ net["W_x"].mT).double()[read] + net["c"]
    h, states = net["h_0"].double(), []
    for t in range(time):
        h = torch.sigmoid(written[:, t] + h @ W_h.mT)
        states.append(h)
    logits = torch.stack(states, 1) @ W_o.mT + net["b"]
    scores = logits.gather(2, tokens[:, :, None])[:, :, 0] - logits.logsumexp(2)
    return torch.where(torch.arange(time) < lengths[:, None], scores, 0.0).sum(1)


MATRICES = ("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox")


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


def lstm(x, W, state=None, tanh=False):
    """The inputs' parts of all sums first, in float64."""
    batch, time, _ = x.shape
    d = len(W["ch"])
    own = torch.cat([W[gate + "h"] for gate in "cifo"]).double().mT
    written = x.double() @ torch.cat([W[gate + "x"] for gate in "cifo"]).double().mT
    zeros = torch.zeros(batch, d, dtype=torch.float64)
    h, c = (zeros, zeros) if state is None else (part.double() for part in state)
    outputs = [torch.zeros(batch, 0, d, dtype=torch.float64)]
    for t in range(time):
        sums = written[:, t] + h @ own
        enter, forget, show = sums[:, d:].sigmoid().chunk(3, 1)
        c = enter * (sums[:, :d].tanh() if tanh else sums[:, :d].sigmoid()) + forget * c
        h = show * (c.tanh() if tanh else c.sigmoid())
        outputs.append(h[:, None])
    return torch.cat(outputs, 1), (h, c)


def stacked(rng, width, d, alike):
    """Weights of four gates; where ``alike``, those of forget gate and candidate are the same."""
    shape = (d, width) if width else (d,)
    blocks = [normal(rng, *shape) for _ in range(4)]
    if alike:
        blocks[2] = blocks[1]
    return torch.cat(blocks)


def layers(sizes, alike=False):
    def draw(rng):
        for batch, time, d_in, d in sizes:
            yield {
                "x": normal(rng, batch, time, d_in),
                "h": normal(rng, batch, d),
                "c": normal(rng, batch, d),
                "W_x": stacked(rng, d_in, d, alike),
                "W_h": stacked(rng, d, d, alike),
                "b": stacked(rng, 0, d, alike),
                "upstream": normal(rng, batch, time, d),
                "upstream of h": normal(rng, batch, d),
                "upstream of c": normal(rng, batch, d),
            }

    return draw


def with_sizes(pairs, alike=False):
    """Long texts, with the size of the pieces."""

    def draw(rng):
        cases = layers([sizes for sizes, _ in pairs], alike)(rng)
        for case, (_, size) in zip(cases, pairs, strict=True):
            yield case | {"size": size}

    return draw


single = with_sizes([((1, 4, 3, 2), 1), ((1, 3, 2, 3), 1), ((1, 2, 2, 2), 1)], alike=True)
all_layers = with_sizes(
    [
        ((2, 5, 3, 4), 2),
        ((1, 4, 5, 2), 3),
        ((3, 1, 2, 3), 2),
        ((2, 4, 4, 4), 2),
        ((2, 5, 3, 4), 2),
        ((3, 6, 2, 5), 6),
        ((3, 3, 2, 3), 1),
        ((120, 2, 1, 1), 1),
    ]
)
layers_to_learn = with_sizes([((2, 5, 3, 4), 2), ((1, 4, 5, 2), 3), ((3, 3, 2, 3), 4)])


def call_layer(student, inputs):
    state = (inputs["h"], inputs["c"])
    outputs, (h, c) = student.lstm_layer(inputs["x"], state, *(inputs[name] for name in ("W_x", "W_h", "b")))
    return {"outputs": outputs, "last h": h, "last c": c}


def call_pieces(student, inputs):
    names = ("x", "size", "W_x", "W_h", "b")
    return {"outputs": student.read_in_pieces(*(inputs[name] for name in names))}


def call_truncated(student, inputs):
    x = inputs["x"].clone().requires_grad_()
    outputs = student.read_in_pieces(x, *(inputs[name] for name in ("size", "W_x", "W_h", "b")))
    total = (outputs * inputs["upstream"]).sum()
    if total.requires_grad:
        total.backward()
    return {"gradient of x": torch.zeros_like(x) if x.grad is None else x.grad}


def call_both(student, inputs):
    weights = tuple(inputs[name] for name in ("W_x", "W_h", "b"))
    outputs, (h, c) = student.lstm_layer(inputs["x"], (inputs["h"], inputs["c"]), *weights)
    pieces = student.read_in_pieces(inputs["x"], inputs["size"], *weights)
    return {"lstm_layer: outputs": outputs, "last h": h, "last c": c, "read_in_pieces": pieces}


def call_both_backward(student, inputs):
    gradients = {}
    for function in ("lstm_layer", "read_in_pieces"):
        names = ("x", "W_x", "W_h", "b") + (("h", "c") if function == "lstm_layer" else ())
        leaves = {name: inputs[name].clone().requires_grad_() for name in names}
        weights = tuple(leaves[name] for name in ("W_x", "W_h", "b"))
        if function == "lstm_layer":
            outputs, (h, c) = student.lstm_layer(leaves["x"], (leaves["h"], leaves["c"]), *weights)
            total = (h * inputs["upstream of h"]).sum() + (c * inputs["upstream of c"]).sum()
        else:
            outputs = student.read_in_pieces(leaves["x"], inputs["size"], *weights)
            total = 0.0
        total = total + (outputs * inputs["upstream"]).sum()
        if total.requires_grad:
            total.backward()
        for name, leaf in leaves.items():
            gradient = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
            gradients[f"{function}: gradient of {name}"] = gradient
    return gradients


def lstm_layer(x, state, W_x, W_h, b):
    d = W_h.shape[1]
    h, c = (part.double() for part in state)
    written, own = x.double() @ W_x.double().mT + b, W_h.double().mT
    outputs = []
    for t in range(x.shape[1]):
        sums = written[:, t] + h @ own
        gates = sums.sigmoid()
        c = gates[:, :d] * sums[:, 2 * d : 3 * d].tanh() + gates[:, d : 2 * d] * c
        h = gates[:, 3 * d :] * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, 1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    h = c = torch.zeros(len(x), W_h.shape[1], dtype=torch.float64)
    outputs = []
    for first in range(0, x.shape[1], size):
        piece, (h, c) = lstm_layer(x[:, first : first + size], (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(piece)
    return torch.cat(outputs, 1)


CELLS = [
    ("linear", 2, 3, 2, 3),
    ("plain", 3, 4, 3, 2),
    ("memory", 2, 5, 2, 2),
    ("memory", 1, 3, 4, 2),
    ("plain", 3, 1, 2, 1),
    ("plain", 3, 4, 3, 2),
    ("linear", 2, 4, 4, 4),
]


def cells(rng, sizes=CELLS):
    """Three kinds of cells: a linear one, a plain one, and one with a memory and a count as its state."""
    for kind, batch, time, d, k in sizes:
        scale = 1.0 if kind == "memory" else 0.8 / math.sqrt(k)
        yield {
            "kind": kind,
            "x": torch.from_numpy(rng.standard_normal((batch, time, d))),
            "A": torch.from_numpy(rng.standard_normal((k, d))),
            "B": torch.from_numpy(scale * rng.standard_normal((k, k))),
            "first": torch.from_numpy(rng.standard_normal((batch, k))),
            "target": torch.from_numpy(3.0 + rng.uniform(0, 1, (batch, k))),
        }


def cells_and_a_long_text(rng):
    yield from cells(rng)
    yield from cells(rng, [("memory", 1, 101, 1, 1)])


def cells_and_a_faint_loss(rng):
    """The gradients of the last one are tiny; what is asked of them is not."""
    yield from cells(rng)
    (case,) = cells(rng, [("linear", 2, 3, 2, 2)])
    yield case | {"scale": 1e-25}


def call_measure(student, inputs):
    A, B, target = inputs["A"], inputs["B"], inputs["target"]

    def linear(x, h):
        h = x @ A.T + h @ B.T
        return h, h

    def plain(x, h):
        h = torch.tanh(x @ A.T + h @ B.T)
        return 2 * h, h

    def memory(x, state):
        count, c = state
        gate = (1 + torch.tanh(1.5 + c @ B.T / 4)) / 2
        c = gate * c + torch.tanh(x @ A.T) / (1 + 0.1 * count)
        return c * (1 + torch.tanh(x.sum(1, keepdim=True))), (count + 1, c)

    def loss(output):
        return ((output - target) ** 2).sum(1) * inputs.get("scale", 1.0)

    state = (0, inputs["first"]) if inputs["kind"] == "memory" else inputs["first"]
    cell = {"linear": linear, "plain": plain, "memory": memory}[inputs["kind"]]
    student.measure(cell, state, inputs["x"], loss)  # what it leaves behind must not count
    return dict(student.measure(cell, state, inputs["x"], loss))


def measure(cell, state, x, loss):
    """Each input a leaf of its own."""
    leaves = [x_t.clone().requires_grad_() for x_t in x.unbind(1)]
    for leaf in leaves:
        output, state = cell(leaf, state)
    loss(output).sum().backward()
    norms = [np.sqrt((leaf.grad.numpy() ** 2).sum(1)).mean() for leaf in leaves]
    far = sum(n * norm for n, norm in enumerate(reversed(norms)))
    return {"norms": np.array(norms), "ratio": norms[0] / norms[-1], "lag": far / sum(norms)}


def give_ratios(student, inputs):
    return {"ratios": student.report["ratios"]}


def give_lags(student, inputs):
    return {"lags": student.report["lags"]}


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
NETWORK_HINT = "If `one step` is lost too, mend rnn_step first."

QUESTIONS = [
    Question(
        id="04.1",
        title="A running state",
        kind="implement",
        difficulty=1,
        minutes=20,
        reference={"rnn_step": rnn_step, "log_likelihood": log_likelihood},
        parts=[
            Part(
                "one step",
                1,
                "the next state",
                call_step,
                inputs=single_steps,
                hints=(
                    "With all parameters zero, each unit of the new state is sigmoid(0) = 1/2.",
                    "The formula is for columns, and yours are rows: the product of W_h and h is "
                    "h times the transposed matrix.",
                    "The bias c is added before the sigmoid. torch.sigmoid is right at any size.",
                ),
            ),
            Part(
                "whole texts",
                1,
                "log-likelihoods where no text is padded",
                call_likelihood,
                inputs=texts([*TEXTS, (1, 102, 3, 2, 2)], network, full=True),
                hints=(
                    NETWORK_HINT,
                    "Which tokens have been read when token t is predicted, and is the start token among "
                    "them?",
                    "Read first, then predict: the state after the start token predicts the first token.",
                    "Sum natural logarithms of the probabilities of the tokens that stand there.",
                ),
            ),
            Part(
                "lengths",
                1,
                "padding counts for nothing",
                call_likelihood,
                inputs=texts(TEXTS, network),
                hints=(
                    "If `whole texts` is lost too, mend that first.",
                    "A text of length 2 has two predicted tokens, those at the places 0 and 1.",
                    "Nothing has to stop at the length: what stands behind it may be computed and then "
                    "multiplied by 0.",
                ),
            ),
            Part(
                "large",
                1,
                "sums and logits in the thousands",
                call_likelihood,
                inputs=loud_texts,
                rtol=1e-3,
                atol=1e-2,
                hints=(
                    "If `whole texts` or `lengths` is lost too, mend that first.",
                    "The exponential of 2000 overflows. Which functions of PyTorch compute the sigmoid and "
                    "the logarithm of the softmax without it?",
                    "Each text and each place has its own largest logit.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients reach all parameters",
                call_learning,
                inputs=texts_to_learn,
                rtol=1e-3,
                atol=2e-3,
                hints=(
                    "If another part is lost, mend that first.",
                    "Does something cut the gradient off, such as detach, no_grad, item or numpy?",
                    "Where an exponential overflows, the value may be right and its gradient NaN.",
                ),
            ),
        ],
    ),
    Question(
        id="04.2",
        title="How far back, and how many steps",
        kind="derive",
        difficulty=2,
        minutes=25,
        reference={
            "steps": 44,
            "peak": 3 * 4 * 0.7**2,
            "bound": 0.8**12,
            "memory": 0.135,
            "bias": -math.log(2**0.01 - 1),
            "rnn": 19058,
            "note": 73728,
            "critical": 514,
            "again": 15150,
        },
        parts=[
            Part(
                "steps",
                1,
                "when a gradient is below 0.01",
                reads=("steps",),
                hints=(
                    "What does one step do to the derivative, and what do n steps do?",
                    "0.9 to the power n falls below 0.01. Try the whole numbers around the solution.",
                ),
            ),
            Part(
                "peak",
                1,
                "a derivative that grows before it shrinks",
                reads=("peak",),
                hints=(
                    "The derivative is an entry of the matrix W to the power n.",
                    "Multiply W by itself twice by hand, and look at the entry in the corner.",
                    "Write the entry down for n = 1, 2, 3, 4, 5, and take the largest.",
                ),
            ),
            Part(
                "logistic",
                1,
                "a bound on the derivative through twelve sigmoids",
                reads=("bound",),
                hints=(
                    "The slope of the sigmoid is s (1 - s). How large is it where s = 1/2?",
                    "Each step multiplies by the weight and by a slope. How many steps are there from "
                    "0 to 12?",
                ),
            ),
            Part(
                "memory",
                1,
                "what is left of a candidate",
                reads=("memory",),
                hints=(
                    "How does the candidate of step 2 get into the memory? Which gates does it pass later?",
                    "The forget gate of step 2 acts on what was there before.",
                ),
            ),
            Part(
                "bias",
                1,
                "a forget gate with a given half-life",
                reads=("bias",),
                hints=(
                    "What must the gate be, so that its power of 100 is 1/2?",
                    "Then solve sigmoid(b) = f for b: the logarithm of f / (1 - f).",
                ),
            ),
            Part(
                "parameters",
                1,
                "the sizes of two networks",
                reads=("rnn", "note"),
                hints=(
                    "Write the shape of each matrix down. Which sides are 96, and which are 50?",
                    "The note's LSTM has no biases. How many matrices do its equations name?",
                ),
            ),
            Part(
                "serial",
                1,
                "rounds of a deep network",
                reads=("critical",),
                hints=(
                    "Draw a grid of 3 rows and 4 columns, and write the number of its round into each cell.",
                    "The second layer can begin before the first has ended.",
                ),
            ),
            Part(
                "sampling",
                1,
                "cells of a program that keeps no state",
                reads=("again",),
                hints=(
                    "How many tokens does it read for the first sample, for the second, for the last?",
                    "Add them up, and mind that each token passes through three layers.",
                ),
            ),
        ],
    ),
    Question(
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
    ),
    Question(
        id="04.4",
        title="Repair an LSTM",
        kind="repair",
        difficulty=4,
        minutes=30,
        reference={"lstm_layer": lstm_layer, "read_in_pieces": read_in_pieces},
        forbids=FUSED,
        exempt={"extreme exponents": "the faults are others; the text does not speak of large numbers"},
        parts=[
            Part(
                "gates",
                2,
                "one step of one sequence",
                call_layer,
                inputs=layers([(1, 1, 3, 2), (1, 1, 2, 3), (1, 1, 3, 2)]),
                hints=(
                    "Copy W_x, W_h and b into an nn.LSTM in another cell, and compare one step.",
                    "Which rows of the weights belong to which gate?",
                    "PyTorch's order is input, forget, candidate, output.",
                ),
            ),
            Part(
                "axes",
                1,
                "several sequences of several steps",
                call_layer,
                inputs=layers([(2, 3, 3, 2), (3, 3, 2, 3), (3, 2, 2, 2)], alike=True),
                hints=(
                    "What is the shape of the outputs for 2 sequences of 3 steps?",
                    "Where does torch.stack put the new axis if it is not told?",
                    "The list has one entry for each step, so the new axis is time, and time comes second.",
                ),
            ),
            Part(
                "carry",
                1,
                "the second piece knows the first",
                call_pieces,
                inputs=single,
                hints=(
                    "Read a text in pieces of one token. Does the last output depend on the first token?",
                    "What is the state at the beginning of the second piece?",
                    "The state of zeros belongs before the loop, not into it.",
                ),
            ),
            Part(
                "truncation",
                1,
                "no gradient flows from piece to piece",
                call_truncated,
                inputs=single,
                hints=(
                    "If `carry` is lost too, mend that first.",
                    "In pieces of one token, how does output 2 depend on input 1, for the gradient?",
                    "A tensor's detach gives the same values without their history. A state has two tensors.",
                ),
            ),
            Part(
                "together",
                1,
                "all of it at once",
                call_both,
                inputs=all_layers,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won, try several sequences, longer pieces, and a last piece that is "
                    "shorter.",
                ),
            ),
            Part(
                "gradients",
                1,
                "within a piece gradients flow through all steps",
                call_both_backward,
                inputs=layers_to_learn,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first.",
                    "Where is the gradient cut off: between the pieces alone, or also within one?",
                    "The state that lstm_layer is given and the one that it returns have gradients.",
                ),
            ),
        ],
    ),
    Question(
        id="04.5",
        title="Measure how far gradients reach",
        kind="experiment",
        difficulty=3,
        minutes=30,
        reference={
            "measure": measure,
            "report": {
                "ratios": [4.0787255461892e-11, 7.108815555646e-09, 0.5747952529230627],
                "lags": [0.5835198557281839, 1.037530112018469, 20.624760722389674],
            },
        },
        parts=[
            Part(
                "norms",
                2,
                "on small cells: the norm for each input",
                call_measure,
                inputs=cells_and_a_long_text,
                atol=1e-12,
                compare=("norms",),
                hints=(
                    "Run the cell over all inputs, handing its state on, and take the loss of the last "
                    "output alone.",
                    "One backward pass gives the gradients of all inputs. The sum of the losses has each "
                    "sequence's own gradient.",
                    "Take the norm over the features of one input of one sequence, then the mean over the "
                    "sequences.",
                ),
            ),
            Part(
                "ratio",
                1,
                "on small cells: the first norm by the last",
                call_measure,
                inputs=cells_and_a_faint_loss,
                atol=1e-12,
                compare=("ratio",),
                hints=(
                    "If `norms` is lost too, mend that first.",
                    "Which of the two is usually the smaller one, and is it above or below the line?",
                ),
            ),
            Part(
                "lag",
                1,
                "on small cells: the mean distance",
                call_measure,
                inputs=cells_and_a_faint_loss,
                atol=1e-12,
                compare=("lag",),
                hints=(
                    "If `norms` is lost too, mend that first.",
                    "The last input has the distance 0, the first the distance time - 1.",
                    "A weighted mean divides by the sum of the weights.",
                ),
            ),
            Part(
                "reported ratios",
                1,
                "your run: the ratios of the three cells",
                give_ratios,
                conceal=True,
                digits=4,
                requires=("norms", "ratio"),
                hints=(
                    "Does each kind start with the state that make_cell gave, and with the seeds as they "
                    "are?",
                    "The order is rnn, lstm, lstm4. Four digits of 0.00000123 begin with its 1.",
                ),
            ),
            Part(
                "reported lags",
                1,
                "your run: the lags of the three cells",
                give_lags,
                conceal=True,
                digits=4,
                requires=("norms", "lag"),
                hints=(
                    "Do the lags come from the same calls as the ratios?",
                    "The order is rnn, lstm, lstm4. Give four digits or more.",
                ),
            ),
        ],
    ),
    Question(
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
                2,
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
                1,
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
                2,
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
                2,
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
                1,
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
    ),
]
