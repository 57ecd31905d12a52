"""Question 20.2: Bits per byte."""

import math
from types import SimpleNamespace

import torch
from autograder.authoring import Part, Question, normal, sizes


def text_of(rng, n, context, vocab, fresh, scale=2.0):
    """A text, and a model that averages what its window holds."""
    tokens = torch.from_numpy(rng.integers(0, vocab, n))
    return {
        "tokens": tokens,
        "n_bytes": n + int(rng.integers(1, 4 * n + 3)),
        "context": context,
        "fresh": min(fresh, context),
        "before": int(rng.integers(vocab)),
        "rows": scale * normal(rng, vocab, 3),
        "columns": normal(rng, 3, vocab),
        "bias": normal(rng, vocab),
    }


def one_window(rng):
    """Texts that one window holds, with one portion."""
    for n, vocab in sizes(rng, n=(2, 7), vocab=8, far={"n": 110}):
        yield text_of(rng, n, n + int(rng.integers(0, 3)), vocab, n + 3)
    case = text_of(rng, 3, 4, 300, 4)
    case["tokens"][:2] = torch.tensor([299, 298])
    yield case
    yield from all_equal(rng, int(rng.integers(2, 7)))


def all_equal(rng, size):
    """All whole numbers are the same, and two texts have them."""
    for _ in range(2):
        yield {**text_of(rng, size, size, 8, size), "n_bytes": size, "before": size}


def apart(rng):
    """Windows that do not overlap, and portions that are all full."""
    for portions, context, vocab in sizes(rng, portions=(2, 5), context=6, vocab=7, far={"portions": 40}):
        yield text_of(rng, portions * context, context, vocab, context)


def overlapping(rng):
    """Windows that overlap by half or more; the last portion is full or not."""
    for n, context, vocab in sizes(rng, n=(6, 20), context=(3, 6), vocab=7, far={"n": 110}):
        yield text_of(rng, n, context, vocab, int(rng.integers(1, context)))
    yield text_of(rng, 5, 4, 6, 2)
    yield text_of(rng, 9, 4, 6, 3)
    yield text_of(rng, 8, 4, 6, 1)
    yield text_of(rng, 130, 120, 6, 110)


def extreme(rng):
    """Texts that surprise their model, so that single precision is precise enough."""
    for n, context, fresh in ((1, 1, 1), (1, 5, 2), (7, 1, 1), (9, 4, 2), (9, 4, 4), (12, 5, 3)):
        yield surprising(rng, n, context, fresh, one_column=True)
        yield surprising(rng, n, context, fresh, one_column=False)
    yield from all_equal(rng, 1)


def surprising(rng, n, context, fresh, one_column):
    """A text whose every token has more than ten bits."""

    def each(*given):
        return min(bits_per_byte(*given, is_sum=False)) > 10

    while True:
        case = text_of(rng, n, context, 5, fresh, scale=300.0)
        if one_column:
            case["columns"][0] = 1.0
            case["rows"][:, 0] = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], 5)).float()
        if call_bits(SimpleNamespace(bits_per_byte=each), case)["bits"]:
            return case


def call_bits(student, inputs):
    def logits(tokens):
        given, most = f"{str(tokens.dtype).removeprefix('torch.')} {tuple(tokens.shape)}", inputs["context"]
        if tokens.dtype != torch.long or tokens.dim() != 2 or len(tokens) != 1:
            raise ValueError(f"logits is a function of a long tensor (1, time); it was given {given}")
        if not 1 <= tokens.shape[1] <= most:
            raise ValueError(f"the model reads 1 to {most} tokens here; logits was given {given}")
        read = inputs["rows"][tokens].cumsum(dim=1) / torch.arange(1, 1 + tokens.shape[1])[:, None]
        return inputs["bias"] + read @ inputs["columns"]

    names = ("tokens", "n_bytes", "context", "fresh", "before")
    return {"bits": student.bits_per_byte(logits, *(inputs[name] for name in names))}


def bits_per_byte(logits, tokens, n_bytes, context, fresh, before, is_sum=True):
    inputs = [before, *tokens.tolist()[:-1]]
    bits = []
    for t, token in enumerate(tokens.tolist()):
        end = min(len(inputs), (t // fresh + 1) * fresh)
        first = max(0, end - context)
        scores = logits(torch.tensor([inputs[first:end]]))[0, t - first].double()
        bits.append(float(scores.logsumexp(0) - scores[token]) / math.log(2))
    return sum(bits) / n_bytes if is_sum else bits


QUESTION = Question(
    id="20.2",
    title="Bits per byte",
    kind="implement",
    difficulty=2,
    minutes=25,
    reference={"bits_per_byte": bits_per_byte},
    clauses={
        "a model that reads at most `context` tokens": "call_bits refuses more, and says so",
        "the last portion may be smaller": "the mistake that leaves it out loses two parts",
        "where there are fewer": "the mistake that leaves these windows out loses two parts",
        "Scores may be in the thousands": ("extreme", "log_of_softmax"),
        "With a text of 5 tokens": "it is a case of the part of windows that overlap",
        "at each place, the scores": "what the function is given",
        "at least one token": ("extreme", "one_token_free"),
        "the most tokens that the model": "what the function is given",
        "at most context": "portions as long as the context are cases of two parts",
        "returns: a number": "bits are compared as numbers",
    },
    parts=[
        Part(
            "one window",
            1,
            "a text that is read at once",
            call_bits,
            inputs=one_window,
            hints=(
                "What does the model read before it predicts the first token?",
                "Add up the surprise of every token, in bits, and divide by the bytes.",
            ),
        ),
        Part(
            "apart",
            1,
            "windows side by side",
            call_bits,
            inputs=apart,
            hints=(
                "What is the first input of the second window?",
                "The first input of a later window is the token that precedes it in the text.",
            ),
        ),
        Part(
            "overlapping",
            2,
            "windows that overlap",
            call_bits,
            inputs=overlapping,
            hints=(
                "Write down, for the example of the text, what each window reads and which tokens it scores.",
                "A window ends with its portion, and reaches back as far as the context allows.",
                "Of the scores of a window only the last ones are of the portion.",
            ),
        ),
        Part(
            "extreme",
            2,
            "scores in the thousands, texts and windows of one token",
            call_bits,
            inputs=extreme,
            hints=(
                "Is the case one of large scores, or one of small sizes?",
                "A softmax that is rounded to 0 has no logarithm; take the logarithm together with it.",
                "A text of one token is scored as well: the model reads the token before it.",
            ),
        ),
    ],
)
