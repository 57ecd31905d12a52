"""Question 11.5: Where learning overtakes counting."""

import torch
from autograder.authoring import Part, Question

PAIRS = [
    (30, 4, (1, 2, 5)),
    (60, 5, (2, 7, 20)),
    (12, 3, (1, 30)),
    (25, 6, (3,)),
    (40, 5, (1, 4)),
    (150, 6, (1, 8, 12, 16, 20, 24, 30, 40, 60)),
    (160, 5, (2, 10, 14, 20, 28, 40)),
    (130, 4, (1, 6, 9, 12, 16, 24, 32)),
]
FAST = [(40, 4, (1, 2)), (120, 5, (1,)), (30, 3, (1, 2))]


def tied(text, vocab, steps):
    """Whether a row's two largest scores are equal after a step at a huge rate: rounding would decide."""
    counts = torch.zeros(vocab, vocab)
    counts.index_put_((torch.tensor(text[:-1]), torch.tensor(text[1:])), torch.tensor(1.0), accumulate=True)
    counts = counts[counts.sum(1) > 0]
    scores = torch.zeros_like(counts)
    for step in range(steps):
        sure = torch.nn.functional.one_hot(scores.argmax(1), vocab) if step else 1 / vocab
        scores = scores + counts - counts.sum(1, keepdim=True) * sure
        first, second = scores.topk(2).values.T
        if torch.any(first - second < 0.25):
            return True
    return False


def written(rng, source, first, size):
    """A text of a source of pairs."""
    text = [first]
    while len(text) < size:
        row = source[text[-1]].numpy()
        text.append(int(rng.choice(len(row), p=row / row.sum())))
    return text


def pairs(rng):
    """Short texts of a random source; the last few with scores in the thousands."""
    for tokens, vocab, steps in PAIRS + FAST:
        source = torch.from_numpy(rng.random((vocab, vocab)) ** 4 + 0.02)
        unseen = (tokens, vocab) == (40, 5)  # the vocabulary has two more tokens than the texts
        fast = (tokens, vocab, steps) in FAST

        train, test = written(rng, source, 0, tokens), written(rng, source, 1, 130)
        while fast and tied(train, vocab, max(steps)):
            train = written(rng, source, 0, tokens)
        yield {
            "train": torch.tensor(train),
            "test": torch.tensor(test),
            "vocab": vocab + 2 * unseen,
            "rate": float(rng.uniform(2e4, 6e4) if fast else rng.uniform(2.0, 6.0)),
            "steps": steps,
        }
    yield swinging(rng)
    zeros = torch.zeros(9, dtype=torch.long)  # nothing to learn: both losses are 0, and neither is ahead
    yield {"train": zeros, "test": zeros[:5], "vocab": 1, "rate": 1.0, "steps": (1, 3)}


def swinging(rng):
    """Texts on which learning overtakes counting, falls back and overtakes it again, by a clear margin."""
    while True:
        source = torch.from_numpy(rng.random((3, 3)) ** 4 + 0.02)
        case = {
            "train": torch.tensor(written(rng, source, 0, 100)),
            "test": torch.tensor(written(rng, source, 1, 130)),
            "vocab": 3,
            "rate": float(rng.uniform(8.0, 15.0)),
            "steps": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        }
        found = measure(**case)
        behind = [nats - found["counting"] for nats in found["learned"]]
        signs = "".join("+" if nats > 0 else "-" for nats in behind)
        if min(map(abs, behind)) > 1e-3 and "-" in signs.partition("-")[2].partition("+")[2]:
            return case


def call_measure(student, inputs):
    names = ("train", "test", "vocab", "rate", "steps")
    return dict(student.measure(*(inputs[name] for name in names)))


def give_losses(student, inputs):
    return {name: student.report[name] for name in ("counting", "best", "last")}


def give_first(student, inputs):
    return {"first": student.report["first"]}


def measure(train, test, vocab, rate, steps):
    counts = torch.zeros(vocab, vocab, dtype=torch.float64)
    for a, b in zip(train.tolist(), train.tolist()[1:]):
        counts[a, b] += 1
    smooth = (counts + 1) / (counts.sum(1, keepdim=True) + vocab)
    before, after = test[:-1], test[1:]
    counting = float(-smooth[before, after].log().mean())
    total, W, learned = counts.sum(), torch.zeros_like(counts), []
    for step in range(1, max(steps) + 1):
        error = counts.sum(1, keepdim=True) * W.softmax(1) - counts
        W = W - rate * error / total
        if step in steps:
            learned.append(float(-W.log_softmax(1)[before, after].mean()))
    first = next((step for step, nats in zip(steps, learned) if nats < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


QUESTION = Question(
    id="11.5",
    title="Where learning overtakes counting",
    kind="experiment",
    difficulty=4,
    minutes=25,
    needs=("11.2",),
    exempt={
        "measure: shifted where positive": "descent from zeros keeps the sum of a row at zero, so that "
        "its largest score is never negative",
    },
    reference={
        "measure": measure,
        "report": {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30},
    },
    parts=[
        Part(
            "counting",
            1,
            "on small texts: the counts",
            call_measure,
            inputs=pairs,
            compare=("counting",),
            hints=(
                "Count the pairs of the training text, and score the pairs of the test text.",
                "1 is added to every pair, so the vocabulary is added to every row's sum.",
            ),
        ),
        Part(
            "learned",
            2,
            "on small texts: the losses of the learned table",
            call_measure,
            inputs=pairs,
            compare=("learned",),
            rtol=1e-3,
            hints=(
                "After no step the loss is ln vocab. What is it after one?",
                "The loss that is descended is that of the training text, its mean over all pairs.",
                "Does step 1 come before the first test, and does no step come twice?",
            ),
        ),
        Part(
            "first",
            1,
            "on small texts: where learning is ahead",
            call_measure,
            inputs=pairs,
            compare=("first",),
            requires=("counting", "learned"),
            hints=(
                "It is a number of steps, not a place in the list, and there may be none.",
                "Where learning is never ahead, it is -1.",
            ),
        ),
        Part(
            "reported losses",
            1,
            "your run: counting, and learning at its best and at last",
            give_losses,
            conceal=True,
            digits=4,
            requires=("counting", "learned"),
            hints=(
                "Are the arguments those of the text, and is the second text the one that is scored?",
                "`best` is the least of the list, `last` its last entry. Give five digits or more.",
            ),
        ),
        Part(
            "reported first",
            1,
            "your run: where learning overtakes counting",
            give_first,
            conceal=True,
            digits=4,
            requires=("first",),
            hints=(
                "It is one of the numbers of steps that you asked for.",
                "Copy `first` from the dict.",
            ),
        ),
    ],
)
