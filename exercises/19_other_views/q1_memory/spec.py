"""Question 19.1: Write the memory."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import AXES, FUSED, leaning, memories


def large_memories(rng):
    for shape in sizes(rng, **AXES):
        yield leaning(rng, *shape)


def masked(rng, case):
    """Each pattern may answer with probability 0.6, and at least one may answer each state."""
    batch, states, _ = case["state"].shape
    patterns = case["patterns"].shape[1]
    allowed = rng.random((batch, states, patterns)) < 0.6
    chosen = rng.integers(0, patterns, (batch, states, 1))
    allowed |= chosen == range(patterns)
    return {**case, "may_answer": torch.from_numpy(allowed)}


def masked_memories(rng):
    for case in memories(rng):
        yield masked(rng, case)


def unanswered_memories(rng):
    """One state of each case has no pattern, in the third case none has."""
    for number, case in enumerate(masked_memories(rng)):
        case["may_answer"][-1, -1] = False
        if number == 2:
            case["may_answer"][:] = False
        yield case


def large_with_and_without_mask(rng):
    """In half of the masked rows the pattern that is ahead may not answer."""
    for case in large_memories(rng):
        yield case
        best = (case["state"] @ case["patterns"].mT).argmax(-1, keepdim=True)
        masks = masked(rng, case)["may_answer"]
        if masks.shape[2] > 1:
            forbidden = torch.zeros_like(masks).scatter(2, best, value=True)
            forbidden[:, 1::2] = False
            masks = masks & ~forbidden
            masks |= ~masks.any(-1, keepdim=True) & ~forbidden
        yield {**case, "may_answer": masks}


def sent_back(rng):
    """Ordinary scores and scores of thousands, without a mask, and with one that leaves a state nothing."""
    for cases in (memories, large_memories):
        for number, case in enumerate(cases(rng)):
            case["upstream"] = normal(rng, *case["state"].shape)
            if number == 0 or cases is large_memories:
                yield case
            case = masked(rng, case)
            case["may_answer"][0, 0] = False
            yield case


def call_retrieve(student, inputs):
    mask = (inputs["may_answer"],) if "may_answer" in inputs else ()
    return {"updated": student.retrieve(inputs["state"], inputs["patterns"], inputs["beta"], *mask)}


def call_backward(student, inputs):
    mask = (inputs["may_answer"],) if "may_answer" in inputs else ()
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("state", "patterns")}
    updated = student.retrieve(leaves["state"], leaves["patterns"], inputs["beta"], *mask)
    (updated * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def retrieve(state, patterns, beta, may_answer=None):
    state, patterns = state.double(), patterns.double()
    scores = beta * torch.einsum("bsd,bpd->bsp", state, patterns)
    inside = torch.ones_like(scores, dtype=torch.bool) if may_answer is None else may_answer
    top = torch.where(inside, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(inside, torch.where(inside, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    found = powers / torch.where(sums > 0, sums, 1.0) @ patterns
    return torch.where(sums > 0, found, state)


QUESTION = Question(
    id="19.1",
    title="Write the memory",
    kind="implement",
    difficulty=2,
    minutes=25,
    reference={"retrieve": retrieve},
    forbids=FUSED,
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
        "states without a pattern are taken care of",
        "logarithm of a probability": "its exponential is the probability again",
    },
    clauses={
        "has patterns of its own": "the mistake that gives all the first memory loses every part",
        "A mask can exclude patterns": "every part but the first draws masks",
        "those that may answer": "the mistakes that ignore the mask lose several parts",
        "no pattern may answer stays": ("nobody answers", "zeros_for_nobody"),
        "The memory is part of a model that trains": ("gradients", "detached_patterns"),
        "a number above zero": "it is the form of an inverse temperature",
        "True where a": "every part but the first draws masks",
    },
    parts=[
        Part(
            "update",
            2,
            "without a mask: each state moves to the average of the patterns that it resembles",
            call_retrieve,
            inputs=memories,
            hints=(
                "Take one state and two patterns by hand: two scores, two weights, one average.",
                "The scores have the shape (batch, states, patterns). Which axis does the softmax run over?",
                "beta multiplies the scores, and nothing else divides or multiplies them.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores of thousands, of both signs, give finite answers",
            call_retrieve,
            inputs=large_with_and_without_mask,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "What is exp(1000) in floating point, and what is exp(-1000)?",
                "A softmax stays the same if one number is subtracted from all scores of a row.",
                "The number to subtract is the largest score of the row, among the patterns that may answer.",
            ),
        ),
        Part(
            "mask",
            1,
            "with a mask: patterns that may not answer have no weight, and the others share all of it",
            call_retrieve,
            inputs=masked_memories,
            hints=(
                "Let the patterns be the rows of torch.eye(d): the updated state is then the weights. Do "
                "they add up to 1, and are the forbidden ones 0?",
                "The softmax should run over the allowed patterns only, so the mask has to act before it.",
                "Which score makes exp(score) exactly zero?",
            ),
        ),
        Part(
            "nobody answers",
            1,
            "a state that no pattern may answer stays, and the others move as they should",
            call_retrieve,
            inputs=unanswered_memories,
            hints=(
                "Print the result for a state whose row of `may_answer` is all False.",
                "may_answer.any over the patterns tells these states from the others.",
                "Put the state itself where there is no answer; torch.where chooses row by row.",
            ),
        ),
        Part(
            "gradients",
            1,
            "masks, large scores and unanswered states together: the gradients are right",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Call backward on (updated * upstream).sum() with random upstream, and print the gradients "
                "of the state and of the patterns: where are they zero, or NaN?",
                "Patterns get a gradient on two ways, as keys and as values.",
                "A NaN that is replaced afterwards is still in the gradient. A softmax must not see a row "
                "of nothing but minus infinity.",
            ),
        ),
    ],
)
