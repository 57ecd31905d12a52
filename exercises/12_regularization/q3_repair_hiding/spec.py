"""Question 12.3: Repair the hiding."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import normal


def lookups(rng, *, words, rows, training=True, shapes=None, **far):
    """The table's numbers are ordinary, small or large in turn."""
    for n, (vocab, width, batch, time) in enumerate(
        shapes or sizes(rng, vocab=(1, 7), width=5, batch=4, time=6, far=far)
    ):
        rate = float(rng.uniform(0.1, 0.7)) if rows else 0.0
        row_mask = torch.from_numpy((rng.random(vocab) > 0.4).astype(float))
        row_mask[0], row_mask[-1] = 0.0, 1.0
        word_mask = torch.from_numpy((rng.random((batch, time)) > 0.4).astype(float))
        word_mask[0, 0], word_mask[-1, -1] = 1.0, 0.0 if batch * time > 1 else 1.0
        tokens = torch.from_numpy(rng.integers(0, vocab, (batch, time)))
        tokens[0, 0] = vocab - 1
        yield {
            "table": (1.0, 1e-3, 100.0)[n % 3] * normal(rng, vocab, width),
            "tokens": tokens,
            "word_mask": word_mask if words else torch.ones_like(word_mask),
            "row_mask": row_mask if rows else torch.ones_like(row_mask),
            "row_rate": rate,
            "training": training,
        }


def in_use(rng):
    yield from lookups(rng, words=True, rows=True, training=False)


def words_alone(rng):
    yield from lookups(rng, words=True, rows=False)
    for case in lookups(rng, words=True, rows=False, shapes=[(5, 3, 2, 110 + int(rng.integers(10)))]):
        case["word_mask"][0, 100:104] = torch.tensor([0.0, 1.0, 0.0, 0.0])
        yield case


def rows_alone(rng):
    yield from lookups(rng, words=False, rows=True)
    for case in lookups(
        rng, words=False, rows=True, shapes=[(5, 3, 2, 6), (300 + int(rng.integers(20)), 2, 2, 4)]
    ):
        yield {**case, "row_rate": 0.999}  # rows are scaled by a thousand
    for case in lookups(rng, words=False, rows=True, shapes=[(6, 3, 2, 5)] * 2):
        case["tokens"][1, :2] = torch.tensor([0, 5])  # one that is hidden, one that is not
        yield {**case, "row_rate": 0.0}


def words_and_rows(rng):
    yield from lookups(rng, words=True, rows=True)


def hidden_or_not(rng):
    yield from lookups(rng, words=True, rows=True, batch=100)
    yield from [*in_use(rng)][1:4]


def call_hide(student, inputs):
    return {"vectors": student.hide(**inputs)}


def call_hide_gradient(student, inputs):
    inputs = dict(inputs)
    table = inputs.pop("table").clone().requires_grad_()
    vectors = student.hide(table, **inputs)
    upstream = torch.cos(torch.arange(vectors.numel()) + 1.0).reshape(vectors.shape)
    if vectors.requires_grad:
        (vectors * upstream).sum().backward()
    return {"gradient": torch.zeros_like(table) if table.grad is None else table.grad}


def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if not training:
        return table[tokens]
    scaled = table * (row_mask / (1 - row_rate)).unsqueeze(1)
    return scaled[tokens] * word_mask.unsqueeze(-1)


QUESTION = Question(
    id="12.3",
    title="Repair the hiding",
    kind="repair",
    difficulty=3,
    minutes=20,
    reference={"hide": hide},
    exempt={
        f"hide: {mask} {effect}": "a mask holds 0 and 1 alone"
        for mask in ("word_mask", "row_mask")
        for effect in ("below a thousandth is 0", "clipped at 10")
    },
    clauses={
        "by masks that are given": "inverted loses every part of the training",
        "hides the words where `word_mask` is 0": ("words", "first_hundred"),
        "scales the others by $1/(1-r)$": ("rows", "epsilon_in_divisor"),
        "the tokens whose `row_mask` is 0": ("rows", "wrapped"),
        "Outside training nothing is hidden": "training_last loses in use and gradient",
        "has three mistakes": "a part for each of them",
        "word_mask: float tensor": "the docstring repeats the text",
        "row_mask:  float tensor": "the docstring repeats the text",
        "at rate 0 as well": ("rows", "nothing_at_rate_0"),
        "at least 0 and below 1": ("rows", "epsilon_in_divisor"),
        "False where nothing is to be hidden": ("gradient", "detached_in_use"),
    },
    parts=[
        Part(
            "in use",
            1,
            "outside training",
            call_hide,
            inputs=in_use,
            atol=1e-9,
            hints=(
                (
                    "What should become of the vectors outside training, and what does in the case that "
                    "is named?"
                ),
                "Look at what has happened before the function looks at `training`.",
            ),
        ),
        Part(
            "words",
            1,
            "input dropout alone",
            call_hide,
            inputs=words_alone,
            atol=1e-9,
            hints=(
                "Compare a word that is kept with its row of the table.",
                "A missing word leaves the others as they are.",
            ),
        ),
        Part(
            "rows",
            1,
            "dropout of rows alone",
            call_hide,
            inputs=rows_alone,
            atol=1e-9,
            hints=(
                (
                    "Take one word of the case that is named. Which entry of `row_mask` belongs to it, "
                    "and by which factor is it scaled if it is kept?"
                ),
                "With the right factor the mean over masks is the row itself.",
            ),
        ),
        Part(
            "both",
            1,
            "words and rows",
            call_hide,
            inputs=words_and_rows,
            atol=1e-9,
            hints=(
                "Take a word that both masks keep, one that either of them hides, and one that both "
                "hide. What "
                "should become of each, and what does?",
                "A word must be kept by both masks.",
            ),
        ),
        Part(
            "gradient",
            1,
            "the gradient for the table",
            call_hide_gradient,
            inputs=hidden_or_not,
            hints=(
                "On which rows of the table does the result depend, and by which factors?",
                "The table is trained through what is returned.",
                "Outside training, too, the table has its gradient.",
            ),
        ),
    ],
)
