"""Question 19.5: Measure what comes back from erased signs."""

import math

import numpy as np
from autograder.authoring import Part, Question, sizes


def small_memories(rng):
    """Damaged patterns of any numbers; at last tiny ones, large ones, twins, and scores of thousands."""
    for n, d in sizes(rng, n=(1, 9), d=(1, 6), far={"n": 110, "d": 104}):
        patterns = rng.standard_normal((n, d))
        states = patterns * (rng.random((n, d)) < 0.6) + 0.2 * rng.standard_normal((n, d))
        yield {"patterns": patterns, "states": states, "beta": float(rng.uniform(0.5, 2.5))}
    for beta, unit, scale in ((2e6, 1e-3, 8e-4), (4e-4, 40.0, 60.0), (3000.0, 1.0, 1.0)):
        patterns = scale * rng.standard_normal((7, 5))
        states = unit * (rng.standard_normal((7, 5)) + patterns / scale)
        yield {"patterns": patterns, "states": states, "beta": beta}
    twins = rng.integers(1, 4, (1, 4)).repeat(2, axis=0).astype(float)  # exact, so that a tie is one
    yield {"patterns": twins, "states": twins.copy(), "beta": 1.0}
    unclear = True
    while unclear:  # an average of signs can be zero but for rounding
        signs = rng.choice([-1.0, 1.0], size=(12, 6))
        states = signs.copy()
        states[:, rng.choice(6, 3, replace=False)] = 0
        powers = np.exp(1.5 * states @ signs.T)
        unclear = bool((np.abs(powers @ signs) < 1e-6).any())
    yield {"patterns": signs, "states": states, "beta": 1.5}
    opposite = np.array([[1.0, 1.0], [1.0, -1.0]])  # the average of both has a zero
    yield {"patterns": opposite, "states": np.array([[1.0, 0.0], [1.0, 0.0]]), "beta": 1.0}


def call_measure(student, inputs):
    return dict(student.measure(inputs["patterns"], inputs["states"], inputs["beta"]))


def measure(patterns, states, beta):
    back, right = 0, 0
    for i in range(len(patterns)):
        scores = [beta * float(pattern @ states[i]) for pattern in patterns]
        powers = [math.exp(score - max(scores)) for score in scores]
        back += powers[i] > sum(powers) - powers[i]
        updated = sum(power * pattern for power, pattern in zip(powers, patterns))
        right += int((np.sign(updated) * np.sign(patterns[i]) == 1).sum())
    return {"back": int(back), "signs": right / patterns.size}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("seed", "back", "signs")}


def report_fits_the_run(inputs, outputs):
    """Draws the memory of the reported seed again."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    rng = np.random.default_rng(seed)
    patterns = rng.choice([-1.0, 1.0], size=(1000, 24))
    states = patterns.copy()
    for row in states:
        row[rng.choice(24, 12, replace=False)] = 0
    weights = np.exp(2.0 * (states @ patterns.T - 12.0))
    weights = weights / weights.sum(axis=1)[:, None]
    right = {
        "back": np.count_nonzero(weights[np.arange(1000), np.arange(1000)] > 0.5),
        "signs": np.mean(np.sign(weights @ patterns) == patterns),
    }
    for name, value in right.items():
        reported = np.asarray(outputs[name])
        if reported.shape not in ((), (1,)) or reported.dtype.kind not in "iuf":
            return f"{name} should be a number"
        if not np.abs(reported - value).max() <= (0.5 if name == "back" else 6e-4):
            return f"{name} is not what erased gives with seed {seed} and beta 2"
    return None


QUESTION = Question(
    id="19.5",
    title="Measure what comes back from erased signs",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {"seed": 0, "back": 784, "signs": 0.9735},
    },
    parts=[
        Part(
            "back",
            2,
            "on small memories: how many states give their own pattern more than half of the weight",
            call_measure,
            inputs=small_memories,
            compare=("back",),
            hints=(
                "The weights form a square, states by patterns. Where in it are the own patterns?",
                "Two equal patterns have half of the weight each. Does one of them come back?",
                "Subtract the largest score of each row before you take exponentials.",
            ),
        ),
        Part(
            "signs",
            2,
            "on small memories: the share of right signs",
            call_measure,
            inputs=small_memories,
            compare=("signs",),
            hints=(
                "Two numbers have the same sign if their product is above zero.",
                "Compare the updated states with the patterns, and not the damaged ones.",
                "It is one share of all numbers of all states.",
            ),
        ),
        Part(
            "reported",
            2,
            "your run: the numbers are those of your seed, and `measure` is right",
            give_report,
            compare=(),
            properties=(report_fits_the_run,),
            requires=("back", "signs"),
            hints=(
                "Is `seed` the number that you passed to erased, with its 1,000 patterns of 24 signs?",
                "Did you use beta = 2?",
                "Copy the share of signs with four digits or more.",
            ),
        ),
    ],
    clauses={
        "The numbers count if": "every mistake in `measure` costs the report too",
        "a state has 0 where": "the cases have such states among others",
        "with small memories, of any numbers": "the cases have signs in one of them alone",
        "a whole number from 0 on": ("reported", "fraction"),
        "more than half": "the mistake that counts a half costs the report too",
        "a zero has none": "the mistake that counts zeros costs the report too",
        "with $\\beta = 2$": ("reported", "other_beta"),
        "a number above zero": "it is the form of an inverse temperature",
        "half a bit for each sign": "a comparison that is not graded",
        "a thousand patterns of 24 signs": "the cell that draws them says it too",
    },
)
