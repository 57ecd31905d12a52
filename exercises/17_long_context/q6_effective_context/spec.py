"""Question 17.6: An effective context."""

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes


def small_texts(rng):
    """Readers of the last words, of all words with their places, and of the first word."""
    for number, (n, time) in enumerate(sizes(rng, n=9, time=8, far={"time": 110})):
        lengths = sorted({int(k) for k in rng.integers(1, time + 1, 4)} | {time})
        yield {
            "texts": torch.from_numpy(rng.integers(0, 5, (n, time))),
            "answers": torch.from_numpy(rng.integers(0, 3, n)),
            "kept": lengths,
            "reads": (time, 2, time, 1, 3)[number % 5],
            "first": 0,
        }
    # Were all answers right, the text before would do as well: the pairs of neighbors are the same.
    yield with_answers(rng.integers(0, 5, (40, 8)), 8, 20) | {"kept": list(range(1, 9))}
    yield far_back(rng)


def far_back(rng):
    """Tokens, answers and lengths beyond 256."""
    texts = rng.integers(0, 1000, (12, 300))
    weights = np.where(np.arange(300) >= 150, np.arange(300) + 1, 0)
    answers = (texts * weights).sum(1) % 3 + 300
    return {
        "texts": torch.from_numpy(texts),
        "answers": torch.from_numpy(answers),
        "kept": [20, 140, 260, 300],
        "reads": 150,
        "first": 300,
    }


def known_answers(rng):
    """The answers are what the reader says of most whole texts."""
    for reads in (1, 2, 3, 4, 6, 8):
        yield with_answers(rng.integers(0, 5, (12, 8)), reads, 4)
    yield with_answers(rng.integers(0, 5, (12, 8)), 2, 0)
    for _ in range(2):
        yield with_answers(falling(rng), 8, 4)
        yield with_answers(nearly(rng), 8, 11)


def with_answers(texts, reads, wrong):
    weights = np.where(np.arange(8) >= 8 - reads, np.arange(8) + 1, 0)
    answers = (texts * weights).sum(1) % 3
    answers[:wrong] = (answers[:wrong] + 1) % 3
    return {
        "texts": torch.from_numpy(texts),
        "answers": torch.from_numpy(answers),
        "kept": [1, 2, 3, 4, 6, 8],
        "reads": reads,
        "first": 0,
    }


def falling(rng):
    """With two and three words kept all is as for the whole text, with four nothing."""
    texts = rng.integers(0, 3, (12, 8))
    first_four = (texts[:, 1:4] * [2, 3, 4]).sum(1)
    texts[:, 0] = (np.arange(12) - first_four) % 3  # of the first four words: 0, 1, 2, 0, ...
    texts[:, 4] = (np.arange(12) + texts[:, 5] * 6) % 3  # weighs 5, so that of the first six: 0
    return texts


def nearly(rng):
    """One text of thirty differs in its first words from the others, so two shares of thirty are lost."""
    texts = rng.integers(0, 3, (30, 8))
    texts[:, :6] = 0
    texts[15, 0] = 1
    return texts


def call_measure(student, inputs):
    reads, first = inputs["reads"], inputs["first"]

    def predict(tokens):
        tokens = [int(token) for token in tokens]
        unread = len(tokens) - reads
        said = sum((place + 1) * token for place, token in enumerate(tokens) if place >= unread)
        return first + said % 3

    return dict(student.measure(predict, inputs["texts"], inputs["answers"], list(inputs["kept"])))


def measure(predict, texts, answers, kept):
    n, time = texts.shape
    right = []
    for length in kept:
        good = 0
        for row in range(n):
            mixed = torch.cat([texts[(row + 1) % n, : time - length], texts[row, time - length :]])
            good += int(predict(mixed)) == int(answers[row])
        right.append(good / n)
    enough = [length for place, length in enumerate(kept) if min(right[place:]) >= 0.8 * right[-1] - 1e-12]
    return {"right": right, "effective": enough[0]}


def give_right(student, inputs):
    return {"right": student.report["right"]}


def give_effective(student, inputs):
    return {"effective": student.report["effective"]}


QUESTION = Question(
    id="17.6",
    title="An effective context",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {
            "right": [0.625, 0.825, 0.725, 0.9, 0.9, 0.9, 1.0, 1.0],
            "effective": 20,
        },
    },
    clauses={
        "at least four fifths": "effective, and the report that rests on it: `four_fifths` loses both",
        "the last is the whole text": "every list of lengths ends so",
        "votes": "given code",
    },
    parts=[
        Part(
            "right",
            2,
            "on small texts: the share that is right for each number of words kept",
            call_measure,
            inputs=small_texts,
            compare=("right",),
            hints=(
                "How long is the text that the model reads, if only two words are kept?",
                "The words before those that are kept come from the next text, at the same places. "
                "After the last text comes the first.",
            ),
        ),
        Part(
            "effective",
            2,
            "on small texts: the effective context",
            call_measure,
            inputs=known_answers,
            compare=("effective",),
            requires=("right",),
            hints=(
                "Compare with the share at the whole text. Is the comparison to a share of it, or to 1?",
                "A share that is high once and falls again does not count: all later ones must be high too.",
            ),
        ),
        Part(
            "reported shares",
            1,
            "your run: the shares",
            give_right,
            conceal=True,
            digits=4,
            requires=("right",),
            hints=(
                "Is it what measure gives for vote on the given texts?",
                "Copy the whole list, in the order of the lengths.",
            ),
        ),
        Part(
            "reported context",
            1,
            "your run: the effective context",
            give_effective,
            conceal=True,
            digits=4,
            requires=("right", "effective"),
            hints=(
                "Does it come from the same call as the shares?",
                "It is one of the lengths that were tried.",
            ),
        ),
    ],
)
