"""Question 08.5: Measure a cheat."""

import numpy as np
from autograder.authoring import Part, Question, sizes


def small_series(rng):
    """Series of every length, many of them too; tiny and large weights and numbers."""
    units = [(1.0, 1.0), (30.0, 30.0), (1e-4, 1.0), (1.0, 1e-3)]
    for number, (n, time) in enumerate(sizes(rng, n=7, time=6, far={"n": 105})):
        of_weights, of_x = units[number % len(units)]
        yield {
            "weights": of_weights * rng.standard_normal((time, time)),
            "x": of_x * (rng.standard_normal((n, time)) + 0.5),
        }
    for of_weights, of_x in units[2:]:
        n, time = (int(size) for size in rng.integers(3, 7, 2))
        yield {
            "weights": of_weights * rng.standard_normal((time, time)),
            "x": of_x * (rng.standard_normal((n, time)) + 0.5),
        }


def call_measure(student, inputs):
    return dict(student.measure(inputs["weights"], inputs["x"]))


def measure(weights, x):
    n, time = x.shape
    seen, unseen, past, every = 0.0, 0.0, 0.0, 0.0
    for t in range(time):
        whole_sum, part_sum = np.zeros(n), np.zeros(n)
        for s in range(time):
            given = x[:, s - 1] if s else np.zeros(n)
            whole_sum = whole_sum + weights[t, s] * given
            every += abs(weights[t, s])
            if s <= t:
                part_sum = part_sum + weights[t, s] * given
                past += abs(weights[t, s])
        seen += ((whole_sum - x[:, t]) ** 2).sum()
        unseen += ((part_sum - x[:, t]) ** 2).sum()
    return {"seen": seen / x.size, "unseen": unseen / x.size, "future": (every - past) / every}


def give_losses(student, inputs):
    return {name: student.report[name] for name in ("seen", "unseen", "honest")}


def give_future(student, inputs):
    return {"future": student.report["future"]}


QUESTION = Question(
    id="08.5",
    title="Measure a cheat",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349},
    },
    clauses={
        "behind a 0, and the weights": "seen, and what follows from it, is lost by `not_shifted` and "
        "`rolled`",
        "Rows and inputs count from 0": "unseen and future, and what requires them, are lost by `present` "
        "and `answer_kept`",
        "With a mask only the inputs": "unseen and future, and what requires them, are lost by `present`",
        "input $t + 1$ is the answer": "unseen and future, and what requires them, are lost by `answer_kept`",
        "to four significant digits": "both reports are lost by `two_digits`",
        "The numbers count if `measure`": "the reports require the measured parts",
        "predicting 0 has an error of 1": "a yardstick for who reads the numbers",
        "0, x[:, 0], x[:, 1]": "seen, and what follows from it, is lost by `not_shifted` and `rolled`",
    },
    parts=[
        Part(
            "seen",
            2,
            "on small series: the error with the answers in sight",
            call_measure,
            inputs=small_series,
            compare=("seen",),
            atol=1e-10,
            hints=(
                "Which numbers are the inputs of a series (x0, x1, x2)? There are as many as places.",
                "The first input is 0, and the last number of the series is no input.",
                "Row t of the weights, times the inputs, predicts x[:, t]. Average over places as well.",
            ),
        ),
        Part(
            "unseen",
            1,
            "on small series: the error without them",
            call_measure,
            inputs=small_series,
            compare=("unseen",),
            atol=1e-10,
            hints=(
                "Place t may keep the inputs 0 to t. Which entries of the weights then do nothing?",
                "A zero input and a zero weight give the same product.",
                "Input t is x[:, t - 1], so it belongs to the past of place t.",
            ),
        ),
        Part(
            "future",
            1,
            "on small series: how much of the weights belongs to the future",
            call_measure,
            inputs=small_series,
            compare=("future",),
            atol=1e-10,
            hints=(
                "Add up absolute values, those after place t over those of all places.",
                "Which triangle of the weights is the future, and does the diagonal belong to it?",
            ),
        ),
        Part(
            "reported losses",
            1,
            "your run: the errors with the answers and without, and those of the masked model",
            give_losses,
            conceal=True,
            digits=4,
            requires=("seen", "unseen"),
            hints=(
                "Do `seen` and `unseen` come from the unmasked weights and the test series?",
                "`honest` is the `unseen` of the masked weights. Give four digits or more.",
            ),
        ),
        Part(
            "reported share",
            1,
            "your run: the share of the future",
            give_future,
            conceal=True,
            digits=4,
            requires=("future",),
            hints=(
                "Is it the number of the unmasked weights? The masked ones have no future.",
                "A share is a number from 0 to 1. Give four digits or more.",
            ),
        ),
    ],
)
