"""Question 05.2: Additive attention."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import lengths_up_to, softmax_over, whole


def one_case(rng, shape, lengths=None, rows=1.0, matrices=1.0):
    """A batch; ``rows`` and ``matrices`` are the scales of what is read and of what it is multiplied by."""
    batch, steps, time, d_query, d_key, hidden = shape
    return {
        "query": normal(rng, batch, steps, d_query, scale=rows),
        "keys": normal(rng, batch, time, d_key, scale=rows),
        "lengths": lengths_up_to(rng, batch, time, 0) if lengths is None else torch.tensor(lengths),
        "W_query": normal(rng, hidden, d_query, scale=matrices) * d_query**-0.5,
        "W_key": normal(rng, hidden, d_key, scale=matrices) * d_key**-0.5,
        "v": normal(rng, hidden),
        "upstream": normal(rng, batch, steps, time),
        "upstream of the context": normal(rng, batch, steps, d_key),
    }


def small_weight(rng):
    """A batch of one feature, in which the first weight is 0.0006, and the key there is -1."""
    case = one_case(rng, (2, 2, 4, 1, 1, 1), [3, 4])
    keys = torch.tensor([-1.0, 0.0, 1.0, 1.0])[None, :, None].repeat(2, 1, 1)
    ones = {name: torch.ones_like(case[name]) for name in ("query", "W_query", "W_key")}
    upstream = {name: 2.0 + case[name].abs() for name in ("upstream", "upstream of the context")}
    return case | ones | upstream | {"keys": keys, "v": torch.tensor([7.5])}


def additive_padded(rng, time=262):
    """Drawn; then a source of each length: whole, empty and between; a long source, and a small weight."""
    for shape in sizes(rng, batch=3, steps=4, time=5, d_query=6, d_key=5, hidden=6):
        yield one_case(rng, shape)
    yield one_case(rng, (3, 2, 4, 3, 2, 4), rng.permutation([4, 0, 2]))
    yield one_case(rng, (1, 1, time, 1, 1, 1), [time - 2])
    yield small_weight(rng)


def additive_to_learn(rng):
    yield from additive_padded(rng, 40)


def additive_full(rng):
    """Beside these numbers below a thousandth and above ten in each argument, and the example of the text."""
    cases = list(additive_padded(rng))
    for rows, matrices, v in ((3e-4, 3e3, 1.0), (2e3, 5e-4, 1.0), (1.0, 0.05, 15.0), (1.0, 1.0, 8e-4)):
        case = one_case(rng, (2, 2, 3, 2, 2, 4), [3, 3], rows, matrices)
        cases.append(case | {"v": v * (1 + case["v"].abs())})
    case = one_case(rng, (1, 1, 2, 1, 1, 1), [2]) | {"query": torch.zeros(1, 1, 1), "v": torch.tensor([2.0])}
    ones = {"W_query": torch.ones(1, 1), "W_key": torch.ones(1, 1)}
    cases.append(case | ones | {"keys": torch.tensor([[[0.0], [1.0]]])})
    for case in cases:
        yield case | {"lengths": torch.full_like(case["lengths"], case["keys"].shape[1])}


def additive_large(rng):
    """Two keys share the first place, far above the rest and far below the padding; rows have offsets.

    One hidden unit reads the query alone, with thousands behind it, and one the last feature of the key.
    """
    for padded in (False, True):
        for batch, steps, time, d in [(2, 3, 5, 4), (1, 4, 4, 3), (3, 2, 6, 3)]:
            lengths = np.full(batch, time)
            if padded:
                lengths = 2 + (whole(rng, 0, time) + np.arange(batch)) % (time - 2)
            place = np.arange(time)
            levels = np.where(place < lengths[:, None], rng.uniform(-1.2, -0.8, (batch, time)), 0.9)
            first = (place == 0) | (place == lengths[:, None] - 1)
            levels = torch.from_numpy(np.where(first, -0.2, levels)).float()
            query, keys = normal(rng, batch, steps, d), normal(rng, batch, time, d)
            query[:, 0] = -query[:, -1]
            keys[:, :, -1] = levels
            W_query, W_key = normal(rng, 5, d), normal(rng, 5, d)
            W_key[0], W_query[1] = 0.0, 0.0
            W_key[1] = torch.eye(d)[-1]
            yield {
                "query": query,
                "keys": keys,
                "lengths": torch.from_numpy(lengths),
                "W_query": W_query,
                "W_key": W_key,
                "v": torch.cat([torch.tensor([3000.0, 1500.0]), 2.0 * normal(rng, 3)]),
            }


def call_additive(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    return {"weights": student.additive_attention(*(inputs[name] for name in names))[1]}


def call_context(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    return {"context": student.additive_attention(*(inputs[name] for name in names))[0]}


def call_additive_padding(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    weights = torch.as_tensor(student.additive_attention(*(inputs[name] for name in names))[1]).detach()
    batch, steps, time = len(inputs["query"]), inputs["query"].shape[1], inputs["keys"].shape[1]
    if weights.shape != (batch, steps, time):
        return {"shape": list(weights.shape)}
    real = torch.arange(time)[None, None] < inputs["lengths"][:, None, None]
    return {
        "shape": list(weights.shape),
        "weights of the padding": weights.masked_fill(real, 0.0),
        "sums of the rows of weights": weights.sum(2),
        "real keys with a weight": (weights > 0) & real,
    }


def call_additive_both(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    context, weights = student.additive_attention(*(inputs[name] for name in names))
    return {"context": context, "weights": weights}


def call_additive_backward(student, inputs):
    names = ("query", "keys", "W_query", "W_key", "v")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    context, weights = student.additive_attention(lengths=inputs["lengths"], **leaves)
    ((weights * inputs["upstream"]).sum() + (context * inputs["upstream of the context"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def additive_attention(query, keys, lengths, W_query, W_key, v):
    query, keys, W_query, W_key, v = (t.double() for t in (query, keys, W_query, W_key, v))
    scores = 0.0
    for unit in range(len(v)):
        scores = scores + v[unit] * torch.tanh(
            (query @ W_query[unit])[:, :, None] + (keys @ W_key[unit])[:, None]
        )
    real = (torch.arange(keys.shape[1]) < lengths[:, None])[:, None].expand(scores.shape)
    weights = softmax_over(scores, real)
    return weights @ keys, weights


QUESTION = Question(
    id="05.2",
    title="Additive attention",
    kind="implement",
    difficulty=2,
    minutes=25,
    reference={"additive_attention": additive_attention},
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
        "sources of length 0 are taken care of",
    },
    clauses={
        "In the first attention": "history: where the idea is from",
        "Write it for a whole batch": "steps_axis and one_shift mix up rows",
        "nothing in the gradients is NaN": ("gradients", "nan_replaced"),
        "All floats are float32": "says what is asked; float64 numbers are as good",
        "Scores may be in the thousands": ("large scores", "no_shift"),
        "a row has at least one key": "no case has less; one key is a case of each part but the last",
        "padding, with finite numbers in it": ("large scores", "renormalized"),
        "A length may be 0": ("gradients", "nan_replaced"),
        "need not be equal": "drawn in each part; who mixes them up gets an error",
        "let all widths be 1": "an example, which is a case of weights",
        "the scores are 0 and 1.523": "an example, which is a case of weights",
        "from 0 to time": ("gradients", "nan_replaced"),
    },
    parts=[
        Part(
            "weights",
            2,
            "the weights of sources without padding",
            call_additive,
            inputs=additive_full,
            hints=(
                "Each pair of a query and a key has a vector of hidden units. Which shape has the whole?",
                "The tanh is taken of the sum, one hidden unit at a time, before the product with v.",
                "The weights of one query sum to 1 over the keys. Which axis of the scores is that?",
            ),
        ),
        Part(
            "padding",
            1,
            "padding has no weight, and a source of length 0 gives zeros",
            call_additive_padding,
            inputs=additive_padded,
            hints=(
                "Print the sums of the rows of weights of a short source. Are they 1?",
                "The padding must be taken out before the softmax, or the rest no longer sums to 1.",
                "A source of length 0 leaves the softmax nothing. What should stand in its rows?",
            ),
        ),
        Part(
            "context",
            1,
            "the context vectors",
            call_context,
            inputs=additive_padded,
            hints=(
                "How many numbers has a context: as many as a key, or as many as a query?",
                "The context of a query is the sum of the keys themselves, each times its weight.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores in the thousands, of either sign",
            call_additive_both,
            inputs=additive_large,
            rtol=1e-3,
            atol=4e-3,
            hints=(
                "The exponential of 1000 is infinity, of -1000 it is 0. What can a row be shifted by?",
                "Subtract from each row the largest score of its real keys, as PyTorch's softmax does.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for queries, keys and parameters",
            call_additive_backward,
            inputs=additive_to_learn,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                "A NaN that is replaced later can come back in the gradient. Which rows make one?",
                "Let a row of length 0 see anything, and put zeros in the place of its weights.",
            ),
        ),
    ],
)
