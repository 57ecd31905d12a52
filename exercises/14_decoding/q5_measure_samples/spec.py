"""Question 14.5: Measure what samples lose."""

import torch
from autograder.authoring import Part, Question


def drawn_texts(rng):
    for n, time, vocab in [(4, 5, 3), (1, 4, 6), (6, 1, 4), (3, 3, 3), (4, 5, 3), (2, 105, 3), (110, 2, 3)]:
        logits = 1.5 * rng.standard_normal((n, time, vocab))
        allowed = rng.random((n, time, vocab)) < (0.97 if time > 50 else 0.8)
        tokens = rng.integers(0, vocab, (n, time))
        lengths = rng.integers(1, time + 1, n)
        yield {
            "logits": torch.from_numpy(logits),
            "tokens": torch.from_numpy(tokens),
            "allowed": torch.from_numpy(allowed),
            "lengths": torch.from_numpy(lengths),
            "temperature": float(rng.choice([0.5, 0.8, 1.5])),
        }


def loud_texts(rng):
    yield from drawn_texts(rng)
    for case, _ in zip(drawn_texts(rng), range(2)):
        offsets = torch.from_numpy(rng.choice([-3000.0, 2000.0], (*case["tokens"].shape, 1)))
        yield {**case, "logits": case["logits"] * 600 + offsets}


def call_measure(student, inputs):
    names = ("logits", "tokens", "allowed", "lengths", "temperature")
    return dict(student.measure(*(inputs[name] for name in names)))


def measure(logits, tokens, allowed, lengths, temperature):
    spent, wrong, count, fine = 0.0, 0.0, 0, 0
    for z, text, can, length in zip(logits / temperature, tokens, allowed, lengths.tolist()):
        log_q = (z - z.logsumexp(1, keepdim=True))[:length]
        places = torch.arange(length)
        spent = spent - log_q[places, text[:length]].sum().item()
        wrong = wrong + log_q.exp().masked_fill(can[:length], 0.0).sum().item()
        fine += bool(can[places, text[:length]].all())
        count += length
    return {"entropy": spent / count, "possible": fine / len(tokens), "mass": wrong / count}


def give_reports(student, inputs):
    return {
        f"{run}: {name}": student.report[run][name]
        for run in ("cold", "warm")
        for name in ("entropy", "possible", "mass")
    }


REPORT = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


QUESTION = Question(
    id="14.5",
    title="Measure what samples lose",
    kind="experiment",
    difficulty=4,
    minutes=30,
    needs=("14.1",),
    reference={"measure": measure, "report": REPORT},
    parts=[
        Part(
            "entropy",
            3,
            "on small texts: the entropy",
            call_measure,
            inputs=loud_texts,
            compare=("entropy",),
            hints=(
                "The tokens were drawn at a temperature. Do you score them with the same distribution?",
                "A mean over tokens is not the mean over texts, and padding counts for nothing.",
                "Is a number infinite? With logits in the thousands a probability rounds to 0, whose "
                "logarithm is minus infinity. Take the logarithm of the softmax at once.",
            ),
        ),
        Part(
            "possible",
            1,
            "on small texts: the share of possible texts",
            call_measure,
            inputs=drawn_texts,
            compare=("possible",),
            hints=(
                "One impossible token spoils its text. Which tokens of a text count?",
                "It is a share of texts, not of tokens.",
            ),
        ),
        Part(
            "mass",
            2,
            "on small texts: the probability of impossible tokens",
            call_measure,
            inputs=loud_texts,
            compare=("mass",),
            hints=(
                "It asks for probabilities at each place, whatever was drawn there.",
                "Sum over the tokens that are not allowed, then take the mean over places that count.",
            ),
        ),
        Part(
            "reported numbers",
            2,
            "your run: both temperatures",
            give_reports,
            conceal=True,
            digits=5,
            requires=("entropy", "possible", "mass"),
            hints=(
                "`cold` was drawn at 0.5 and `warm` at 1.",
                "Copy five digits or more of each of the six numbers.",
            ),
        ),
    ],
)
