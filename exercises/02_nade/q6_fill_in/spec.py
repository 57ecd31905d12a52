"""Question 02.6: Fill in what is missing."""

import itertools
import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import nade_scores, near_zero, parameters, tokens_of, with_large_sums


def images(rng, shapes, scale=1.0):
    """Sequences with gaps: what stands in ``tokens`` at a missing place is arbitrary."""
    for time, p, k, d, missing in shapes:
        known = torch.ones(time, dtype=torch.bool)
        known[torch.from_numpy(rng.permutation(time)[:missing])] = False
        named = {name: scale * value for name, value in parameters(rng, p, k, d).items()}
        yield {"tokens": tokens_of(rng, d, time), "known": known, **named}


def whole_images_only(rng):
    """Also parameters for many positions more, parameters far from zero, and such near it."""
    shapes = sizes(rng, time=5, more=(0, 3), k=4, d=5, far={"more": 100})
    yield from images(rng, [(time, time + more, k, d, 0) for time, more, k, d in shapes])
    for case in images(rng, [(4, 5, 2, 3, 0)]):
        case["V"][0] -= 30
        case["c"][1:] += 30
        yield {**case, "b": 8 * case["b"]}
    # a probability of about exp(-80), which floating-point numbers still hold
    for case in images(rng, [(4, 5, 2, 3, 0)], scale=0.1):
        case["b"][torch.arange(4), (case["tokens"] + 1) % 3] += 20
        yield case
    # two hidden units of opposite effect, so that scores show differences of a thousandth
    for case in images(rng, [(5, 5, 2, 3, 0), (5, 5, 2, 3, 0)]):
        case |= {name: near_zero(rng, case[name]) for name in ("V", "c", "W", "b")}
        case["of equal scores"] = -5 * math.log(3)
        yield case
        column = normal(rng, 5, 3, 1, scale=20.0)
        yield {**case, "W": torch.cat([column, -column], 2)}


def images_with_gaps(rng):
    """The first has a gap before a known token; then two of which nothing is known, and one of many tokens.

    One has 1,296 fillings.
    """
    for number, (time, more, k, d) in enumerate(sizes(rng, time=5, more=(0, 3), k=4, d=(1, 4))):
        (case,) = images(rng, [(time, time + more, k, d, int(rng.integers(1, min(time, 3) + 1)))])
        if number == 0:
            case["known"][0], case["known"][-1] = False, True
        yield case
    yield from images(rng, [(4, 5, 3, 2, 4), (4, 5, 3, 2, 4), (1, 1, 3, 2, 1), (5, 110, 2, 2, 2)])
    for case in images(rng, [(4, 5, 2, 3, 2)]):  # parameters far from zero
        case["V"][0] -= 30
        case["c"][1:] += 30
        yield case
    for case in images(rng, [(5, 5, 2, 3, 2)]):  # and near it
        case |= {name: near_zero(rng, case[name]) for name in ("V", "c", "b")}
        column = normal(rng, 5, 3, 1, scale=20.0)
        yield {**case, "W": torch.cat([column, -column], 2)}
    yield from images(np.random.default_rng(1), [(3, 3, 2, 36, 2)])  # fixed, since this one is slow
    # the same places are known, of other tokens
    for token, case in enumerate(images(rng, [(3, 4, 2, 2, 1), (3, 4, 2, 2, 1)])):
        tokens, known = torch.tensor([token, int(rng.integers(2)), token]), torch.arange(3) != 1
        yield case | {"tokens": tokens, "known": known}
    d = int(rng.integers(260, 280))
    for case in images(rng, [(2, 2, 2, d, 1)]):
        case["tokens"][case["known"]] = d - 1
        yield case


def images_cut_off(rng):
    """What is missing is missing at the end."""
    shapes = sizes(rng, time=(3, 6), more=(0, 3), k=4, d=(2, 4))
    for case in images(rng, [(time, time + more, k, d, 0) for time, more, k, d in shapes]):
        case["known"][-int(rng.integers(1, 3)) :] = False
        yield case


def improbable_images(rng):
    """Probabilities far below the least positive float64; scores and sums are in the thousands.

    Known tokens are hard to believe, missing ones hard to guess; another number is added to the scores of
    each position, for all tokens alike.
    """
    shapes = []
    for missing in (2, 4, 0, 2):
        time, more, k, d = (int(rng.integers(*ends)) for ends in ((26, 33), (0, 4), (2, 5), (2, 4)))
        shapes.append((time, time + more, k, d, missing))
    for number, case in enumerate(images(rng, shapes, scale=0.5)):
        known = case["known"]
        named = {name: case[name] for name in ("V", "c", "W", "b")}
        if number > 1:
            named = with_large_sums(named, "V")
        time, vocab = len(known), case["b"].shape[1]
        named["b"][:time][known] *= 100
        likely = named["b"][:time].argmax(-1)
        tokens = (likely + torch.from_numpy(rng.integers(1, vocab, time))) % vocab
        signs = torch.from_numpy(rng.choice([-1.0, 1.0], (len(named["b"]), 1)))
        named["b"] += (signs * torch.from_numpy(rng.uniform(1000, 1500, signs.shape))).float()
        yield {**case, **named, "tokens": tokens}


def call_evidence(student, inputs):
    names = ("tokens", "known", "V", "c", "W", "b")
    value = student.log_evidence(*(inputs[name] for name in names))
    if "of equal scores" in inputs:
        beyond = torch.as_tensor(value) - inputs["of equal scores"]
        return {"log_evidence beyond that of equal scores": beyond}
    return {"log_evidence": value}


def call_fill_in(student, inputs):
    names = ("tokens", "known", "V", "c", "W", "b")
    return {"probabilities": student.fill_in(*(inputs[name] for name in names))}


def call_both(student, inputs):
    arguments = [inputs[name] for name in ("tokens", "known", "V", "c", "W", "b")]
    return {
        "log_evidence": student.log_evidence(*arguments),
        "probabilities": student.fill_in(*[x.clone() for x in arguments]),
    }


def completions(tokens, known, V, c, W, b):
    """Every filling of the gaps, with its log-probability."""
    gaps = (~known).nonzero()[:, 0]
    fillings = list(itertools.product(range(b.shape[1]), repeat=len(gaps)))
    rows = tokens.repeat(len(fillings), 1)
    rows[:, gaps] = torch.tensor(fillings, dtype=torch.long)
    log_probs = torch.log_softmax(nade_scores(rows, V, c, W, b), -1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return completions(tokens, known, V, c, W, b)[1].logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = completions(tokens, known, V, c, W, b)
    one_hot = torch.nn.functional.one_hot(rows, b.shape[1])
    return (log_probs.softmax(0)[:, None, None] * one_hot).sum(0)


QUESTION = Question(
    id="02.6",
    title="Fill in what is missing",
    kind="implement",
    difficulty=4,
    minutes=40,
    reference={"log_evidence": log_evidence, "fill_in": fill_in},
    needs=("02.1",),
    clauses={
        "all sequences that agree with the known": ("evidence", "nothing_known"),
        "If a part in the middle": "an introduction; the formulas say what is asked for",
        "for the NADE of 02.1": "it names the model",
        "up to 1,500 of them": "evidence and marginals have 1,296: a_thousand loses both",
        "is true where `tokens[t]` is known": ("evidence", "nothing_known"),
        "so improbable that no floating-point number": ("improbable", "underflow"),
        "long tensor (time,), time from 1 to p": ("marginals", "squeezed"),
        "with rows that sum to 1": ("marginals", "squeezed"),
    },
    parts=[
        Part(
            "known",
            2,
            "nothing is missing: the log-probability of the sequence",
            call_evidence,
            inputs=whole_images_only,
            hints=(
                "Work out the case that is told of: the scores at t predict tokens[t], by a softmax over the "
                "vocabulary. Which term of the sum differs?",
                "The log-probability of a sequence is the sum of the log-probabilities of its tokens.",
                "Your nade_scores takes a batch: one sequence is a batch of one.",
            ),
        ),
        Part(
            "evidence",
            3,
            "the log-probability of the known tokens",
            call_evidence,
            inputs=images_with_gaps,
            hints=(
                "With one missing token of a vocabulary of two there are two complete sequences. What "
                "is the "
                "probability that one of them occurs?",
                "Probabilities of sequences that exclude each other are added: not their logarithms, "
                "not their mean.",
                "If everything is missing, the answer is the logarithm of 1.",
            ),
        ),
        Part(
            "tail",
            1,
            "what is missing is the end: probabilities for each place",
            call_fill_in,
            inputs=images_cut_off,
            hints=(
                (
                    "Write down the completions of the smallest case and the probability of each. Which "
                    "share has each token at a place, and what of places that are known?"
                ),
                "A completion counts as much as it is probable, not as much as any other.",
                "The probability of a token at a place is the share of the completions that have it there.",
            ),
        ),
        Part(
            "marginals",
            3,
            "gaps anywhere: probabilities for each place",
            call_fill_in,
            inputs=images_with_gaps,
            hints=(
                "Does your answer at a gap change when a known token *behind* it changes? It should.",
                "Weigh whole sequences, not beginnings: the probability of what comes later depends on "
                "the filling.",
                "The weights of the completions are a softmax of their log-probabilities.",
            ),
        ),
        Part(
            "improbable",
            1,
            "sequences whose probability vanishes in floating point",
            call_both,
            inputs=improbable_images,
            rtol=1e-4,
            atol=3e-3,
            hints=(
                "Print the log-probabilities of the completions, and the exponential of each.",
                "exp(-1000) is zero, and so is a sum of such numbers. Stay with logarithms.",
                "Both the log of a sum of exponentials and the softmax stay the same up to a number "
                "that is subtracted.",
            ),
        ),
    ],
    exempt={
        "no gradient": "the question infers with a model that has been trained",
        **{
            f"fill_in: without mask and option: {way}": "nothing is missing, so no exponential is needed"
            for way in (
                "no shift in float64",
                "shifted where positive",
                "shifted where negative",
                "shifted by the largest of all rows",
                "cut off at 80",
                "logarithm of a probability",
                "an exponential over one plus itself",
            )
        },
    },
)
