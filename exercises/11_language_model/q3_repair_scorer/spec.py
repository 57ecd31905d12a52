"""Question 11.3: Repair a scorer."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import one_of


def text_of(rng, tokens, context, vocab, *, same_length=False, scale=2.0):
    """A text, and a model that averages what its window holds; at scale 0 it reads nothing."""
    stream = one_of(rng, vocab, tokens)
    return {
        "stream": stream,
        "lengths": torch.ones(vocab, dtype=torch.long) if same_length else 1 + one_of(rng, 6, vocab),
        "context": context,
        "start": (int(stream[-1]) + 1) % vocab,
        "rows": scale * normal(rng, vocab, 3),
        "columns": normal(rng, 3, vocab),
        "bias": normal(rng, vocab),
    }


def windows(rng, *, whole, same_length, scale, far=None):
    """Texts of several windows, of which the last is full or not."""
    for count, context, vocab in sizes(rng, windows=4, context=(1, 6), vocab=7, far=far):
        tokens = count * context
        if not whole and context > 1:
            tokens = max(2, tokens - int(rng.integers(1, context)))
        yield text_of(rng, tokens, context, vocab, same_length=same_length, scale=scale)


def answers(rng):
    """Only the shift decides: whole windows, characters as tokens."""
    yield from windows(rng, whole=True, same_length=True, scale=2.0)
    many = text_of(rng, 6, 3, 300 + int(rng.integers(20)), same_length=True)  # tokens that are no bytes
    many["stream"][:3] = torch.tensor([256, 299, int(rng.integers(257, 299))])
    yield {**many, "start": 260 + int(rng.integers(30))}


def rests(rng):
    """Only the last window decides: the model predicts the same everywhere."""
    return windows(rng, whole=False, same_length=True, scale=0.0, far={"windows": 50})


def long_tokens(rng):
    """Only the characters of the tokens decide."""
    for case in windows(rng, whole=True, same_length=False, scale=0.0):
        case["lengths"][case["stream"][-1]] = case["lengths"][case["start"]] + 1 + int(rng.integers(300))
        yield case


def everything(rng):
    for tokens, context, vocab in sizes(
        rng, tokens=9, context=6, vocab=7, far={"tokens": 110, "context": 110}
    ):
        yield text_of(rng, tokens, context, vocab)
    for tokens, start in ((3, 1), (3, 3), (5, 2)):  # as many as there are tokens, and as a window has
        yield {**text_of(rng, tokens, 2, 7), "start": start}
    for context in rng.permutation([3, 4, 5])[:2].tolist():
        case = text_of(rng, 2 * context + 1, context, 8)
        case["stream"][0] = 7  # a token without characters
        case["lengths"][7] = 0
        yield case
        yield {
            **case,
            "lengths": 2000 * (case["stream"][-1] == torch.arange(8)),
        }  # windows without characters
    for same_length, scale in ((False, 10.0), (True, 300.0)):
        for context in rng.permutation([2, 3, 4])[:2].tolist():
            case = text_of(rng, 3 * context - 1, context, 5, same_length=same_length, scale=scale)
            case["columns"][0] = 1.0
            case["rows"][:, 0] = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], 5)).float()
            yield case


def call_scorer(student, inputs):
    def logits(tokens):
        given, most = f"{str(tokens.dtype).removeprefix('torch.')} {tuple(tokens.shape)}", inputs["context"]
        if tokens.dtype != torch.long or tokens.dim() != 2 or len(tokens) != 1:
            raise ValueError(f"logits is a function of a long tensor (1, time); it was given {given}")
        if not 1 <= tokens.shape[1] <= most:
            raise ValueError(f"a window has 1 to {most} tokens here; logits was given {given}")
        read = inputs["rows"][tokens].cumsum(dim=1) / torch.arange(1, 1 + tokens.shape[1])[:, None]
        return inputs["bias"] + read @ inputs["columns"]

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
    exempt={"nats_per_character: vocab and start agree": "the start token is one of the vocabulary"},
    clauses={
        "a function of a long tensor": "call_scorer refuses other shapes, and says so",
        "Three things are wrong": "one part for each of them",
        "none gives an error": "it is said of the code that is given",
        "at least one token and one character": ("together", "one_token_free"),
        "Scores may be in the thousands": ("together", "log_of_softmax"),
        "token may have none": ("together", "no_score_without_characters"),
    },
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
                "Here a text may be one token, shorter than a window, or have tokens without characters, and "
                "scores may be in the thousands. Which of these is the case that is named?",
                "Every token of the text is scored once, whatever its characters are, from what its window "
                "holds before it.",
                "All nats are added up first and divided by all characters afterwards. A softmax that is "
                "rounded to 0 has no logarithm.",
            ),
        ),
    ],
)
