"""Question 12.4: Where to stop."""

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def runs(rng, sizes):
    for n_runs, n_points in sizes:
        steps = np.cumsum(rng.integers(1, 50, n_points))
        bowl = 2 + np.abs(np.linspace(-1, 1.3, n_points)) ** 2
        yield {
            "steps": steps,
            "valid": bowl + 0.5 * rng.standard_normal((n_runs, n_points)),
            "test": bowl + 0.5 * rng.standard_normal((n_runs, n_points)),
        }


def some_runs(rng):
    yield from runs(rng, sizes(rng, runs=6, points=(1, 9), far={"runs": 100, "points": 100}))
    yield from runs(rng, [(6, 5)])
    for case in runs(rng, [(8, 9), (6, whole(rng, 10, 14))]):  # losses that fall again after a long rise
        yield {**case, "valid": 20 + 30 * rng.random(case["valid"].shape), "test": 20 * case["test"]}
    for case in runs(rng, [(3, 6)]):
        yield {**case, "valid": 1e-4 * case["valid"], "test": 1e-4 * case["test"]}


def with_ties(rng):
    for case in runs(rng, sizes(rng, runs=(3, 6), points=(5, 9))):
        valid = np.round(case["valid"])
        valid[0, [1, 3]] = -3.0
        valid[1, [0, 1]] = -3.0
        valid[2, [2, -1]] = -3.0  # the last loss is one of the least
        yield {**case, "valid": valid}
    for case in runs(rng, [(5, 6)]):  # nearly equal, and not equal
        yield {**case, "valid": 2 + 1e-9 * case["valid"]}


def call_measure(student, inputs):
    found = dict(student.measure(**inputs))
    return {
        "stop": torch.as_tensor([int(step) for step in found["stop"]]),
        **{name: found[name] for name in ("test", "last", "cheat")},
    }


def measure(steps, valid, test):
    stop, stopped, least = [], [], []
    for v, t in zip(valid.tolist(), test.tolist()):
        n = v.index(min(v))
        stop.append(int(steps[n]))
        stopped.append(t[n])
        least.append(min(t))
    n = len(stop)
    return {
        "stop": stop,
        "test": sum(stopped) / n,
        "last": sum(t[-1] for t in test.tolist()) / n,
        "cheat": (sum(stopped) - sum(least)) / n,
    }


def give_report(student, inputs):
    return {name: student.report[name] for name in ("stop", "test", "last", "cheat")}


QUESTION = Question(
    id="12.4",
    title="Where to stop",
    kind="experiment",
    difficulty=4,
    minutes=25,
    reference={
        "measure": measure,
        "report": {
            "stop": [200, 200, 200, 400, 200, 200],
            "test": 2.080691497755064,
            "last": 2.810222347476335,
            "cheat": 0.1312664826520391,
        },
    },
    clauses={
        "if each run were stopped": "cheat_over_all loses cheat, and the report that requires it",
        "in float64 throughout": "single loses ties, and the report that requires them",
        "earliest of equal ones": "latest loses ties, and the report that requires them",
        "with six decimals or more": ("report", "two_digits"),
        "valid: float64 array": "single loses ties, and the report that requires them",
        "test: float64 array": "the report is compared with five digits",
    },
    parts=[
        Part(
            "stop",
            1,
            "on small runs: where each stops",
            call_measure,
            inputs=some_runs,
            compare=("stop",),
            hints=(
                "Print the validation losses of each run of the case that is named, and where you stop it.",
                "A step, not the number of the point; and by validation, not by the test.",
            ),
        ),
        Part(
            "ties",
            1,
            "equal validation losses, and nearly equal ones",
            call_measure,
            inputs=with_ties,
            compare=("stop",),
            hints=(
                "Here two losses of a run are equal, or differ by about a billionth. Print the places at "
                "which the "
                "least one stands, and the one that you take.",
                "The earliest of equal ones is wanted.",
                "Losses that differ by little are not equal: what rounds them may make them so.",
            ),
        ),
        Part(
            "test",
            1,
            "on small runs: the test at the stop, and at the end",
            call_measure,
            inputs=some_runs,
            compare=("test", "last"),
            rtol=1e-6,
            atol=1e-9,
            hints=(
                (
                    "Two numbers are asked for: each is a mean over runs of one test loss of each run. "
                    "Which point of a run does each of them take?"
                ),
                "What is last is the last point of every run.",
            ),
        ),
        Part(
            "cheat",
            1,
            "on small runs: what looking at the test would win",
            call_measure,
            inputs=some_runs,
            compare=("cheat",),
            rtol=1e-6,
            atol=1e-9,
            hints=(
                "Two means over runs are compared. Work out both for the case that is named.",
                "One is the mean of the test losses at the stops, the other that of each run's least "
                "test loss.",
                "The stopped mean is never below the mean of the least ones.",
            ),
        ),
        Part(
            "report",
            2,
            "your run on the six runs of the text",
            give_report,
            conceal=True,
            digits=5,
            requires=("stop", "ties", "test", "cheat"),
            hints=(
                "Call `measure(at, valid_losses, test_losses)`, in this order.",
                "Copy the numbers with six digits; `stop` is a list of six steps.",
            ),
        ),
    ],
)
