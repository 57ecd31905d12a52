"""Question 11.5: Where learning overtakes counting."""

import torch
from autograder.authoring import Part, Question, sizes

LONG = [
    (5, (1, 8, 12, 16, 20, 24, 30, 40, 60)),
    (5, (2, 10, 14, 20, 28, 40)),
    (4, (1, 6, 9, 12, 16, 24, 32)),
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


def case_of(rng, n_train, n_test, vocab, steps, *, rate=(2.0, 6.0), unseen=0, accept=lambda case: True):
    """Texts of a random source, of which a case can be made that is accepted."""
    while True:
        source = torch.from_numpy(rng.random((vocab, vocab)) ** 4 + 0.02)
        case = {
            "train": torch.tensor(written(rng, source, 0, n_train)),
            "test": torch.tensor(written(rng, source, vocab - 1, n_test)),
            "vocab": vocab + unseen,
            "rate": float(rng.uniform(*rate)),
            "steps": steps,
        }
        if accept(case):
            return case


def drawn_steps(rng):
    return tuple(rng.integers(1, 8, int(rng.integers(1, 5))).cumsum().tolist())


def ordinary(rng):
    for shape in sizes(
        rng, n_train=(2, 50), n_test=(2, 50), vocab=(1, 7), far={"n_train": 130, "n_test": 130}
    ):
        yield case_of(rng, *shape, drawn_steps(rng))
    yield case_of(rng, 40, 60, 5, (1, 4), unseen=2)  # the vocabulary has two more tokens than the texts
    many = case_of(rng, 9, 7, 300, (1, 2))  # tokens whose numbers are no bytes
    many["train"][:3] = many["test"][:3] = torch.tensor([256, 299, int(rng.integers(257, 299))])
    yield many


def learning(rng):
    """Beside ordinary texts a slow and a long descent, and some with scores in the thousands."""
    yield from ordinary(rng)
    yield case_of(rng, 30, 20, 4, (1, 6), rate=(2e-4, 9e-4))
    yield case_of(rng, 150, 130, *LONG[0])
    for n_train, vocab, steps in FAST:
        yield case_of(rng, n_train, 130, vocab, steps, rate=(2e4, 6e4), accept=is_decided)


def races(rng):
    for vocab, steps in LONG:
        yield case_of(rng, int(rng.integers(130, 161)), 130, vocab, steps, accept=is_clear)
    yield case_of(rng, 25, 130, 6, (3,), accept=is_clear)
    yield swinging(rng)
    zeros = torch.zeros(9, dtype=torch.long)  # nothing to learn: both losses are 0, and neither is ahead
    yield {"train": zeros, "test": zeros[:5], "vocab": 1, "rate": 1.0, "steps": (1, 3)}


def is_decided(case):
    """Whether one score of each row is the largest after every step."""
    return not tied(case["train"].tolist(), case["vocab"], max(case["steps"]))


def is_clear(case):
    """Whether rounding cannot decide who is ahead."""
    found = measure(**case)
    return min(abs(nats - found["counting"]) for nats in found["learned"]) > 1e-4


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
        "measure: n_train is 1": "a text of one token has no pair",
        "measure: n_test is 1": "a text of one token has no pair",
        "measure: shifted where positive": "descent from zeros keeps the sum of a row at zero, so that "
        "its largest score is never negative",
    },
    reference={
        "measure": measure,
        "report": {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30},
    },
    clauses={
        "random source of 12 tokens": "the arguments of the run name it",
        "Work in float64 throughout": "single loses learned and what requires it",
        "your `next_token_loss` of 11.2": "it is allowed, not asked for",
        "five significant digits": ("reported losses", "report_two_digits"),
        "Texts have two tokens at least": "without a pair there is no mean",
        "All steps are at least 1": "what no step gives is not asked for",
        "so large that scores": "log_of_softmax loses learned and what requires it",
        "to which 1 is added": "add_half loses counting and what requires it",
        "(n_ab + 1) / (n_a + vocab)": "no_smoothing loses counting and what requires it",
        "-1 if there is none": "zero loses first and what requires it",
    },
    parts=[
        Part(
            "counting",
            1,
            "on small texts: the counts",
            call_measure,
            inputs=ordinary,
            rtol=1e-8,
            atol=1e-10,
            compare=("counting",),
            hints=(
                (
                    "Write down the table of the smallest case: how many pairs begin with each token, "
                    "what is added to them, and what does each row sum to?"
                ),
                "1 is added to every pair, so the vocabulary is added to every row's sum.",
            ),
        ),
        Part(
            "learned",
            2,
            "on small texts: the losses of the learned table",
            call_measure,
            inputs=learning,
            compare=("learned",),
            rtol=1e-8,
            atol=1e-10,
            hints=(
                "After no step the loss is ln vocab. What is it after one, and is it a float64 that "
                "comes out?",
                "The loss that is descended is that of the training text, its mean over all pairs.",
                "Does step 1 come before the first test, and does no step come twice?",
            ),
        ),
        Part(
            "first",
            1,
            "on small texts: where learning is ahead",
            call_measure,
            inputs=races,
            compare=("first",),
            requires=("counting", "learned"),
            hints=(
                (
                    "Go through the losses of the case from the first one on: after how many steps is "
                    "learning ahead, what counts as ahead, and what is returned if it never is?"
                ),
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
