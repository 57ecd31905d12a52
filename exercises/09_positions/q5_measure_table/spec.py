"""Question 09.5: Measure a table."""

import math

import numpy as np
from autograder.authoring import Part, Question, sizes


def small_tables(rng):
    """Tables between waves and noise, whose rows differ in length.

    Some have as few rows as there may be, down to three; at last tiny rows, and large ones.
    """
    shapes = list(sizes(rng, d=5, offset=(1, 7), more=(1, 9), far={"more": 100, "offset": 20}))
    shapes += [(1, 1, 1), (3, 4, 8), (4, 2, 12), (2, 5, 6)]
    scales = [1.0] * (len(shapes) - 3) + [1e-2, 1e-4, 40.0]
    for (d, offset, more), scale in zip(shapes, scales):
        n = d + offset + more
        t = np.arange(n)[:, None]
        smooth = np.sin(t * rng.uniform(0.2, 1.5, d) + rng.uniform(0, 6, d))
        table = (smooth + 0.4 * rng.standard_normal((n, d))) * rng.uniform(0.5, 2.0, (n, 1))
        yield {"table": scale * table, "offset": offset}


def call_measure(student, inputs):
    return dict(student.measure(inputs["table"], inputs["offset"]))


def measure(table, offset):
    units = table / np.sqrt((table**2).sum(1, keepdims=True))
    cosines = [units[t] @ units[t + 1] for t in range(len(table) - 1)]
    here, later = table[: len(table) - offset], table[offset:]
    best = np.linalg.solve(here.T @ here, here.T @ later)
    left_over = ((here @ best - later) ** 2).sum() / (later**2).sum()
    return {"neighbors": math.fsum(cosines) / len(cosines), "left_over": left_over}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("seed", "neighbors", "left_over")}


def report_fits_the_run(inputs, outputs):
    """Draws the table of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    table = np.random.default_rng(seed).standard_normal((200, 24))
    units = table / np.sqrt((table**2).sum(1, keepdims=True))
    here, later = table[:-7], table[7:]
    basis = np.linalg.qr(here)[0]
    out_of_reach = later - basis @ (basis.T @ later)
    right = {
        "neighbors": (units[1:] * units[:-1]).sum(1).mean(),
        "left_over": (out_of_reach**2).sum() / (later**2).sum(),
    }
    for name, value in right.items():
        reported = np.asarray(outputs[name])
        if reported.shape not in ((), (1,)) or reported.dtype.kind not in "iuf":
            return f"{name} should be a number"
        third_digit = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
        if not np.abs(reported - value).max() <= 0.6 * third_digit:
            return f"{name} is not what random_table gives with seed {seed} and offset 7"
    return None


QUESTION = Question(
    id="09.5",
    title="Measure a table",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772},
    },
    exempt={
        "n is 1": "a table has more rows than features and offset together",
        "n and d agree": "a table has more rows than features",
        "n and offset agree": "a table has more rows than the offset",
    },
    parts=[
        Part(
            "neighbors",
            1,
            "on small tables: how alike neighbors are",
            call_measure,
            inputs=small_tables,
            compare=("neighbors",),
            hints=(
                "The cosine is the inner product divided by both lengths. Rows differ in length.",
                "There is one pair of neighbors fewer than rows; take the mean over the pairs.",
            ),
        ),
        Part(
            "left over",
            3,
            "on small tables: what the best linear map misses",
            call_measure,
            inputs=small_tables,
            rtol=1e-3,
            compare=("left_over",),
            hints=(
                "The rows 0 to n - offset - 1 have a row `offset` places later. Put both into matrices "
                "of one shape.",
                "np.linalg.lstsq(here, later) finds the matrix. What is left is later minus here times "
                "the matrix.",
                "A share is a number from 0 to 1: divide by the squared length of the later rows.",
            ),
        ),
        Part(
            "reported",
            2,
            "your run: the numbers are those of your seed, and `measure` is right",
            give_report,
            compare=(),
            properties=(report_fits_the_run,),
            requires=("neighbors", "left over"),
            hints=(
                "Is `seed` the number that you passed to random_table, and the offset 7?",
                "Use the 200 rows and 24 features that random_table has by default.",
                "Three significant digits of a small number begin after its zeros.",
            ),
        ),
    ],
    clauses={
        "a whole number from 0 on": ("reported", "fraction"),
        "with offset 7": ("reported", "other_offset"),
        "to three significant digits": ("reported", "two_digits"),
        "what lies where": "a title",
        "The numbers count if": "every mistake in `measure` costs the report too",
        "the waves of 09.1": "a comparison that is not graded",
        "the rows of positions 0": "it says which row is which",
        "a whole number from 1 to n - d - 1": "cases have it at both ends",
        "row t and row t + 1": "every mistake in `measure` costs the report too",
        "the share of the squared length": "every mistake in `measure` costs the report too",
    },
)
