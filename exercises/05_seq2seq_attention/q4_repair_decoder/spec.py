"""Question 05.4: Repair a decoder that looks back."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import lengths_up_to, softmax_over


def decoding(rng, shapes, least):
    for batch, steps, time, d, d_in, vocab in shapes:
        lengths = lengths_up_to(rng, batch, time, least or time)
        if batch == 1 and least:
            lengths[:] = max(1, time - 2)
        yield {
            "x": normal(rng, batch, steps, d_in),
            "keys": normal(rng, batch, time, d),
            "lengths": lengths,
            "W_x": normal(rng, d, d_in) * d_in**-0.5,
            "W_h": normal(rng, d, d) * d**-0.5,
            "W_out": normal(rng, vocab, 2 * d),
            "upstream": normal(rng, batch, steps, vocab),
            "upstream of the weights": normal(rng, batch, steps, time),
        }


def decoders_without_context(rng):
    """The head reads the state alone; sources differ in length, and arguments in size."""
    cases = list(decoding(rng, [(3, 2, 4, 3, 2, 5), (1, 3, 5, 2, 3, 4), (2, 1, 3, 4, 2, 2)], 1))
    for rows, matrices, out in ((3e-4, 2e3, 1.0), (15.0, 5e-4, 100.0), (1.0, 1.0, 6e-4)):
        (case,) = decoding(rng, [(3, 1, 4, 2, 2, 3)], 1)
        case |= {name: rows * case[name] for name in ("x", "keys")}
        case |= {name: matrices * case[name] for name in ("W_x", "W_h")}
        cases.append(case | {"W_out": out * case["W_out"]})
    for case in cases:
        case["W_out"][:, : case["keys"].shape[2]] = 0.0
        yield case


def decoders_of_full_sources(rng):
    """In the last one the first weight is 0.0006."""
    shapes = [(2, 3, 4, 3, 2, 5), (1, 4, 3, 2, 3, 4), (3, 1, 4, 3, 3, 2)]
    shapes += [
        (batch, steps, time, d, 2, 2) for batch, steps, time, d in sizes(rng, batch=3, steps=3, time=5, d=4)
    ]
    yield from decoding(rng, shapes, 0)
    (case,) = decoding(rng, [(1, 1, 3, 1, 1, 2)], 0)
    keys = torch.tensor([0.0, 4.0, 9.7])[None, :, None]
    yield (
        case
        | {"keys": keys}
        | {name: torch.ones(1, 1) for name in ("W_x", "W_h")}
        | {"x": torch.full((1, 1, 1), -8.7)}
    )


def decoders_at_rest(rng):
    """States that the recurrence leaves as they are; the same key ends a source and its row."""
    for case in decoding(rng, [(3, 2, 5, 3, 2, 4), (1, 3, 4, 2, 2, 3), (2, 1, 6, 4, 3, 2)], 1):
        batch, _, d = case["keys"].shape
        state = torch.from_numpy(rng.uniform(0.4, 0.9, d).astype(np.float32))
        start = state * torch.from_numpy(rng.choice([-1.0, 1.0], (batch, d)).astype(np.float32))
        case["x"] = torch.zeros_like(case["x"])
        case["W_h"] = torch.diag(state.atanh() / state)
        case["keys"][:, -1] = start
        case["keys"][torch.arange(batch), case["lengths"] - 1] = start
        yield case


def decoders_of_full_sources_without_context(rng):
    """The states of the long one are small, and each is nearly the one before, so that gradients last."""
    cases = list(decoding(rng, [(2, 3, 4, 3, 2, 5), (1, 4, 3, 2, 3, 4), (1, 40, 2, 2, 1, 2)], 0))
    cases[-1] |= {"x": cases[-1]["x"] / 100, "keys": cases[-1]["keys"] / 20, "W_h": torch.eye(2)}
    for case in cases:
        case["W_out"][:, : case["keys"].shape[2]] = 0.0
        yield case


def any_decoders(rng):
    # no source of the third fills its row
    shapes = [(3, 2, 4, 3, 2, 5), (3, 4, 4, 2, 2, 3), (1, 2, 4, 2, 2, 3)]
    shapes += sizes(rng, batch=3, steps=4, time=5, d=4, d_in=5, vocab=6)
    yield from decoding(rng, shapes, 1)


def decoders_of_large_scores(rng):
    """The last feature of the keys is in the thousands, more so in the padding; only the scores read it."""
    for padded in (True, False):
        for case in decoding(rng, [(3, 2, 6, 3, 2, 4), (1, 4, 5, 3, 2, 2), (2, 3, 4, 4, 3, 3)], 0):
            batch, time, d = case["keys"].shape
            if padded:
                case["lengths"] = torch.from_numpy(rng.integers(1, time - 1, batch))
            sign = torch.where(torch.arange(time) % 2 == 0, 9000.0, -9000.0).expand(batch, time)
            padding = torch.arange(time) >= case["lengths"][:, None]
            level = 3000.0 + 2000.0 * torch.from_numpy(rng.integers(0, 2, (batch, time)))
            case["keys"][:, :, -1] = torch.where(padding, sign, level)
            case["W_h"][:, -1], case["W_out"][:, d - 1] = 0.0, 0.0
            case["x"][:, 0] = -case["x"][:, -1]
            yield case


def decoders_of_any_scores(rng):
    """Drawn, a long source, and scores in the thousands."""
    yield from any_decoders(rng)
    (case,) = decoding(rng, [(1, 1, 262, 1, 1, 1)], 1)
    yield case
    yield from decoders_of_large_scores(rng)


def decode_logits(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    return {"logits": student.decode(*(inputs[name] for name in names))[0]}


def decode_weights(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    return {"weights": student.decode(*(inputs[name] for name in names))[1]}


def decode_both(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    logits, weights = student.decode(*(inputs[name] for name in names))
    return {"logits": logits, "weights": weights}


def decode_through_time(student, inputs):
    names = ("x", "keys", "W_x", "W_h")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    logits = student.decode(lengths=inputs["lengths"], W_out=inputs["W_out"], **leaves)[0]
    (logits * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decode_backward(student, inputs):
    names = ("x", "keys", "W_x", "W_h", "W_out")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    logits, weights = student.decode(lengths=inputs["lengths"], **leaves)
    ((logits * inputs["upstream"]).sum() + (weights * inputs["upstream of the weights"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decode(x, keys, lengths, W_x, W_h, W_out):
    x, keys, W_x, W_h, W_out = (t.double() for t in (x, keys, W_x, W_h, W_out))
    batch, time = keys.shape[:2]
    ends = torch.nn.functional.one_hot(lengths - 1, time).double()
    state, states = (ends[:, None] @ keys)[:, 0], []
    for t in range(x.shape[1]):
        state = torch.tanh(x[:, t] @ W_x.T + state @ W_h.T)
        states.append(state)
    states = torch.stack(states, 1)
    real = (torch.arange(time) < lengths[:, None])[:, None].expand(batch, x.shape[1], time)
    weights = softmax_over(states @ keys.mT, real)
    return torch.cat([weights @ keys, states], 2) @ W_out.T, weights


QUESTION = Question(
    id="05.4",
    title="Repair a decoder that looks back",
    kind="repair",
    difficulty=4,
    minutes=35,
    reference={"decode": decode},
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 does, since "
        "every source has a word",
    },
    clauses={
        "looks back as in Garcia's notes": "history: where the idea is from",
        "embedded input of step $j$": "names what the equations name",
        "A translator is trained": "a story",
        "All floats are float32": "says what is asked; float64 numbers are as good",
        "Row $b$ of `keys` holds": "start_longest and zero_scores lose several parts",
        "Scores may be in the thousands": ("all sizes", "renormalized"),
        "and the function is trained": ("training", "keys_detached"),
        "There are four mistakes": "each has a part of its own",
        "from 1 to time": "no case has less; one word is a case of all sizes",
        "(vocab, 2 * d)": "names the shapes, which every part draws",
    },
    parts=[
        Part(
            "logits",
            2,
            "sources of several lengths, the logits of a head that reads the state alone",
            decode_logits,
            inputs=decoders_without_context,
            hints=(
                (
                    "Follow one row of the case by hand: which key gives its first state, and what is the "
                    "state after each step made of? Decode the row alone, too."
                ),
                "Which of the keys of a row is the encoder's state after its last word?",
                "Keys count from 0: the last of n is n - 1, and each row has its own n.",
            ),
        ),
        Part(
            "weights",
            2,
            "sources of one length, the weights",
            decode_weights,
            inputs=decoders_of_full_sources,
            hints=(
                (
                    "Compute the weights of one step by hand: which state asks, what are the scores, and "
                    "over which keys is the softmax? Do the weights change with the last input?"
                ),
                "Garcia's y_j looks back with q_j, the state that has read the j-th input.",
                "Which must come first within a step, the new state or the scores?",
            ),
        ),
        Part(
            "at rest",
            1,
            "sources of several lengths, a state that rests, the weights",
            decode_weights,
            inputs=decoders_at_rest,
            hints=(
                (
                    "Print the weights of each step of a short source: their sum, and those of its "
                    "padding. What should they be?"
                ),
                "A weight that is set to 0 after the softmax has already taken its share.",
            ),
        ),
        Part(
            "gradients of the states",
            2,
            "sources of one length, the gradients of a head that reads the state alone",
            decode_through_time,
            inputs=decoders_of_full_sources_without_context,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                (
                    "Call backward on the logits of the last step. Do the first input, the first state "
                    "and the keys get a gradient?"
                ),
                "Compare the loop with the equations, line by line: where is a path of the gradient cut?",
            ),
        ),
        Part(
            "all sizes",
            1,
            "logits and weights of all sizes, scores in the thousands included",
            decode_both,
            inputs=decoders_of_any_scores,
            rtol=1e-3,
            atol=4e-3,
            hints=(
                "Which of the arguments are not ordinary where it fails: the sizes, or the scores?",
                "Weights that are masked and divided by their sum fail where the padding has by far the "
                "largest score.",
            ),
        ),
        Part(
            "training",
            1,
            "the gradients of all arguments",
            decode_backward,
            inputs=any_decoders,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                "From each argument, which paths lead to the logits and to the weights?",
                "Is something detached, or made from plain numbers, on one of these paths?",
            ),
        ),
    ],
)
