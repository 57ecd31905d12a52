"""Question 04.1: A running state."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

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


NETWORK_HINT = "If `one step` is lost too, mend rnn_step first."


QUESTION = Question(
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
)
