"""Question 08.4: Repair a padded batch."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED


def padded(rng):
    """Padding in front, behind and between; some real position always sees two."""
    for batch, time, d, vocab in sizes(rng, batch=5, time=(4, 6), d=5, vocab=5):
        real = torch.from_numpy(rng.random((batch, time)) < 0.6)
        real[:, 0] = torch.from_numpy(np.arange(batch) % 2 == 1)
        real[:, 1:3] = True
        real[0, -1], real[-1, -1] = False, batch > 1
        yield with_batch(rng, real, d, vocab)


def padded_long(rng):
    """One position, more than a hundred, and more than 256 tokens."""
    yield from padded(rng)
    yield with_batch(rng, torch.tensor([[True], [False]]), 2, 3)
    real = torch.from_numpy(rng.random((1, int(rng.integers(101, 106)))) < 0.5)
    real[0, :2] = torch.tensor([False, True])
    yield with_batch(rng, real, 2, 3)
    case = with_batch(rng, torch.tensor([[True, True, False, True]]), 2, int(rng.integers(290, 310)))
    case["targets"][0, 0], case["targets"][0, 1] = 256, 289
    yield case


def of_other_units(rng):
    """Tiny queries with huge keys and the other way round, so that scores are ordinary, and tiny logits."""
    for small, large in (("query", "key"), ("key", "query")):
        case = next(padded(rng))
        logits = torch.full_like(case["logits"], -9e-4)
        logits.scatter_(2, case["targets"][:, :, None], 9e-4)
        yield case | {small: 1e-3 * case[small], large: 1e3 * case[large], "logits": logits}


def with_batch(rng, real, d, vocab):
    batch, time = real.shape
    return {
        "query": normal(rng, batch, time, d),
        "key": normal(rng, batch, time, d),
        "real": real,
        "logits": normal(rng, batch, time, vocab) * 2,
        "targets": torch.from_numpy(rng.integers(0, vocab, (batch, time))),
        "upstream": normal(rng, batch, time, time),
    }


def padded_far(rng):
    """Logits and scores in the thousands, of both signs, with padding and without."""
    for case in list(padded(rng))[:4]:
        for real in (case["real"], torch.ones_like(case["real"])):
            far = with_batch(rng, real, case["query"].shape[2], case["logits"].shape[2])
            far["logits"] = far["logits"] * 1000 - 5000 * far["upstream"][:, :, :1]
            far["query"] = far["query"] * 3000
            far["key"][:, -1] *= 10  # in most rows it is hidden, with a score that is the largest by far
            yield far


def padded_near_and_far(rng):
    yield from padded_long(rng)
    yield from of_other_units(rng)
    yield from padded_far(rng)


def call_reach(student, inputs):
    weights = torch.as_tensor(student.masked_weights(inputs["query"], inputs["key"], inputs["real"]))
    return {"attends": weights.detach()[inputs["real"]] > 0}


def call_loss(student, inputs):
    return {"loss": student.mean_nats(inputs["logits"], inputs["targets"], inputs["real"])}


def call_finite(student, inputs):
    leaves = [inputs[name].clone().requires_grad_() for name in ("query", "key")]
    weights = student.masked_weights(*leaves, inputs["real"])
    (weights * inputs["upstream"]).sum().backward()
    gradients = [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves]
    return {
        f"gradient of {name}": [bool(g.isfinite().all()), bool((g != 0).any())]
        for name, g in zip(("query", "key"), gradients)
    }


def call_weights(student, inputs):
    return {"weights": student.masked_weights(inputs["query"], inputs["key"], inputs["real"])}


def call_training(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "logits")}
    weights = student.masked_weights(leaves["query"], leaves["key"], inputs["real"])
    loss = student.mean_nats(leaves["logits"], inputs["targets"], inputs["real"])
    ((weights * inputs["upstream"]).sum() + 3 * loss).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def masked_weights(query, key, real):
    _, time, d = query.shape
    scores = query.double() @ key.double().mT / math.sqrt(d)
    place = torch.arange(time)
    allowed = (place[None, :] <= place[:, None]) & real[:, None, :]
    top = torch.where(allowed, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0)


def mean_nats(logits, targets, real):
    logits = logits.double()
    nats = logits.logsumexp(2) - logits.gather(2, targets[:, :, None])[:, :, 0]
    return torch.where(real, nats, 0.0).sum() / real.sum()


QUESTION = Question(
    id="08.4",
    title="Repair a padded batch",
    kind="repair",
    difficulty=4,
    minutes=30,
    reference={"masked_weights": masked_weights, "mean_nats": mean_nats},
    forbids=FUSED,
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
        "positions that see nothing are taken care of",
    },
    clauses={
        "The padding may stand anywhere": "every part draws padding in front, behind and between",
        "A position that may attend": ("weights", "equal_where_nothing"),
        "False where there is padding": "reach, weights and training: `no_past` and `rows_closed` lose them",
    },
    parts=[
        Part(
            "reach",
            2,
            "real positions attend to real positions up to their own, and to nothing else",
            call_reach,
            inputs=padded_long,
            hints=(
                "Print the weights of a short batch with padding in front. Which columns should be zero?",
                "Padding must not be *attended to*. Is that a matter of rows or of columns?",
                "allowed[b, i, j] has the query i before the key j. Where does `real` belong?",
            ),
        ),
        Part(
            "loss",
            1,
            "the loss is the mean over the real positions",
            call_loss,
            inputs=padded_near_and_far,
            hints=(
                (
                    "Which positions are in your sum, and by which number is it divided? Print both "
                    "beside the real positions of the case."
                ),
                "Both the sum and the number that it is divided by are of real positions only.",
            ),
        ),
        Part(
            "finite",
            1,
            "gradients are finite where positions may attend to nothing",
            call_finite,
            inputs=padded,
            hints=(
                "Give a batch with padding in front, call backward on a weighted sum of the weights, and "
                "look at the gradient of the query.",
                "A NaN that is replaced afterwards is still in the gradient: zero times NaN is NaN.",
                "The softmax must not see a row of nothing but minus infinity. Let such a row see "
                "anything, and put zeros in the place of its weights.",
            ),
        ),
        Part(
            "weights",
            1,
            "all weights, scores in the thousands included",
            call_weights,
            inputs=padded_near_and_far,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Print the weights beside what the text says of each row: which rows are zero, and which "
                "sum to 1?",
                "Rows of the padding have a position too, and attend to the real positions before it.",
            ),
        ),
        Part(
            "training",
            3,
            "the gradients for queries, keys and logits",
            call_training,
            inputs=padded_long,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                "Call backward on the loss, and on (weights * upstream).sum() with random upstream. Which "
                "of the "
                "three gradients is zero, NaN or too large?",
                "What forward gives wrong has wrong gradients too. Where the values are right, something "
                "cuts the "
                "gradient off, such as detach or a tensor made from plain numbers.",
            ),
        ),
    ],
)
