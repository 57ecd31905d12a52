"""Question 04.1: A running state."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import whole


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
    """Whole numbers times 1,000 go into the sigmoid, so no rounding does; the first unit hears no x."""
    net = network(rng, vocab, d, k)
    E = rng.choice([-2.0, -1.0, 1.0, 3.0], (vocab, d)).astype(np.float32)
    E[0], E[-1] = -2.0, 3.0
    W_x = whole(rng, -2, 2, k, d)
    W_x[0], W_x[-1] = 0.0, 2.0
    return net | {"E": 1000 * torch.from_numpy(E), "W_x": W_x}


def far_logits(rng, vocab, d, k):
    """Logits in the thousands, with another offset after each state."""
    net = loud_network(rng, vocab, d, k)
    offsets = torch.from_numpy(rng.choice([-3000.0, 2500.0], k).astype(np.float32))
    return net | {"W_o": offsets + normal(rng, vocab, k, scale=400.0), "b": normal(rng, vocab, scale=900.0)}


def text(rng, shape, make=network, lengths=None):
    """Texts of which one is full and one empty, where there are several."""
    batch, time, vocab, d, k = shape
    if lengths is None:
        lengths = rng.integers(0, time + 1, batch)
        lengths[rng.permutation(batch)[:2]] = (0, time)[: min(batch, 2)]
    return {
        "tokens": torch.from_numpy(rng.integers(0, vocab, (batch, time))),
        "lengths": torch.from_numpy(np.broadcast_to(lengths, batch).copy()),
        "start": int(rng.integers(0, vocab)),
        **make(rng, vocab, d, k),
    }


def shapes(rng, far=None):
    return sizes(rng, batch=3, time=5, vocab=6, d=4, k=5, far=far)


def whole_texts(rng):
    """Unpadded; then a vocabulary with numbers above 255, and rows of E below a thousandth."""
    for shape in shapes(rng, far={"time": 40}):
        yield text(rng, shape, lengths=shape[1])
    case = text(rng, (1, 4, 290, 1, 2), lengths=4)
    yield case | {"tokens": torch.tensor([[int(rng.integers(256, 290)), 3, 257, 289]]), "start": 280}
    case = text(rng, (2, 4, 5, 3, 2), lengths=4)
    yield case | {"E": normal(rng, 5, 3, scale=3e-4), "W_x": normal(rng, 2, 3, scale=3e3)}


def padded_texts(rng):
    """Drawn, a long one, and the example of the text with its padding."""
    for shape in shapes(rng):
        yield text(rng, shape)
    yield text(rng, (1, int(rng.integers(262, 270)), 2, 1, 1), lengths=259)
    case = text(rng, (2, 4, 7, 2, 3), lengths=3)
    yield {
        k: torch.zeros_like(v) if torch.is_tensor(v) and v.is_floating_point() else v for k, v in case.items()
    }


def loud_texts(rng):
    """Unpadded; then padded with a token of probability 1, so that it costs nothing where it is counted."""
    for shape in [(2, 4, 5, 3, 2), (3, 3, 4, 2, 4), (2, 4, 5, 3, 2), (1, 5, 3, 1, 2), (2, 9, 5, 2, 3)]:
        yield text(rng, shape, far_logits, lengths=shape[1]) | {"start": shape[2] - 1}
    for shape in [(3, 5, 5, 3, 2), (4, 4, 6, 2, 3)]:
        batch, time, vocab, _, _ = shape
        shortest = int(rng.integers(1, time))
        lengths = rng.integers(shortest, time + 1, batch)
        lengths[rng.permutation(batch)[:2]] = shortest, time
        case = text(rng, shape, far_logits, lengths) | {"start": vocab - 1}
        case["tokens"] = torch.where(torch.arange(time) < shortest, case["tokens"] % (vocab - 1), vocab - 1)
        case["W_o"][-1], case["b"][-1] = case["W_o"].amax(0), case["b"].amax() + 100
        yield case


def lasting_network(rng, vocab, d, k):
    """A state that stays near 1/2, where the sigmoid's slope times W_h is 1: gradients go far back."""
    lasting = {"W_h": 4 * torch.eye(k), "c": torch.full((k,), -2.0), "h_0": torch.full((k,), 0.5)}
    return network(rng, vocab, d, k) | lasting | {"E": normal(rng, vocab, d, scale=0.02)}


def texts_to_learn(rng):
    shapes = list(sizes(rng, batch=3, time=4, vocab=5, d=4, k=4))
    for make, shape in [(network, shape) for shape in shapes] + [
        (loud_network, (2, 4, 5, 3, 2)),
        (lasting_network, (2, 40, 3, 1, 2)),
    ]:
        case = text(rng, shape, make, lengths=shape[1])
        if make is loud_network:
            case |= {"start": shape[2] - 1}
            case["tokens"][:, 0] = 0
        k, d = case["W_x"].shape
        rows = max(40 * (shape[1] > 30), shape[0])
        yield case | {
            "x": normal(rng, rows, d),
            "h": normal(rng, rows, k),
            "upstream": normal(rng, shape[0]),
            "upstream of the step": normal(rng, rows, k),
        }


def single_steps(rng):
    """Drawn; in the thousands; and numbers below a thousandth times numbers in the hundreds."""
    for batch, d, k in sizes(rng, batch=3, d=4, k=4, far={"batch": 110}):
        yield {"x": normal(rng, batch, d), "h": normal(rng, batch, k), **network(rng, 2, d, k)}
    x = torch.tensor([[3000.0, 3000.0], [-2000.0, -2000.0], [-2000.0, 1000.0]])
    yield {"x": x, "h": normal(rng, 3, 4), **loud_network(rng, 2, 2, 4)}
    for rows, matrices in ((3e-4, 2e3), (2e3, 3e-4)):
        case = {"x": normal(rng, 2, 3, scale=rows), "h": normal(rng, 2, 2, scale=rows)}
        weak = {"W_x": normal(rng, 2, 3, scale=matrices), "W_h": normal(rng, 2, 2, scale=matrices)}
        yield case | network(rng, 2, 3, 2) | weak


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


QUESTION = Question(
    id="04.1",
    title="A running state",
    kind="implement",
    difficulty=1,
    minutes=20,
    reference={"rnn_step": rnn_step, "log_likelihood": log_likelihood},
    clauses={
        "keeps a state": "history: the network of the slides",
        "`h_0` and reads a start token": "zeros_first and token_zero lose each part about texts",
        "the first token is predicted": "first_free and sees_itself lose each part about texts",
        "Padding may be any token": ("lengths", "padding"),
        "A length may be 0": ("lengths", "one_at_least"),
        "the log-likelihood is then 0": ("lengths", "one_at_least"),
        "the vocabulary has 7 tokens": "an example, which is a case of lengths",
        "time at least 1": "no case has less; one token is a case of each part about texts",
        "from 0 to time": ("lengths", "one_at_least"),
        "W_h (k, k)": "names the shapes, which every part draws",
    },
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
            inputs=whole_texts,
            hints=(
                "Which tokens have been read when token t is predicted, and is the start token among them?",
                "Read first, then predict: the state after the start token predicts the first token.",
                "Sum natural logarithms of the probabilities of the tokens that stand there.",
            ),
        ),
        Part(
            "lengths",
            1,
            "padding counts for nothing",
            call_likelihood,
            inputs=padded_texts,
            hints=(
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
                "Does something cut the gradient off, such as detach, no_grad, item or numpy?",
                "Where an exponential overflows, the value may be right and its gradient NaN.",
            ),
        ),
    ],
)
