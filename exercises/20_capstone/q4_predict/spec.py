"""Question 20.4: Predict it first."""

import numpy as np
from autograder.authoring import Part, Question, sizes


def drawn(rng, n, vocab):
    """So many tokens from a random source."""
    source = np.exp(2 * rng.standard_normal((vocab, vocab))).cumsum(axis=1)
    source /= source[:, -1:]
    tokens = [int(rng.integers(vocab))]
    for draw in rng.random(n - 1):
        tokens.append(min(vocab - 1, int((source[tokens[-1]] < draw).sum())))
    return np.array(tokens)


def case_of(rng, rungs, vocab, n_test, first=None, unseen=0):
    at = np.unique(
        np.geomspace(first or int(rng.integers(8, 15)), int(rng.integers(300, 500)), rungs).astype(int)
    )
    tokens = drawn(rng, int(at[-1]) + int(rng.integers(0, 4)) + n_test, vocab)
    case = {
        "train": tokens[:-n_test],
        "test": tokens[-n_test:],
        "vocab": vocab + unseen,
        "sizes": at.tolist(),
        "floor": 0.0,
    }
    lowest = min(measure(**case, is_fitted=False)["losses"][:-1])
    return {**case, "floor": lowest - float(rng.uniform(0.05, 0.5))}


def ladders(rng):
    for rungs, vocab, n_test in sizes(rng, rungs=(3, 7), vocab=(2, 8), n_test=(9, 60), far={"n_test": 130}):
        yield case_of(rng, rungs, vocab, n_test)
    yield case_of(rng, 4, 5, 40, first=2)
    yield case_of(rng, 5, 4, 50, unseen=3)
    yield case_of(rng, 4, 300, 40)
    (short,) = [case_of(rng, 4, 3, 30)]
    yield {**short, "test": short["test"][:2], "floor": -0.5}
    yield {**short, "floor": -2.0}
    yield case_of(rng, 4, 1, 30)
    yield all_equal(rng, int(rng.integers(12, 20)))


def all_equal(rng, size):
    """As many tokens to learn from as to test on, and as many in the vocabulary."""
    tokens = drawn(rng, 2 * size, size)
    case = {"train": tokens[:size], "test": tokens[size:], "vocab": size}
    return {**case, "sizes": [3, 7, size], "floor": float(rng.uniform(0.1, 0.3))}


def call_measure(student, inputs):
    return dict(student.measure(**inputs))


def measure(train, test, vocab, sizes, floor, is_fitted=True):
    losses = []
    for size in sizes:
        counts = {}
        for a, b in zip(train[: size - 1].tolist(), train[1:size].tolist()):
            counts[a, b] = counts.get((a, b), 0) + 1
        rows = np.full(vocab, float(vocab))
        for (a, _), n in counts.items():
            rows[a] += n
        pairs = zip(test[:-1].tolist(), test[1:].tolist())
        losses.append(float(np.mean([-np.log((counts.get(ab, 0) + 1) / rows[ab[0]]) for ab in pairs])))
    if not is_fitted:
        return {"losses": losses}
    x, y = np.log(sizes[:-1]), np.log(np.array(losses[:-1]) - floor)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    predicted = float(floor + np.exp(y.mean() + slope * (np.log(sizes[-1]) - x.mean())))
    return {"losses": losses, "predicted": predicted, "error": losses[-1] - predicted}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("measured", "predicted", "error")}


EXACT = {"rtol": 1e-7, "atol": 1e-9}
QUESTION = Question(
    id="20.4",
    title="Predict it first",
    kind="experiment",
    difficulty=4,
    minutes=35,
    needs=("20.2",),
    reference={
        "measure": measure,
        "report": {
            "measured": 1.7082355967529335,
            "predicted": 1.7090585463081827,
            "error": -0.0008229495552491972,
        },
    },
    exempt={
        "n_train is 1": "the text says that there are at least three sizes, the first at least 2",
        "n_test is 1": "one token has no pair, so there is no mean",
        "extreme exponents": "a softmax of logarithms of these probabilities has no large exponents",
    },
    clauses={
        "random source of 12 tokens": "the arguments of the run name it",
        "the least loss that any model can have": "it says what the floor of the run is",
        "at least three": "three rungs are among the cases",
        "six significant digits": "the comparison takes five digits",
        "nats per pair of the test": "losses in bits lose what follows from the losses as well",
        "at most n_train, the first at least 2": "a first rung of one pair is a case",
        "from question 20.2": "it says what an answer may use",
        "adds 1 to each count": "add_half loses what follows from the losses as well",
        "to all sizes but the last": "a fit to all sizes loses what follows from it as well",
    },
    parts=[
        Part(
            "losses",
            3,
            "on small texts: the loss at every size",
            call_measure,
            inputs=ladders,
            compare=("losses",),
            **EXACT,
            hints=(
                "How many pairs have the first n tokens, and how many of them begin with each token?",
                "Every pair counts once more than it occurs, so a row's sum grows by the vocabulary.",
            ),
        ),
        Part(
            "predicted",
            3,
            "on small texts: the law's loss at the last size",
            call_measure,
            inputs=ladders,
            compare=("predicted",),
            **EXACT,
            hints=(
                "Which rungs is the line fitted to, and in which coordinates is it a line?",
                "Take the floor off before the logarithm, and put it back after the exponential.",
                "Least squares in logarithms: every rung but the last counts alike.",
            ),
        ),
        Part(
            "error",
            1,
            "on small texts: by how much the prediction is missed",
            call_measure,
            inputs=ladders,
            compare=("error",),
            **EXACT,
            requires=("losses", "predicted"),
            hints=(
                "What is subtracted from what?",
                "A loss that is higher than predicted has an error above 0.",
            ),
        ),
        Part(
            "report",
            2,
            "your run",
            give_report,
            conceal=True,
            digits=5,
            requires=("losses", "predicted", "error"),
            hints=(
                "Are the sizes those of the text, with 16,000 last, and is `floor` the one of the cell?",
                "Copy the three numbers with six digits.",
            ),
        ),
    ],
)
