"""Question 14.1: Filters."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes


def rows(rng, scale=1.5, **far):
    for batch, vocab in sizes(rng, batch=5, vocab=(1, 8), far=far):
        yield {"logits": normal(rng, batch, vocab, scale=scale)}


def tempered(rng):
    for case in rows(rng, batch=100, vocab=110):
        yield {**case, "temperature": float(rng.choice([0.3, 0.6, 1.7, 3.0]))}
    for case in rows(rng):  # so cold that logits which are nearly equal differ
        yield {"logits": 0.004 * case["logits"], "temperature": 0.004}
    yield {"logits": normal(rng, 2, 5, scale=40.0), "temperature": 30.0}


def cut_by_number(rng):
    for case in rows(rng):
        yield {**case, "top_k": int(rng.integers(1, case["logits"].shape[1] + 1))}
    yield {"logits": normal(rng, 3, 9), "top_k": int(rng.integers(5, 8))}
    yield {"logits": normal(rng, 3, 5), "top_k": 1}
    for top_k in (2, 3, 4, 7):  # below, at and above the size of the vocabulary
        yield {"logits": normal(rng, 2, 3), "top_k": top_k}
    for batch, vocab, top_k in [(4, 6, 3), (5, 4, 1)]:  # on both sides of the cut logits nearly the same
        logits = normal(rng, batch, vocab).double()
        values, places = logits.sort(1, descending=True)
        for row in range(batch):
            at, behind = places[row, top_k - 1], places[row, top_k]
            if (at > behind) == (row % 2 == 0):  # the first of the two is kept in every other row
                at, behind = behind, at
            logits[row, at], logits[row, behind] = values[row, top_k - 1], values[row, top_k - 1] - 1e-9
        yield {"logits": logits, "top_k": top_k}


def cut_by_mass(rng):
    for case in rows(rng):
        yield {**case, "top_p": float(rng.uniform(0.3, 0.95))}
    for top_p in (0.79, 0.81):  # the example of the text
        yield {"logits": torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log(), "top_p": top_p}
    for batch, vocab in [(30, 5), (40, 3)]:  # the sum of all, once rounded, may not reach it
        yield {"logits": normal(rng, batch, vocab), "top_p": 1 - 1e-9}
    yield {"logits": normal(rng, 3, 5) + torch.tensor([6.0, 0, 0, 0, 0]), "top_p": 0.4}
    yield {"logits": normal(rng, 2, 6), "top_p": 1e-6}


def cut_twice(rng):
    for case in rows(rng, 1.0):
        yield {
            **case,
            "temperature": float(rng.choice([0.5, 2.0, 3.0])),
            "top_k": int(rng.integers(2, min(5, max(3, case["logits"].shape[1] + 1)))),
            "top_p": float(rng.uniform(0.5, 0.95)),
        }
    for temperature in (
        0.5,
        2.0,
    ):  # the sum is reached by three of the five, and by four before they are rescaled
        shares = np.array([0.4, 0.25, 0.15, 0.1, 0.06, 0.04])
        logits = temperature * np.log(np.stack([rng.permutation(shares) for _ in range(3)]))
        yield {"logits": torch.from_numpy(logits), "temperature": temperature, "top_k": 5, "top_p": 0.82}


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
        "a millionth in a divisor": "what is kept has at least the share of one token of the vocabulary",
    },
    clauses={
        "settings change it, in this order": "top_p_first loses the parts in which there are two of them",
        "are divided by `temperature`": "after_softmax loses every part with a temperature",
        "or all if there are fewer": ("top-k", "fewer_alone"),
        "(those that step 2 left)": "top_p_first loses the parts in which there are two of them",
        "no two have equal": "it says what is not asked for",
        "may differ by little": ("top-k", "nearly_equal_kept"),
        "An example: the probabilities": "both are cases of top-p",
        "temperature: a number above 0": "it says what is not asked for",
        "from 1 on, or None": "one_filter and the parts without a filter",
        "above 0 and below 1": "1e-6 and almost 1 are cases of top-p",
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
                "Logits that differ by 1e-9 are not equal: one of the two may be kept, and the other not.",
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
                "Set top_p to 0.999, or top_k to the size of the vocabulary: which of the two makes "
                "it wrong?",
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
                "Is a number NaN, or infinite, or is a wrong set kept? The logits of the case are "
                "in the thousands.",
                "Exponentials may overflow. What may be subtracted from a row, and changes nothing?",
                "A number that stands for minus infinity has to lie far below every logit.",
            ),
        ),
    ],
)
