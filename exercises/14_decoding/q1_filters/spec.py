"""Question 14.1: Filters."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

SHAPES = [(2, 6), (1, 5), (4, 4), (3, 7), (2, 6), (5, 3), (120, 4), (2, 110), (3, 1)]


def rows(rng, scale=1.5):
    for batch, vocab in SHAPES:
        yield {"logits": normal(rng, batch, vocab, scale=scale)}


def tempered(rng):
    for case in rows(rng):
        yield {**case, "temperature": float(rng.choice([0.3, 0.6, 1.7, 3.0]))}
    for case in rows(rng):  # so cold that logits which are nearly equal differ
        yield {"logits": 0.004 * case["logits"], "temperature": 0.004}


def cut_by_number(rng):
    for case in rows(rng):
        yield {**case, "top_k": int(rng.integers(1, 5))}
    yield {"logits": normal(rng, 2, 3), "top_k": 7}


def cut_by_mass(rng):
    for case in rows(rng):
        yield {**case, "top_p": float(rng.uniform(0.3, 0.95))}
    for batch, vocab in [(30, 5), (40, 3)]:  # the sum of all, once rounded, may not reach it
        yield {"logits": normal(rng, batch, vocab), "top_p": 1 - 1e-9}
    yield {"logits": normal(rng, 3, 5) + torch.tensor([6.0, 0, 0, 0, 0]), "top_p": 0.4}


def cut_twice(rng):
    for case in rows(rng, 1.0):
        yield {
            **case,
            "temperature": float(rng.choice([0.5, 2.0, 3.0])),
            "top_k": int(rng.integers(2, 5)),
            "top_p": float(rng.uniform(0.5, 0.95)),
        }


def extreme(rng):
    """Another offset in each row; the differences are ordinary, or in the thousands."""
    for batch, vocab, gap in [(3, 5, 1.0), (2, 4, 1.0), (1, 6, 400.0), (3, 4, 900.0)]:
        offsets = torch.from_numpy(rng.choice([-4000.0, -1500.0, 1200.0, 3000.0], (batch, 1)))
        ranks = torch.from_numpy(np.stack([rng.permutation(vocab) for _ in range(batch)]))
        yield {"logits": offsets + gap * ranks, "temperature": 0.5}
        yield {"logits": offsets + gap * ranks, "temperature": 2.0, "top_k": 3, "top_p": 0.7}
        if gap == 1:
            yield {"logits": 20.0 * ranks - 9000.0, "temperature": 0.5, "top_k": 3}
        if gap > 1:  # so hot that probabilities matter that are 0 before the temperature
            yield {"logits": offsets + gap * ranks, "temperature": 300.0}


def call_filter(student, inputs):
    options = {name: inputs[name] for name in ("temperature", "top_k", "top_p") if name in inputs}
    return {"probabilities": student.next_distribution(inputs["logits"], **options)}


def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    """One row at a time, from the most probable token on."""
    result = torch.zeros(logits.shape, dtype=torch.float64)
    for row, z in enumerate(logits.double() / temperature):
        p = (z - z.max()).exp()
        p = p / p.sum()
        order = p.argsort(descending=True).tolist()
        if top_k is not None:
            order = order[:top_k]
        whole = sum(p[i] for i in order)
        kept, reached = [], 0.0
        for i in order:
            kept.append(i)
            reached = reached + p[i] / whole
            if top_p is not None and reached >= top_p:
                break
        for i in kept:
            result[row, i] = p[i] / sum(p[j] for j in kept)
    return result


QUESTION = Question(
    id="14.1",
    title="Filters",
    kind="implement",
    difficulty=1,
    minutes=20,
    reference={"next_distribution": next_distribution},
    exempt={
        "no gradient": "tokens are drawn from it; nothing trains through it",
        "a large negative number for minus infinity": "logits are in the thousands: -1e9 is as good",
        "masked after the normalization": "cut and rescaled is what the text asks for",
    },
    parts=[
        Part(
            "temperature",
            1,
            "without top_k and top_p",
            call_filter,
            inputs=tempered,
            hints=(
                "Is a low temperature sharper than 1 in your answer, or flatter?",
                "The logits are divided by the temperature, before the softmax over the vocabulary.",
            ),
        ),
        Part(
            "top-k",
            1,
            "with top_k alone",
            call_filter,
            inputs=cut_by_number,
            hints=(
                "Does each row sum to 1, and has it as many tokens above 0 as it should?",
                "Each row keeps its own most probable tokens, at the places where they were.",
            ),
        ),
        Part(
            "top-p",
            1,
            "with top_p alone",
            call_filter,
            inputs=cut_by_mass,
            hints=(
                "Try the example of the text, with 0.79 and with 0.81.",
                "The token that makes the sum reach top_p belongs to the set. The most probable one "
                "always does.",
                "A token is kept if the tokens before it have not reached top_p yet.",
            ),
        ),
        Part(
            "together",
            1,
            "with all three settings",
            call_filter,
            inputs=cut_twice,
            hints=(
                "If a part before is lost, mend that first.",
                "In which order are the settings applied? What does top_p sum up?",
            ),
        ),
        Part(
            "extremes",
            1,
            "logits in the thousands",
            call_filter,
            inputs=extreme,
            hints=(
                "If a part before is lost, mend that first.",
                "Exponentials may overflow. What may be subtracted from a row, and changes nothing?",
                "A number that stands for minus infinity has to lie far below every logit.",
            ),
        ),
    ],
)
