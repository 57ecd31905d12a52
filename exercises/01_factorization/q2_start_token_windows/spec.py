"""Question 01.2: Windows with start tokens."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import tokens_of


def short_histories(rng):
    """Histories that fit into the sequence; the first two have one shape and one start token."""
    start = int(rng.integers(10, 20))
    for batch, history, more in sizes(rng, batch=4, history=6, more=(0, 4), far={"more": 110}):
        tokens = tokens_of(rng, 10, batch, history + more)
        yield {"tokens": tokens, "history": history, "start": start}
    yield {"tokens": tokens_of(rng, 10, 3, 1), "history": 1, "start": start}
    yield {"tokens": 1 + tokens_of(rng, 9, 2, 4), "history": 2, "start": 0}
    size = int(rng.integers(2, 5))
    yield {"tokens": 5 + tokens_of(rng, 5, size, size), "history": size, "start": size}
    yield {"tokens": tokens_of(rng, 50_000, 2, 30), "history": 3, "start": 50_000 + start}


def edge_histories(rng):
    """Histories longer than the sequence, none, and one of one token; each has a start token of its own."""
    shapes = [
        (batch, time, time + more)
        for batch, time, more in sizes(rng, batch=4, time=5, more=4, far={"more": 260})
    ]
    batch, time = (int(size) for size in rng.integers(2, 5, 2))
    shapes += [(batch, time, 0), (1, 1, 0), (batch, time, 1), (1, 1, 1)]
    for number, (batch, time, history) in enumerate(shapes):
        yield {"tokens": tokens_of(rng, 10, batch, time), "history": history, "start": number}


def call_windows(student, inputs):
    windows = student.history_windows(inputs["tokens"], inputs["history"], inputs["start"])
    # an embedding takes whole numbers only
    return {"windows": windows, "floating point": torch.as_tensor(windows).is_floating_point()}


def call_full_windows(student, inputs):
    """The windows that need no start token, without their order."""
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    if windows.shape != (*inputs["tokens"].shape, inputs["history"]):
        return {"shape": list(windows.shape)}
    full = windows[:, inputs["history"] :]
    return {"shape": list(windows.shape), "full windows, sorted": full.sort(-1).values}


def call_starts(student, inputs):
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    if windows.shape != (*inputs["tokens"].shape, inputs["history"]):
        return {"shape": list(windows.shape)}
    return {"shape": list(windows.shape), "start tokens in each window": (windows == inputs["start"]).sum(-1)}


def call_sorted_windows(student, inputs):
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    return {"windows, sorted": windows.sort(-1).values if windows.ndim else windows}


def history_windows(tokens, history, start):
    batch, time = tokens.shape
    padded = torch.cat([torch.full((batch, history), start), tokens], 1)
    return padded[:, torch.arange(time)[:, None] + torch.arange(history)]


QUESTION = Question(
    id="01.2",
    title="Windows with start tokens",
    kind="implement",
    difficulty=2,
    minutes=15,
    reference={"history_windows": history_windows},
    clauses={
        "may be longer than the sequence, or zero": ("edges", "short"),
        "at least one token": "a promise: no empty sequence is asked for",
        "how many tokens a window holds": ("edges", "cut_at_128"),
        "start:   a whole number": ("windows", "float"),
    },
    parts=[
        Part(
            "tokens",
            1,
            "a window that needs no start token holds the tokens before its own, in any order",
            call_full_windows,
            inputs=short_histories,
            hints=(
                "Take the tokens 1, 2, 3, 4, 5 and a history of 2, and write down the window of the fourth.",
                "x_t itself is what the window predicts: it must not be in it.",
                "In a sequence padded in front with `history` tokens, x_t stands at t + history. Where "
                "does its window begin and end?",
            ),
        ),
        Part(
            "start",
            1,
            "the first windows are filled up with start tokens",
            call_starts,
            inputs=short_histories,
            hints=(
                "How many tokens are there before the first one, and so how many start tokens are in "
                "its window?",
                "The window of x_t (t from 0) holds t tokens of the sequence as long as t is less than "
                "`history`.",
                "What fills it up is the argument `start`, which is no token of the sequence.",
            ),
        ),
        Part(
            "windows",
            1,
            "each window in order, the oldest token first",
            call_windows,
            inputs=short_histories,
            hints=(
                "Compare one window with the sequence: which token is its last?",
                "The oldest token comes first, so start tokens stand in front.",
            ),
        ),
        Part(
            "edges",
            1,
            "a history of zero, of one, or longer than the sequence (in any order)",
            call_sorted_windows,
            inputs=edge_histories,
            hints=(
                "Print the shape for history = 0 and for a history longer than the sequence. It should "
                "be (batch, time, history) always.",
                "Pad with as many start tokens as the history is long, whatever the length of the sequence.",
            ),
        ),
    ],
)
