"""Question 13.1: The shifted target."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def targets_of(rng, lengths, most=100):
    """Tokens from 2 to 99, or below another number."""
    return [rng.integers(2, most, n).tolist() for n in lengths]


def equal_lengths(rng):
    for batch, time in sizes(rng, batch=4, time=(2, 6)):
        yield {"targets": targets_of(rng, (time - 1,) * batch), "start": 0, "end": 1, "ignored": -100}


def mixed_lengths(rng):
    for batch, time in sizes(rng, batch=(2, 5), time=(3, 7), far={"batch": 100, "time": 110}):
        lengths = rng.integers(1, time, batch)
        lengths[rng.permutation(batch)[:2]] = 1, time - 1
        yield {"targets": targets_of(rng, lengths, 1000), "start": 0, "end": 1, "ignored": -100}
    # the number for what the loss leaves out may be that of a token, the start or the end token included
    for start, end, ignored in [(1, 0, -1), (0, 0, -100), (301, 402, -7), (1, 2, 0), (0, 1, 0), (3, 1, 1)]:
        lengths = rng.permutation(5)[:3] + 1
        yield {"targets": targets_of(rng, lengths), "start": start, "end": end, "ignored": ignored}
    targets = targets_of(rng, (3, 1, 5))
    targets[0][1] = 300
    yield {"targets": targets, "start": 0, "end": 1, "ignored": 300}
    # 0 and 1 may be words like any other
    targets = [[*rng.integers(0, 3, n).tolist(), 0] for n in rng.permutation(4)[:3]]
    yield {"targets": targets, "start": 101, "end": 102, "ignored": -7}
    # so may the start and the end, first, last and within
    for start, end in [(0, 1), (7, 5), (3, 3)]:
        words = targets_of(rng, rng.permutation(4) + 1)
        targets = [[start, *words[0]], [*words[1], end], [*words[2], end, *words[3]], [end, *words[3], start]]
        yield {
            "targets": [targets[i] for i in rng.permutation(4)],
            "start": start,
            "end": end,
            "ignored": -100,
        }


def with_empty(rng):
    for lengths in [(0, whole(rng, 2, 6)), (0,), (2, 0, 0, whole(rng, 3, 6)), (0,) * whole(rng, 2, 5)]:
        yield {"targets": targets_of(rng, lengths), "start": 0, "end": 1, "ignored": -100}


def call_shift(student, inputs):
    read, write = student.shift(**inputs)
    for name, tokens in (("read", read), ("written", write)):
        given = torch.as_tensor(tokens).dtype  # a list of whole numbers has this kind too
        if given != torch.int64:
            raise ValueError(f"what is {name} should be a long tensor; its dtype is {given}")
    return {"read": read, "write": write}


def shift(targets, start, end, ignored):
    time = 1 + max(map(len, targets))
    read = [[start, *t] + [end] * (time - 1 - len(t)) for t in targets]
    write = [[*t, end] + [ignored] * (time - 1 - len(t)) for t in targets]
    return torch.tensor(read), torch.tensor(write)


QUESTION = Question(
    id="13.1",
    title="The shifted target",
    kind="implement",
    difficulty=1,
    minutes=15,
    reference={"shift": shift},
    clauses={
        "targets of different lengths": ("mixed lengths", "minus_100"),
        "No column may be padding": ("empty", "two_columns"),
        "A target may be empty": ("empty", "empty_left_out"),
        "may be equal to one another": ("mixed lengths", "ends_as_padding"),
        "list of lists of whole numbers": ("mixed lengths", "bytes"),
        "ignored: whole numbers": ("mixed lengths", "minus_100"),
        "returns: two long tensors": "an answer of another dtype stops with an error that says so",
    },
    parts=[
        Part(
            "equal lengths",
            1,
            "targets of one length, where nothing is filled up",
            call_shift,
            inputs=equal_lengths,
            hints=(
                "Write down both rows for the target (5, 7). How long are they?",
                "Each has one token more than the target: one begins with it, the other ends with it.",
            ),
        ),
        Part(
            "mixed lengths",
            2,
            "targets of different lengths, with any start, end and ignored",
            call_shift,
            inputs=mixed_lengths,
            hints=(
                "Look at the last columns of a short row. What should stand in each of the two matrices?",
                "Where the loss looks, padding must be `ignored`; what is read must be a token.",
                "The end token of a short row stands right behind its target, not in the last column.",
            ),
        ),
        Part(
            "empty",
            1,
            "empty targets, alone and among others",
            call_shift,
            inputs=with_empty,
            hints=(
                "What does a decoder read and write whose target has no words?",
                "It reads the start token and writes the end token: there is always at least one column.",
            ),
        ),
    ],
)
