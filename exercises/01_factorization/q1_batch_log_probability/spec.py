"""Question 01.1: The log-probability of a batch."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import tokens_of


def full_batches(rng):
    for batch, time, vocab in sizes(rng, batch=4, time=6, vocab=6, far={"time": 260, "vocab": 260}):
        tokens = tokens_of(rng, vocab, batch, time)
        tokens[0, 0] = vocab - 1
        yield {
            "logits": normal(rng, batch, time, vocab, scale=2.0),
            "tokens": tokens,
            "lengths": torch.full((batch,), time),
        }
    # logits below a thousandth: what they add to the log-probability of equal ones
    yield {
        "logits": normal(rng, 3, 4, 5, scale=5e-4).clamp(-9e-4, 9e-4),
        "tokens": tokens_of(rng, 5, 3, 4),
        "lengths": torch.full((3,), 4),
        "of equal logits": -4 * math.log(5),
    }


def ragged_batches(rng):
    """The first row is whole or not, in turn, and the last is empty."""
    shapes = sizes(rng, batch=(2, 5), time=(2, 6), vocab=(2, 6), far={"time": 100})
    for number, (batch, time, vocab) in enumerate(shapes):
        lengths = torch.from_numpy(rng.integers(1, time, batch))
        if number % 2 == 0:
            lengths[0] = time
        lengths[-1] = 0
        yield {
            "logits": normal(rng, batch, time, vocab, scale=2.0),
            "tokens": tokens_of(rng, vocab, batch, time),
            "lengths": lengths,
        }


def large_batches(rng):
    """Logits of thousands, of both signs at once; filling that is certain, so that it makes no difference.

    The first token of each row has a probability that no floating-point number holds. No other part has
    these numbers of places. All rows are as long, or two of them each.
    """
    for number, (batch, time, vocab) in enumerate(sizes(rng, batch=(2, 5), time=(7, 9), vocab=(2, 6))):
        lengths = torch.full((batch,), int(rng.integers(1, time)) if number % 2 == 0 else time)
        yield large_batch(rng, time, vocab, lengths)
    for time in (7, 9):
        shorter = int(rng.integers(1, time))
        yield large_batch(rng, time, 5, torch.tensor([shorter, shorter, time, time]))


def large_batch(rng, time, vocab, lengths):
    batch = len(lengths)
    logits = normal(rng, batch, time, vocab, scale=300.0)
    signs = torch.from_numpy(rng.choice([-1.0, 1.0], (batch, time, 1)))
    signs[0, 0], signs[1, 0] = -1, 1
    logits += (signs * torch.from_numpy(rng.uniform(1500, 3000, (batch, time, 1)))).float()
    tokens = tokens_of(rng, vocab, batch, time)
    tokens[:, 0] = logits[:, 0].argmin(-1)
    logits[torch.arange(batch), 0, tokens[:, 0]] -= 800
    filling = torch.arange(time) >= lengths[:, None]
    logits[filling, tokens[filling]] += 6000
    return {"logits": logits, "tokens": tokens, "lengths": lengths}


def batches_to_train_on(rng):
    """Ragged batches, or full ones; in the filling, tokens that are as good as impossible."""
    shapes = sizes(rng, batch=4, time=6, vocab=6, far={"time": 100})
    for number, (batch, time, vocab) in enumerate(shapes):
        lengths = torch.from_numpy(rng.integers(0, time + 1, batch))
        lengths[-1], lengths[0] = 0, time
        if number == 0:
            lengths[:] = time
        logits = normal(rng, batch, time, vocab, scale=2.0)
        filling = torch.arange(time) >= lengths[:, None]
        logits[filling] *= 500
        tokens = tokens_of(rng, vocab, batch, time)
        tokens[filling] = logits[filling].argmin(-1)
        yield {
            "logits": logits,
            "tokens": tokens,
            "lengths": lengths,
            "upstream": normal(rng, batch),
        }


def call_log_prob(student, inputs):
    value = student.sequence_log_prob(inputs["logits"], inputs["tokens"], inputs["lengths"])
    if "of equal logits" in inputs:
        return {"log_prob beyond that of equal logits": torch.as_tensor(value) - inputs["of equal logits"]}
    return {"log_prob": value}


def call_without_filling(student, inputs):
    """Each row of the batch beside the same row by itself, cut to its length: no unit and no sign matters.

    Of a row of length 0 it only says whether it is 0.
    """
    logits, tokens, lengths = inputs["logits"], inputs["tokens"], inputs["lengths"]
    rows = torch.as_tensor(student.sequence_log_prob(logits, tokens, lengths)).detach()
    if rows.shape != lengths.shape:
        return {"shape": list(rows.shape)}
    alone = []
    for n, length in enumerate(lengths.tolist()):
        one = slice(n, n + 1)
        value = rows.new_ones(())
        if length:
            value = student.sequence_log_prob(logits[one, :length], tokens[one, :length], lengths[one])
        alone.append(torch.as_tensor(value).detach().reshape(()))
    per_token = (rows / lengths)[lengths > 0]
    return {
        "shape": list(rows.shape),
        "log_prob with filling / without": torch.where(lengths > 0, rows / torch.stack(alone), 1.0),
        "rows of length 0 are 0": bool((rows[lengths == 0] == 0).all()),
        "the rows differ, token for token": per_token.numel() < 2 or bool(per_token.std() > 1e-5),
    }


def call_ratios(student, inputs):
    """The rows over the first that is as long: no unit and no sign matters."""
    lengths = inputs["lengths"].tolist()
    rows = torch.as_tensor(
        student.sequence_log_prob(inputs["logits"], inputs["tokens"], inputs["lengths"])
    ).detach()
    if rows.shape != inputs["lengths"].shape:
        return {"shape": list(rows.shape)}
    firsts = [lengths.index(length) for length in lengths]
    return {"shape": list(rows.shape), "each row over the first that is as long": rows / rows[firsts]}


def call_gradient(student, inputs):
    logits = inputs["logits"].clone().requires_grad_()
    rows = torch.as_tensor(student.sequence_log_prob(logits, inputs["tokens"], inputs["lengths"]))
    if rows.requires_grad:
        (rows * inputs["upstream"]).sum().backward()
    return {"gradient": torch.zeros_like(logits) if logits.grad is None else logits.grad}


def sequence_log_prob(logits, tokens, lengths):
    log_probs = torch.log_softmax(logits.double(), -1).gather(2, tokens[..., None])[..., 0]
    return torch.where(torch.arange(tokens.shape[1]) < lengths[:, None], log_probs, 0.0).sum(1)


QUESTION = Question(
    id="01.1",
    title="The log-probability of a batch",
    kind="implement",
    difficulty=2,
    minutes=15,
    reference={"sequence_log_prob": sequence_log_prob},
    clauses={
        "A model has read `(start": "it says what the arguments are",
        "only the first `lengths[n]` tokens count": ("values", "cut_at_128"),
        "there may be none": ("lengths", "empty_impossible"),
        "from 0 to time": ("lengths", "empty_impossible"),
        "Training needs its gradient": ("gradients", "normalizer_detached"),
    },
    parts=[
        Part(
            "values",
            1,
            "the log-probabilities of the tokens are added along each row",
            call_log_prob,
            inputs=full_batches,
            hints=(
                "Compute one row of two tokens by hand: logits to probabilities, their logarithms, the "
                "sum. Which step differs?",
                "Over which dimension do the probabilities of one place add up to 1?",
                "The answer is a sum of logarithms: natural ones, not their mean, and never positive.",
            ),
        ),
        Part(
            "lengths",
            1,
            "what lies beyond a row's length does not count",
            call_without_filling,
            inputs=ragged_batches,
            hints=(
                "Change the tokens beyond a row's length. Does the answer change?",
                "Row n has lengths[n] tokens, at the places 0 to lengths[n] - 1; that may be none.",
                "Set the terms of all other places to zero before you add.",
            ),
        ),
        Part(
            "large logits",
            1,
            "logits of thousands, of both signs, give finite answers in the right ratio",
            call_ratios,
            inputs=large_batches,
            hints=(
                "What is exp(1000) in floating point, and what is the logarithm of a probability that "
                "became 0?",
                "Do not compute the probability first: log softmax of z is z minus the log of the sum "
                "of the exponentials.",
                "What is subtracted before the exponential belongs to one place: another place of the "
                "batch may lie thousands below.",
                "PyTorch has the softmax and its logarithm in one function.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients flow back to the logits, and those of the filling are zero",
            call_gradient,
            inputs=batches_to_train_on,
            hints=(
                "Call backward on your answer, each row times a number of its own. What is logits.grad?",
                "A gradient ends where a tensor is detached, becomes a NumPy array, or becomes a plain "
                "number.",
                "Filling that counts has a gradient. So has filling whose logarithm was infinite before "
                "it was replaced: zero times infinity is NaN.",
            ),
        ),
    ],
)
