"""Question 15.5: What the fit does not know."""

import numpy as np
from autograder.authoring import Part, Question, sizes

from ..inputs import curves, fit


def measurements(rng):
    """Points whose floor is among those that are tried, with noise, and floors in different numbers.

    Floors are in no order where the points are even in number, twice with so much noise that residuals are
    large.
    """
    drawn = sizes(rng, points=(3, 9), floors=15, far={"points": 100, "floors": 100})
    for i, (points, n) in enumerate(drawn):
        yield floors_for(rng, points, (0.02, 0.05, 0.1, 0.03)[i % 4], n)
    yield floors_for(rng, 6, 5.0, 4)
    yield floors_for(rng, 6, 0.3, 8)
    for size in (1e-4, 100.0):  # losses of another size
        case = floors_for(rng, 6, 0.05, 9)
        yield {**case, "y": size * case["y"], "floors": size * case["floors"]}
    yield near_twice(rng)
    between = False
    while not between:  # predictions on both sides of that of the best floor
        case = floors_for(rng, 8, 0.05, 14)
        (*_, best), near = tried(**case)
        between = min(best - min(near), max(near) - best) > 0.1 * (max(near) - min(near)) > 0
    yield case
    yield from below_zero(rng)
    # nearly without noise: no other floor is near the true one, or only those are that hardly differ from it
    for below in ([0.2, 0.6, 0.9], np.geomspace(1e-4, 0.05, 12)):
        case = floors_for(rng, 6, 1e-4, 1)
        yield {**case, "floors": rng.permutation(1.5 - np.append(below, 0.0))}
    # the true floor behind hundreds of others
    case = floors_for(rng, 6, 1e-4, 1)
    yield {**case, "floors": 1.5 - np.append(rng.uniform(0.2, 1.4, int(rng.integers(260, 280))), 0.0)}
    rising = floors_for(rng, 5, 0.03, 6)
    yield {**rising, "x": 1 / rising["x"]}
    # rising losses of which the highest floor is the true one, though with others they rise less
    case = floors_for(rng, 6, 1e-4, 1)
    yield {**case, "x": 1 / case["x"], "floors": 1.5 - np.array([0.9, 0.0, 0.6, 0.2])}


def near_twice(rng):
    """Floors whose residuals are just below and just above twice the least, each of another prediction."""
    while True:
        case = floors_for(rng, 7, 0.05, 1)
        floors = case["y"].min() - np.geomspace(0.005, 1.4, 600)
        residuals = np.array([tried(case["x"], case["y"], [floor])[0][0] for floor in floors])
        ratios = residuals / residuals.min()
        below, above = (np.flatnonzero((ratios > low) & (ratios < low + 0.03)) for low in (1.96, 2.01))
        if len(below) and len(above):
            chosen = [residuals.argmin(), rng.choice(below), rng.choice(above)]
            return {**case, "floors": rng.permutation(floors[chosen])}


def below_zero(rng):
    """Floors of either sign, of which a negative one fits best."""
    found = 0
    while found < 2:
        case = floors_for(rng, 7, 0.05, 12, floor=-0.3)
        above = case["floors"][case["floors"] >= 0]
        if len(above) and tried(**case)[0][1] < -0.1:
            found += 1
            yield case


def floors_for(rng, points, noise, n, floor=1.5):
    (case,) = curves(rng, [(points, noise, floor)])
    floors = case["y"].min() - np.sort(rng.uniform(0.01, 1.4, n))[::-1]
    return {"x": case["x"], "y": case["y"], "floors": floors if points % 2 else rng.permutation(floors)}


def call_measure(student, inputs):
    return dict(student.measure(**inputs))


def tried(x, y, floors):
    """Residual, floor, exponent and prediction of the best floor, and the predictions of all near ones."""
    rows = []
    for floor in floors:
        b, c = fit(x, y, floor)
        gaps = np.log(y - floor) - np.log(b) + c * np.log(x)
        rows.append((float((gaps**2).mean() ** 0.5), float(floor), c, floor + b * (10 * x.max()) ** -c))
    best = min(rows, key=lambda row: row[0])
    return best, [row[3] for row in rows if row[0] <= 2 * best[0]]


def measure(x, y, floors):
    (_, floor, exponent, following), near = tried(x, y, floors)
    return {"floor": floor, "exponent": exponent, "next": following, "spread": max(near) - min(near)}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("floor", "exponent", "next", "spread")}


QUESTION = Question(
    id="15.5",
    title="What the fit does not know",
    kind="experiment",
    difficulty=5,
    minutes=45,
    reference={
        "measure": measure,
        "report": {"floor": 1.9, "exponent": 0.19018014, "next": 2.42891734, "spread": 0.05393755},
    },
    needs=("15.2",),
    clauses={
        "floors and exponents may be negative": "floors_from_zero and sign_dropped lose the report as well",
        "(the first of equal ones)": "only equal floors have equal residuals beyond rounding",
        "at ten times the largest": "ten_times_the_last loses the spread as well",
        "at most twice the least": "two floors lie on the two sides of it, and margin loses the "
        "report as well",
        "with six digits or more": "the comparison takes five digits",
        "at least three different x": "three points are among the cases",
        "(floors,), all below every y": "one floor is among the cases",
        "a dict of four numbers": "each has a part of its own",
    },
    parts=[
        Part(
            "floor",
            2,
            "on small measurements: the floor that fits best",
            call_measure,
            inputs=measurements,
            atol=1e-9,
            compare=("floor",),
            hints=(
                "Print floor and residual of every floor of the case. Which is the least, and which "
                "do you return?",
                "The residual is a root of a mean of squares of differences of logarithms.",
            ),
        ),
        Part(
            "exponent",
            2,
            "on small measurements: its exponent",
            call_measure,
            inputs=measurements,
            atol=1e-9,
            compare=("exponent",),
            hints=(
                (
                    "Print the c of every floor's fit beside what you return. Which floor is it that "
                    "counts, and is its c returned as it is?"
                ),
                "Take the c of the best floor's fit.",
            ),
        ),
        Part(
            "next",
            1,
            "on small measurements: the prediction",
            call_measure,
            inputs=measurements,
            atol=1e-9,
            compare=("next",),
            hints=(
                (
                    "Compute the prediction of the case by hand: by the curve of which floor, at which x, "
                    "and what belongs to a loss beside the power?"
                ),
                "A prediction is a loss: the floor belongs to it.",
            ),
        ),
        Part(
            "spread",
            3,
            "on small measurements: how far predictions lie apart",
            call_measure,
            inputs=measurements,
            atol=1e-9,
            compare=("spread",),
            hints=(
                (
                    "Write down the residual and the prediction of every floor of the case. Which floors "
                    "count, and what is made of their predictions?"
                ),
                "At most twice the least residual, after the root; the best floor itself is one of them.",
            ),
        ),
        Part(
            "report",
            3,
            "your run on the five measurements",
            give_report,
            conceal=True,
            digits=5,
            requires=("floor", "exponent", "next", "spread"),
            hints=(
                "Are the floors those of the text, from 0 to 2.4 in steps of 0.1?",
                "Copy the four numbers with six digits, from the measurements as they are given.",
            ),
        ),
    ],
)
