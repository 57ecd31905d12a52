"""Question 11.3: Repair a scorer."""

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import one_of

TEXTS = [(12, 4, 5), (6, 2, 3), (9, 3, 4), (10, 5, 6), (8, 1, 4), (20, 4, 7), (8, 4, 4), (110, 10, 5)]


def texts(rng, *, whole, same_length, same_scores):
    """A text of each size, and the parameters of a model that averages what its window holds."""
    for tokens, context, vocab in TEXTS:
        size = tokens if whole or context == 1 else tokens - int(rng.integers(1, context))
        stream = one_of(rng, vocab, max(1, size))
        lengths = torch.ones(vocab, dtype=torch.long) if same_length else 1 + one_of(rng, 6, vocab)
        yield {
            "stream": stream,
            "lengths": lengths,
            "context": context,
            "start": int(rng.integers(vocab)),
            "read": 0.0 * normal(rng, vocab, vocab) if same_scores else 2.0 * normal(rng, vocab, vocab),
            "bias": normal(rng, vocab),
        }


def answers(rng):
    """Only the shift decides: whole windows, characters as tokens."""
    return texts(rng, whole=True, same_length=True, same_scores=False)


def rests(rng):
    """Only the last window decides: the model predicts the same everywhere."""
    return texts(rng, whole=False, same_length=True, same_scores=True)


def long_tokens(rng):
    """Only the characters of the tokens decide."""
    return texts(rng, whole=True, same_length=False, same_scores=True)


def everything(rng):
    yield from texts(rng, whole=False, same_length=False, same_scores=False)
    for case in texts(rng, whole=False, same_length=False, same_scores=False):  # shorter than a window
        size = 1 + int(rng.integers(2))
        yield {**case, "stream": case["stream"][:size], "context": case["context"] + 2}
    for case in texts(rng, whole=False, same_length=False, same_scores=False):  # a token without characters
        lengths = case["lengths"].clone()
        lengths[case["stream"][0]] = 0
        if all(lengths[window].any() for window in case["stream"].split(case["context"])):
            yield {**case, "lengths": lengths}
    for same_length, scale in ((False, 10.0), (True, 300.0)):
        for case in texts(rng, whole=False, same_length=same_length, same_scores=False):
            offset = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (len(case["read"]), 1)))
            yield {**case, "read": scale * case["read"] + offset.float()}


def call_scorer(student, inputs):
    def logits(tokens):
        given, most = f"{str(tokens.dtype).removeprefix('torch.')} {tuple(tokens.shape)}", inputs["context"]
        if tokens.dtype != torch.long or tokens.dim() != 2 or len(tokens) != 1:
            raise ValueError(f"logits is a function of a long tensor (1, time); it was given {given}")
        if not 1 <= tokens.shape[1] <= most:
            raise ValueError(f"a window has 1 to {most} tokens here; logits was given {given}")
        read = inputs["read"][tokens].cumsum(dim=1)
        return inputs["bias"] + read / torch.arange(1, 1 + tokens.shape[1])[:, None]

    names = ("stream", "lengths", "context", "start")
    return {"nats": student.nats_per_character(logits, *(inputs[name] for name in names))}


def nats_per_character(logits, stream, lengths, context, start):
    total, before = 0.0, start
    for begin in range(0, len(stream), context):
        targets = stream[begin : begin + context]
        window = torch.cat([torch.tensor([before]), targets[:-1]])
        log_probs = logits(window[None])[0].double().log_softmax(dim=-1)
        total -= float(log_probs[torch.arange(len(targets)), targets].sum())
        before = int(targets[-1])
    return total / float(lengths[stream].sum())


QUESTION = Question(
    id="11.3",
    title="Repair a scorer",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"nats_per_character": nats_per_character},
    parts=[
        Part(
            "answers",
            1,
            "what the model reads before it predicts",
            call_scorer,
            inputs=answers,
            hints=(
                "Print the inputs and the targets of the first window, one below the other.",
                "Where in its input does the model find the token that it has to predict?",
                "The first input is the start token, and the last token of the text is no input.",
            ),
        ),
        Part(
            "rest",
            1,
            "texts whose last window is not full",
            call_scorer,
            inputs=rests,
            hints=(
                "Try a text of five tokens and windows of four. Which tokens are scored?",
                "At which positions may a window begin? A slice may be shorter than it asks for.",
            ),
        ),
        Part(
            "characters",
            1,
            "tokens of several characters",
            call_scorer,
            inputs=long_tokens,
            hints=(
                "What is the unit of the number that is returned?",
                "How many characters has each token of the text? `lengths` says.",
                "Divide by the characters of all tokens of the text together.",
            ),
        ),
        Part(
            "together",
            3,
            "all of it at once",
            call_scorer,
            inputs=everything,
            hints=(
                "Mend the parts above first.",
                "Is every token of the text scored once, and is each of its characters counted once?",
                "A token without characters costs nats like any other.",
            ),
        ),
    ],
)
