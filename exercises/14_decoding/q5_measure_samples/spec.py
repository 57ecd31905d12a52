"""Question 14.5: Measure what samples lose."""

import torch
from autograder.authoring import Part, Question, sizes


def drawn_texts(rng):
    for n, time, vocab in sizes(rng, batch=4, time=5, vocab=5, far={"batch": 100, "time": 100}):
        yield texts(rng, n, time, vocab)
    yield texts(rng, 2, 3, int(rng.integers(290, 310)))
    yield texts(rng, 2, int(rng.integers(260, 270)), 2)
    # differences that matter at a low temperature
    case = texts(rng, 3, 4, 5)
    yield {**case, "logits": 3e-4 * case["logits"], "temperature": 4e-4}
    case = texts(rng, 2, 3, 8)  # the example of the text
    yield {**case, "logits": torch.zeros_like(case["logits"])}


def texts(rng, n, time, vocab):
    """Texts that differ in length, some of them full, as far as there is room."""
    allowed = rng.random((n, time, vocab)) < (0.97 if time > 50 else 0.8)
    lengths = rng.integers(1, time + 1, n)
    lengths[rng.permutation(n)[:2]] = [time, max(1, time - 1)][:n]
    return {
        "logits": torch.from_numpy(1.5 * rng.standard_normal((n, time, vocab))),
        "tokens": torch.from_numpy(rng.integers(0, vocab, (n, time))),
        "allowed": torch.from_numpy(allowed),
        "lengths": torch.from_numpy(lengths),
        "temperature": float(rng.choice([0.5, 0.8, 1.5])),
    }


def loud_texts(rng):
    yield from drawn_texts(rng)
    for case, _ in zip(drawn_texts(rng), range(2)):
        offsets = torch.from_numpy(rng.choice([-3000.0, 2000.0], (*case["tokens"].shape, 1)))
        yield {**case, "logits": case["logits"] * 600 + offsets}
    case = texts(rng, 3, 4, 5)  # nothing is impossible, no padding
    offsets = torch.from_numpy(rng.choice([-3000.0, 2000.0], (3, 4, 1)))
    yield {
        **case,
        "logits": case["logits"] * 600 + offsets,
        "allowed": torch.ones_like(case["allowed"]),
        "lengths": torch.full_like(case["lengths"], 4),
    }


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
    clauses={
        "in which token $i$ may be followed": "what the run is made of",
        "Only the first `lengths[b]`": "padding_everywhere loses all parts, as what is wrong here "
        "is not reported",
        "logits may be in the thousands": "exponentials loses the mass, and with it the report",
        "with logits of zeros over 8": "it is a case of every part",
        "with temperature 0.5": ("reported numbers", "report_crossed"),
        "five digits or more": "the comparison takes five digits",
        "The numbers count if": "the report requires the parts before",
        "at most $\\ln 3$": "it says what to see in the numbers",
        "long tensor (batch,), at least 1": "texts of one token are among the cases",
        "logits:      float64": "logits in the thousands are exact in float64 only",
        "the one they were drawn at": "no_temperature loses two parts and the report",
    },
    parts=[
        Part(
            "entropy",
            3,
            "on small texts: the entropy",
            call_measure,
            inputs=loud_texts,
            compare=("entropy",),
            hints=(
                "Work out the case that is told of for one text: which log-probabilities are added, at which "
                "temperature, and by how many is the sum of all texts divided?",
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
                "Mark in each text of the case the tokens that count and are not allowed. Which "
                "texts have none?",
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
                "Work it out for one place: which tokens are impossible there, and what is their "
                "probability at the temperature, whatever was drawn?",
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
