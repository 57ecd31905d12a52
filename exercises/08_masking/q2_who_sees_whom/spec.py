"""Question 08.2: Who sees whom?"""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import whole


def some_mask(rng, time):
    """A random mask without blind rows that is neither symmetric nor causal, if there is room."""
    allowed = rng.random((time, time)) < 0.5
    allowed[np.arange(time), rng.integers(0, time, time)] = True
    if time > 1:
        allowed[0, -1], allowed[-1, 0] = True, False
        allowed[-1, -1] = True
    return torch.from_numpy(allowed)


def attentive(rng):
    """The last output is minus twice the first, so that what moves one up moves another down."""
    for time, d, e in sizes(rng, time=6, d=5, e=(2, 5)):
        value = normal(rng, d, e)
        value = value + value.sign()
        value[:, -1] = -2 * value[:, 0]
        yield {
            "x": normal(rng, time, d),
            "allowed": some_mask(rng, time),
            "query": 0.5 * normal(rng, d, 3) / (d + 1),
            "key": normal(rng, d, 3) / (d + 1),
            "value": value,
        }


def reading_little(rng):
    """One feature alone, another for each output, or the difference of two; some rows of the input are zeros.

    Outputs lie near 8, near 0 or near 1000, and few of them move by a hundredth; two move against each other,
    and all tremble, except near 1000, where a tremble would be rounded up. In the last case a change of a
    feature by 1 or more moves them by just under 1e-5, by 1e-5 or by just above.
    """
    for time, d, kind, level, strength in [
        (whole(rng, 4, 7), whole(rng, 2, 5), "one feature", 8.0, 1.0),
        (whole(rng, 3, 7), 4, "difference", 8.0, 1e-3),
        (1, 2, "difference", 8.0, 1.0),
        (whole(rng, 3, 7), whole(rng, 2, 5), "difference", 0.0, 1e-4),
        (3, 1, "one feature", 8.0, 1.0),
        (whole(rng, 101, 106), 2, "one feature", 8.0, 1e-3),
        (whole(rng, 3, 6), 3, "one feature", 1000.0, 1e-3),
        (whole(rng, 4, 7), 2, "another feature", 8.0, 1.0),
        (whole(rng, 3, 6), 2, "itself", 0.0, 1.0),
        (3, 2, "limit", 0.0, 1.0),
    ]:
        x = normal(rng, time, d)
        x[:: 2 if time > 1 else 1] = 0.0
        feature = d - 1 if kind == "one feature" and level == 8.0 else whole(rng, 0, d)
        # with four features never the next one
        other = (feature + (2 if d == 4 else 1)) % d
        allowed = torch.eye(time, dtype=torch.bool) if kind == "itself" else some_mask(rng, time)
        case = {"x": x, "allowed": allowed, "kind": kind, "feature": feature, "other": other}
        yield {**case, "level": level, "strength": strength}


def gated(rng):
    """A gate for each row opens if a feature grows by 1 to 1.99, or falls by so much; outputs rise or fall.

    The first two rows, one of which has to grow and one to fall, need all of 1.99. Two gates shut again
    beyond 10, and one of them is of a difference of features.
    """
    for time, d, rises, middle, shuts, difference in [
        (4, whole(rng, 2, 5), True, 0.0, 1e6, False),
        (whole(rng, 2, 7), 2, False, 0.0, 1e6, False),
        (1, 2, False, 0.0, 1e6, False),
        (whole(rng, 3, 5), 4, True, 30.0, 10.01, False),
        (whole(rng, 101, 104), 1, True, 0.0, 1e6, False),
        (whole(rng, 3, 6), 2, True, 0.0, 10.01, True),
    ]:
        x = middle + normal(rng, time, d)
        side = torch.from_numpy(rng.choice([-1.0, 1.0], time).astype(np.float32))
        side[: min(2, time)] = torch.tensor([1.0, -1.0])[: min(2, time)]
        by = torch.from_numpy(rng.uniform(1, 1.99, time).astype(np.float32))
        by[:2] = 1.99
        feature = d - 1 if time == 4 else whole(rng, 0, d)
        yield {
            "x": x,
            "allowed": some_mask(rng, time) | torch.eye(time, dtype=torch.bool),
            "feature": feature,
            "sign": 1.0 if rises else -1.0,
            "side": side,
            "by": by,
            "shuts": shuts,
            "difference": difference,
        }


def see_attention(student, inputs):
    allowed = inputs["allowed"].clone()
    query, key, value = (inputs[name].clone() for name in ("query", "key", "value"))

    def f(x):
        x = torch.as_tensor(x, dtype=torch.float32)
        scores = (x @ query) @ (x @ key).T / 3**0.5
        return scores.masked_fill(~allowed, -math.inf).softmax(1) @ (x @ value)

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def see_little(student, inputs):
    allowed, kind, c = inputs["allowed"].float(), inputs["kind"], inputs["feature"]
    strength, level, start = inputs["strength"], inputs["level"], inputs["x"].clone()

    def f(x):
        x = torch.as_tensor(x, dtype=torch.float32)
        if kind == "itself":
            return x
        if kind == "limit":
            moves = torch.tensor([0.9e-5, 1e-5, 1.1e-5]).roll(1)[
                torch.arange(len(x))[:, None] - torch.arange(len(x))
            ]
            return (moves @ (x[:, c] - start[:, c]).clamp(-1, 1))[:, None]
        read = x[:, c] - x[:, inputs["other"]] if kind == "difference" else x[:, c]
        summed, trembling = allowed @ read, 6e-7 * torch.tanh(x.sum()) * (level < 1000)
        if kind == "another feature":
            summed = (allowed * x.T[torch.arange(len(x)) % x.shape[1]]).sum(1)
        return level + strength * torch.stack([summed, -summed, 0.0 * summed], 1) + trembling

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def see_gated(student, inputs):
    allowed, c = inputs["allowed"].float(), inputs["feature"]
    side, by, start = inputs["side"].clone(), inputs["by"].clone(), inputs["x"].clone()

    def f(x):
        grown = side * (torch.as_tensor(x, dtype=torch.float32) - start).T
        grown = grown[c] - grown[1 - c] if inputs["difference"] else grown[c]
        opened = torch.minimum(grown - by, inputs["shuts"] - grown).relu()
        return inputs["sign"] * (allowed @ opened)[:, None]

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def who_sees_whom(f, x):
    time, d = x.shape
    seen = torch.zeros(time, time, dtype=torch.bool)
    before = f(x.clone())
    for s in range(time):
        for c in range(d):
            for step in (4.0, -4.0):
                other = x.clone()
                other[s, c] = other[s, c] + step
                seen[:, s] = seen[:, s] | ((f(other) - before).abs() > 1e-5).any(1)
    return seen


QUESTION = Question(
    id="08.2",
    title="Who sees whom?",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"who_sees_whom": who_sees_whom},
    exempt={
        "x below a thousandth is 0": "a change by 2 to 10 moves the same from there",
        "extreme exponents": "the exponentials are those of the function that is tested",
        "a large negative number for minus infinity": "the mask is that of the function that is tested",
        "masked after the normalization": "the mask is that of the function that is tested",
    },
    clauses={
        "may read a single feature": "little and gates: `first_feature` and `shifted` lose them",
        "or the difference of any two": ("little", "alternating"),
        "It may have a ReLU": ("gates", "one_way"),
        "amount of at most 1.99": ("gates", "small"),
        "any amount from 2 to 10": ("gates", "small"),
        "larger changes may move nothing": ("gates", "hundred"),
        "by more than $10^{-5}$": ("little", "twice"),
        "may hand back that very tensor": ("little", "aliased"),
        "True at [t, s] if a change": "all parts: `transposed` loses them",
    },
    parts=[
        Part(
            "attention",
            3,
            "attention under masks of any form",
            see_attention,
            inputs=attentive,
            hints=(
                "Change one row of a copy of x, call f again, and compare each row of the output with "
                "what it was.",
                "Rows of your result are outputs, columns are inputs. Which of the two loops fills a column?",
                "Each change must start from the x that you were given. Does your copy share memory with it?",
            ),
        ),
        Part(
            "little",
            1,
            "functions that read one feature, or the difference of two, of rows that may be zero",
            see_little,
            inputs=reading_little,
            hints=(
                (
                    "Take the case that is named. Which features does its f read, what does x hold there, "
                    "by how much do you change it, and how large a movement counts?"
                ),
                "The same number added to all features leaves differences alone, and a factor leaves "
                "zeros alone.",
                "Change one feature at a time, or all of them by different numbers.",
            ),
        ),
        Part(
            "gates",
            2,
            "functions with a ReLU that is shut at x",
            see_gated,
            inputs=gated,
            hints=(
                (
                    "A gate opens if one feature moves far enough, upward or downward, and another one "
                    "may shut it again. Which changes do you try, one by one?"
                ),
                "A derivative at x is zero behind a shut gate, and so is the effect of a small change.",
                "Try each feature in both directions, by more than 2, and collect what moved in any try.",
            ),
        ),
    ],
)
