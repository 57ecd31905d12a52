"""Question 05.6: Local attention."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import lengths_up_to, softmax_over

FIXED = [(2, 3, 6, 4, 2), (1, 4, 7, 3, 1), (2, 9, 4, 2, 2)]
TO_LEARN = [*FIXED, (3, 1, 5, 2, 2), (2, 4, 4, 4, 1), (2, 3, 1, 2, 5), (1, 40, 38, 2, 3)]


def local(rng, shapes, predicted):
    for batch, steps, time, d, window in shapes:
        lengths = lengths_up_to(rng, batch, time, 1)
        if batch == 1:
            lengths[:] = max(1, time - 2)
        case = {
            "query": normal(rng, batch, steps, d),
            "keys": normal(rng, batch, time, d),
            "lengths": lengths,
            "window": window,
            "upstream": normal(rng, batch, steps, time),
            "upstream of the context": normal(rng, batch, steps, d),
        }
        if predicted:
            case["raw"] = predictions(rng, lengths, steps)
        yield case


def predictions(rng, lengths, steps):
    """What gives positions between two keys, so that rounding never decides who is in the window."""
    of = lengths.double().numpy()[:, None]
    places = np.floor(rng.random((len(of), steps)) * of) + rng.uniform(0.1, 0.9, (len(of), steps))
    return torch.from_numpy(np.log(places / (of - places)).astype(np.float32))


def drawn(rng, with_raw):
    """Fixed and drawn sizes; more than 255 keys; weights below a thousandth; and the example of the text."""
    shapes = list(sizes(rng, batch=3, steps=4, time=7, d=4, window=6))
    yield from local(rng, [*FIXED, *shapes, (1, 2, 270, 1, 300)], with_raw)
    yield small_weights(rng, with_raw)
    (case,) = local(rng, [(1, 1, 4, 2, 1)], with_raw)
    example = {"query": torch.zeros(1, 1, 2), "lengths": torch.tensor([4])}
    yield case | example | ({"raw": torch.zeros(1, 1)} if with_raw else {})


def small_weights(rng, with_raw):
    (case,) = local(rng, [(1, 2, 6, 1, 3)], with_raw)
    keys = torch.tensor([0.0, 7.6, 0.5, 7.0, 1.0, 2.0])[None, :, None]
    raw = {"raw": torch.tensor([[0.3, -0.4]])} if with_raw else {}
    upstream = {"upstream of the context": torch.full((1, 2, 1), 3.0)}
    return case | {"query": torch.ones(1, 2, 1), "keys": keys} | raw | upstream


def monotonic(rng):
    """Beside these small numbers times large ones."""
    yield from drawn(rng, False)
    for scale in (3e-4, 3e3):
        (case,) = local(rng, [(2, 3, 5, 2, 3)], False)
        yield case | {"query": scale * case["query"], "keys": case["keys"] / scale}


def predicted(rng):
    """Beside these predictions below a thousandth, and above ten."""
    yield from drawn(rng, True)
    for time, raw, window in ((10, 7e-4, 2), (62, 11.0, 1)):
        (case,) = local(rng, [(1, 2, time, 1, window)], True)
        yield case | {"raw": torch.tensor([[raw, -raw]])}


def predicted_on_a_key(rng):
    """The middle of an even length, and both ends: a key at the distance of the window belongs to it."""
    for case in local(rng, [(2, 3, 6, 3, 2), (1, 3, 9, 2, 1), (3, 3, 4, 2, 1)], True):
        case["lengths"] = case["lengths"] // 2 * 2 + 2 * (case["lengths"] < 2)
        case["raw"] = torch.from_numpy(
            rng.permuted(np.tile([0.0, 2000.0, -2000.0], (len(case["raw"]), 1)), axis=1)
        ).float()
        yield case
        yield {**case, "raw": torch.zeros_like(case["raw"])}


def windows_of_both_kinds(rng):
    yield from predicted_on_a_key(rng)
    yield from drawn(rng, False)
    yield from local(rng, FIXED, True)


def predicted_anywhere(rng):
    yield from predicted(rng)
    yield from predicted_on_a_key(rng)


def local_with_rubbish(rng):
    """Padding holds infinity, NaN or huge numbers, and scores are in the thousands, of both signs."""
    shapes = [(2, 3, 6, 3, 2), (1, 4, 7, 3, 1), (3, 2, 5, 4, 2)]
    for with_raw in (True, False):
        for case in local(rng, shapes + with_raw * [(1, 20, 9, 3, 1)], with_raw):
            offset = torch.from_numpy(rng.choice([-2000.0, 2000.0], case["query"].shape[:2])).float()
            offset[:, 0] = -offset[:, -1]
            case["query"][:, :, 0] *= 300.0
            case["keys"][:, :, 0] = torch.from_numpy(rng.choice([-3.0, 3.0], case["keys"].shape[:2])).float()
            case["query"] = torch.cat([case["query"], offset[:, :, None]], 2)
            case["keys"] = torch.cat([case["keys"], torch.ones(*case["keys"].shape[:2], 1)], 2)
            case["upstream of the context"] = normal(rng, *case["query"].shape)
            padding = torch.arange(case["keys"].shape[1]) >= case["lengths"][:, None]
            case["keys"][padding] = torch.tensor([math.inf, math.nan, -math.inf, 1.0, 0.0])[
                : case["keys"].shape[2]
            ]
            yield case
    yield with_huge_padding(case)


def with_huge_padding(case):
    """Finite padding whose product with what comes from above is not finite."""
    padding = torch.arange(case["keys"].shape[1]) >= case["lengths"][:, None]
    keys, upstream = case["keys"].clone(), case["upstream of the context"]
    keys[padding] = 3e38
    return {**case, "keys": keys, "upstream of the context": 4.0 * upstream.abs() + 4.0}


def local_of_any_kind(rng):
    for with_raw in (False, True):
        yield from local(rng, TO_LEARN, with_raw)
        yield small_weights(rng, with_raw)
    yield from predicted_on_a_key(rng)
    for case in local_with_rubbish(rng):
        case["query"] = case["query"] / 1000
        yield case


def call_windows(student, inputs):
    names = ("query", "keys", "lengths", "window", "raw")
    weights = student.local_attention(*(inputs[name] for name in names if name in inputs))[1]
    return {"in the window": torch.as_tensor(weights).detach() > 0}


def call_local(student, inputs):
    names = ("query", "keys", "lengths", "window", "raw")
    context, weights = student.local_attention(*(inputs[name] for name in names if name in inputs))
    return {"context": context, "weights": weights}


def call_local_backward(student, inputs):
    names = [name for name in ("query", "keys", "raw") if name in inputs]
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    given = {"lengths": inputs["lengths"], "window": inputs["window"], **leaves}
    context, weights = student.local_attention(**given)
    ((weights * inputs["upstream"]).sum() + (context * inputs["upstream of the context"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def local_attention(query, keys, lengths, window, raw=None):
    batch, steps = query.shape[:2]
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    keys = torch.where(real[:, :, None], keys, torch.zeros_like(keys)).double()
    places = 1.0 + torch.arange(keys.shape[1]).double()
    if raw is None:
        centers = (1.0 + torch.arange(steps).double()).expand(batch, steps)
    else:
        centers = lengths.double()[:, None] / (1 + torch.exp(-raw.double().clamp(-700, 700)))
        centers = torch.where(raw.abs() > 700, lengths[:, None] * (raw > 0).double(), centers)
    far = places - centers[:, :, None]
    near = (far.detach().abs() <= window + 1e-9) & real[:, None]
    weights = softmax_over(query.double() @ keys.mT, near)
    if raw is not None:
        weights = weights * torch.exp(-2.0 * far**2 / window**2)
    return weights @ keys, weights


QUESTION = Question(
    id="05.6",
    title="Local attention",
    kind="implement",
    difficulty=5,
    minutes=40,
    reference={"local_attention": local_attention},
    needs=("05.2",),
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
        "empty windows are taken care of",
    },
    clauses={
        "nobody rereads all of it": "a story",
        "of Luong, Pham and Manning (2015)": "history: where the idea is from",
        "Keys have the positions 1, 2": "who counts from 0 loses windows and more",
        "in the window if it is real": "the window's edge and the padding each have cases in windows",
        "where $D$ is `window`": "names the option, which is drawn",
        "The weights are, for keys": "the formula, which each part uses",
        "$p_j = j$": "who counts from 0 loses windows and more",
        "nothing in the gradients is NaN": ("gradients", "empty_replaced"),
        "with $s = D / 2$": "wide_gaussian and no_two lose predicted, rubbish and gradients",
        "a window that covers the whole source": "an offer",
        "which also count from 1": "who counts from 0 loses windows and more",
        "A window may be empty": "cases of monotonic and gradients",
        "$S$ is `lengths[b]`": "who takes the batch's width loses windows and more",
        "even infinity or NaN": "cases of rubbish and gradients",
        "Your `additive_attention` of 05.2": "an offer",
        "For example, with four keys": "an example, whose first case is one of predicted",
        "Without `raw` the first step has": "an example, whose second case is one of monotonic",
        "from 1 to time": "no case has less; one key is a case of monotonic and predicted",
        "at least 1": "one and more than four are cases of monotonic and predicted",
        "(batch, steps) or None": "each kind has a part of its own",
    },
    parts=[
        Part(
            "windows",
            2,
            "which keys have a weight",
            call_windows,
            inputs=windows_of_both_kinds,
            hints=(
                (
                    "Take the first key that is wrong: what is its number, counted from 1, where is the "
                    "center of the window, and how far are they apart? Is the key a real one?"
                ),
                "A key at the distance of the window belongs to it, and padding never does.",
                "A predicted position is a share of the row's own length, not of the batch's width.",
            ),
        ),
        Part(
            "monotonic",
            1,
            "windows around the step's own position",
            call_local,
            inputs=monotonic,
            hints=(
                (
                    "Write down the scores of one step of the case and their softmax: which keys are in "
                    "the window, and what remains of a window that lies behind the end of the source?"
                ),
                "Without `raw` there is no Gaussian, and the softmax is over the window alone.",
            ),
        ),
        Part(
            "predicted",
            3,
            "windows around a predicted position",
            call_local,
            inputs=predicted_anywhere,
            hints=(
                (
                    "Take one step of the case that is named, and compute its center, the softmax over "
                    "its window and the factor of the Gaussian for each key. Which of them differs?"
                ),
                "The Gaussian's sigma is half the window, and its center the position as predicted.",
            ),
        ),
        Part(
            "rubbish",
            1,
            "padding of infinities and NaN, and scores in the thousands",
            call_local,
            inputs=local_with_rubbish,
            rtol=1e-3,
            atol=4e-3,
            hints=(
                (
                    "Look at the inputs of the case that is named: does the padding hold infinities or "
                    "NaN, or are scores in the thousands? Follow the first wrong number back to them."
                ),
                "Replace what the padding holds before you compute with it.",
            ),
        ),
        Part(
            "gradients",
            3,
            "gradients for queries, keys and predictions",
            call_local_backward,
            inputs=local_of_any_kind,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "The window's edge has no gradient. Through what does the prediction get one?",
                "A NaN that is replaced at the end can come back in the gradient. Where is it made?",
            ),
        ),
    ],
)
