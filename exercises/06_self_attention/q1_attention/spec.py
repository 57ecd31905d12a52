"""Question 06.1: Scaled dot-product attention."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, masked, winners

AXES = {"batch": 3, "queries": 4, "keys": 5, "d_key": 6, "d_value": 6}


def triples(rng):
    for batch, queries, keys, d_key, d_value in sizes(rng, **AXES, far={"keys": 110}):
        yield {
            "query": normal(rng, batch, queries, d_key),
            "key": normal(rng, batch, keys, d_key),
            "value": normal(rng, batch, keys, d_value),
        }


def triples_of_any_size(rng):
    """Ordinary ones, and tiny queries with huge keys and the other way round: the scores stay ordinary."""
    yield from triples(rng)
    for small in ("query", "key"):
        case = next(triples(rng))
        for name in ("query", "key"):
            case[name] = case[name] * (1e-3 if name == small else 1e3)
        case["value"] = case["value"] * (2e-3 if small == "query" else 40.0)
        yield case


def separated(rng):
    """Queries and keys whose scores differ enough for their order to show, whatever divides them."""
    for batch, queries, keys, d_key in sizes(rng, batch=3, queries=4, keys=4, d_key=6):
        gap = 0.0
        while gap < 0.02:
            query, key = normal(rng, batch, queries, d_key, scale=2.0), normal(rng, batch, keys, d_key)
            gaps = (query @ key.mT).sort(-1).values.diff(dim=-1)
            gap = float(gaps.min()) if keys > 1 else 1.0
        yield {"query": query, "key": key}


def separated_masked(rng):
    for case in separated(rng):
        yield masked(rng, case)


def separated_blind(rng):
    """One query of each case may attend to nothing, and the others to something."""
    for case in separated_masked(rng):
        case["allowed"][-1, -1] = False
        yield case


def sent_back(rng):
    """Ordinary scores and scores of thousands, without a mask, and with one that leaves a query nothing."""
    for cases in (triples, winners):
        for number, case in enumerate(cases(rng)):
            case["upstream"] = normal(rng, *case["query"].shape[:2], case["value"].shape[2])
            if number == 0 or cases is winners:
                yield case
            case = masked(rng, case)
            case["allowed"][0, 0] = False
            yield case


def winners_with_and_without_mask(rng):
    """In half of the masked rows the key that is far ahead is forbidden."""
    for case in winners(rng):
        yield case
        yield masked(rng, case)


def call_attention(student, inputs):
    allowed = (inputs["allowed"],) if "allowed" in inputs else ()
    return {"output": student.attention(inputs["query"], inputs["key"], inputs["value"], *allowed)}


def call_weights(student, inputs):
    """The values are the unit vectors, so that the output is the weights."""
    query, key = inputs["query"], inputs["key"]
    shape = (*query.shape[:2], key.shape[1])
    allowed = inputs.get("allowed", key.new_ones(shape, dtype=torch.bool))
    given = (allowed.clone(),) if "allowed" in inputs else ()
    units = torch.eye(key.shape[1], dtype=key.dtype, device=key.device).repeat(len(key), 1, 1)
    weights = torch.as_tensor(student.attention(query, key, units, *given)).detach()
    if weights.shape != shape:
        return {"shape": list(weights.shape)}
    return {
        "shape": list(weights.shape),
        "sums of the rows of weights": weights.sum(-1),
        "weights of forbidden keys": weights.masked_fill(allowed, 0.0),
        "weights above zero": (weights > 0) & allowed,
        "allowed keys by weight, the least first": weights.masked_fill(~allowed, -1.0).argsort(
            dim=-1, stable=True
        ),
    }


def call_backward(student, inputs):
    allowed = (inputs["allowed"],) if "allowed" in inputs else ()
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.attention(leaves["query"], leaves["key"], leaves["value"], *allowed)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def attention(query, key, value, allowed=None):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
    inside = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    top = torch.where(inside, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(inside, torch.where(inside, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0) @ value.double()


QUESTION = Question(
    id="06.1",
    title="Scaled dot-product attention",
    kind="implement",
    difficulty=2,
    minutes=25,
    reference={"attention": attention},
    forbids=FUSED,
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
        "queries without a key are taken care of",
    },
    clauses={
        "may attend to": "every part but the first two draws masks",
        "gets zeros": ("nothing allowed", "blind_ones"),
        "sends back a gradient of zero": ("gradients", "nan_to_num"),
        "may be far larger": "large scores forbids the key that is ahead; the gradients lose with it",
        "or None": "half of the parts are called without a mask",
        "True where a query may attend": "every part but the first two draws masks",
    },
    parts=[
        Part(
            "weights",
            1,
            "without a mask: weights sum to 1 and have the order of the scores, whatever the scale",
            call_weights,
            inputs=separated,
            hints=(
                "Ask for the weights: give the unit vectors, torch.eye(keys), as values of one batch "
                "entry, and "
                "print the output. What does each row add up to?",
                "A query's weights are a softmax over the keys. Which dimension of the scores counts "
                "the keys?",
                "Scores have the shape (batch, queries, keys), and each row is one query's.",
            ),
        ),
        Part(
            "values",
            1,
            "without a mask: the weighted averages, to the last digit",
            call_attention,
            inputs=triples_of_any_size,
            hints=(
                "The weights have the right order, so look at how far apart they are: that is what the "
                "scale sets.",
                "The sum in an inner product of query and key has d_key terms. Which power of d_key is "
                "in the formula, "
                "and does it multiply or divide?",
                "d_key is the last size of the query and of the key; the values may have another.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores of thousands, of both signs, give finite answers",
            call_attention,
            inputs=winners_with_and_without_mask,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "What is exp(1000) in floating point, and what is exp(-1000)?",
                "A softmax stays the same if one number is subtracted from all scores of a row.",
                "PyTorch's softmax subtracts the largest score of each row; a softmax by hand has to do "
                "it too.",
            ),
        ),
        Part(
            "mask",
            1,
            "with a mask: forbidden keys weigh nothing, the others sum to 1 in the order of their scores",
            call_weights,
            inputs=separated_masked,
            hints=(
                "Give the unit vectors as values and print the weights beside the mask: is a forbidden "
                "one above "
                "zero, or does a row no longer sum to 1?",
                "The softmax should run over the allowed keys only, so the mask has to act before it. "
                "Does True mean "
                "allowed in your code, too?",
                "Which score makes exp(score) exactly zero?",
            ),
        ),
        Part(
            "nothing allowed",
            1,
            "a query that may attend to nothing gets zeros, and the others what they should",
            call_weights,
            inputs=separated_blind,
            compare=("shape", "sums of the rows of weights"),
            hints=(
                "Print the output for a query whose row of `allowed` is all False.",
                "Its denominator is zero, or its scores are all the same. Find such rows before the softmax.",
                "allowed.any over the keys tells these rows from the others.",
            ),
        ),
        Part(
            "gradients",
            1,
            "masks, large scores and queries with nothing allowed together: the gradients are right",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (output * upstream).sum() with random upstream, and print query.grad: "
                "where "
                "is it NaN, or zero?",
                "A NaN that is replaced afterwards is still in the gradient: zero times NaN is NaN.",
                "So the softmax must never see a row of nothing but minus infinity. Let such a row see "
                "anything, and "
                "replace its output by zeros.",
            ),
        ),
    ],
)
