"""Question 07.5: How narrow may a head be?"""

import math

import numpy as np
from autograder.authoring import Part, Question


def whole(rng, low, high):
    return int(rng.integers(low, high))


def small_keys(rng):
    """Some objects have half of another's key at one width, so that all but one are found there."""
    n, m = whole(rng, 4, 8), whole(rng, 4, 10)
    some = np.cumsum(rng.integers(1, 4, 3)).tolist()
    for objects, widths in [
        (n, some),
        (n, some),
        (m, (1, m, m + 2)),
        (whole(rng, 4, 7), (1,)),
        (2, (1, 3)),
        (whole(rng, 101, 110), (1, 2)),
        (3, (2, whole(rng, 101, 110))),
        (12, (2, 40, 48)),
        (10, (3, 40, 44)),
    ]:
        keys = [rng.standard_normal((objects, width)) for width in widths]
        if widths[-1] in (44, 48):
            keys[1][0] = 0.5 * keys[1][1]
        yield {"keys": keys}
    # tiny keys
    yield {"keys": [1e-3 * rng.standard_normal((m, width)) for width in some]}
    yield {"keys": [3e-4 * np.eye(n, n + width) for width in range(2)]}
    # 17, 18 and 19 of 19 objects are found, then 18 and 20 of 20, 10 and 11 of 11
    for objects, missed in ((19, (2, 1, 0)), (20, (2, 0)), (11, (1, 0))):
        keys = [3.0 * np.eye(objects, objects + n) for n in range(len(missed))]
        for key, lost in zip(keys, missed, strict=True):
            key[:lost] = 0.5 * key[5 : 5 + lost]
        yield {"keys": keys}
    # enough at the first width, not at the second, enough again at the third
    keys = [rng.standard_normal((10, width)) for width in (40, 44, 48)]
    keys[1][0], keys[1][2] = 0.5 * keys[1][1], 0.5 * keys[1][3]
    yield {"keys": keys}
    # whole numbers, so that equal keys have equal scores: neither of two is found
    keys = [rng.integers(-3, 4, (12, width)).astype(float) for width in (2, 9, 30)]
    for key in keys:
        key[5] = key[whole(rng, 0, 5)]
    yield {"keys": keys}


def long_keys(rng):
    """Keys so long that their exponentials overflow."""
    for objects, widths in [(6, (2, 3, 5)), (5, (1, 4, 7))]:
        yield {"keys": [40.0 * rng.standard_normal((objects, width)) for width in widths]}


def any_keys(rng):
    yield from small_keys(rng)
    yield from long_keys(rng)


def call_measure(student, inputs):
    measured = student.measure(inputs["keys"])
    found = {name: measured[name] for name in ("found", "weights")}
    enough = measured["enough"]
    return found | {"a width is enough": enough is not None, "enough": 0 if enough is None else enough}


def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        objects, width = key.shape
        scores = [[math.fsum(a * b for a, b in zip(one, other)) for other in key] for one in key]
        right = sum(
            all(row[i] > other for j, other in enumerate(row) if j != i) for i, row in enumerate(scores)
        )
        found.append(right / objects)
        root = math.sqrt(width)
        shares = [
            1 / math.fsum(math.exp(min((other - row[i]) / root, 700.0)) for other in row)
            for i, row in enumerate(scores)
        ]
        weights.append(math.fsum(shares) / objects)
        if enough is None and right / objects >= 0.9:
            enough = width
    return {"found": found, "weights": weights, "enough": enough}


def give_report(student, inputs):
    found = {name: student.report[name] for name in ("seed", "found", "weights", "enough")}
    listed = all(isinstance(found[name], list | tuple) for name in ("found", "weights"))
    unanswered = listed and any(value is ... for name in ("found", "weights") for value in found[name])
    return {"found": ...} if unanswered else {name: "none" if v is None else v for name, v in found.items()}


def report_fits_the_run(inputs, outputs):
    """Draws the keys of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("found", "weights")}
    for name, values in reported.items():
        if values.shape != (6,) or values.dtype.kind not in "iuf":
            return f"{name} should be a list of six numbers"
    enough = None
    for n, width in enumerate((1, 2, 4, 8, 16, 32)):
        keys = np.random.default_rng(seed).standard_normal((64, width))
        scores = keys @ keys.T / math.sqrt(width)
        others = np.where(np.eye(64, dtype=bool), -np.inf, scores).max(1)
        share = float((np.diag(scores) > others).mean())
        powers = np.exp(scores - scores.max(1, keepdims=True))
        weight = float((np.diag(powers) / powers.sum(1)).mean())
        enough = width if enough is None and share >= 0.9 else enough
        for name, value in (("found", share), ("weights", weight)):
            if not abs(reported[name][n] - value) <= 6e-4 * max(value, 0.02):
                return f"{name}[{n}] is not what 64 keys of width {width} give with seed {seed}"
    given = outputs["enough"].item() if isinstance(outputs["enough"], np.ndarray) else outputs["enough"]
    if isinstance(given, bool) or given != ("none" if enough is None else enough):
        return f"enough is not what the keys give with seed {seed}"
    return None


QUESTION = Question(
    id="07.5",
    title="How narrow may a head be?",
    kind="experiment",
    difficulty=4,
    minutes=30,
    reference={
        "measure": measure,
        "report": {
            "seed": 0,
            "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
            "weights": [0.036851, 0.052635, 0.101075, 0.183472, 0.345779, 0.696177],
            "enough": 16,
        },
    },
    exempt={"objects is 1": "the text asks for at least two objects"},
    clauses={
        "tell 64 objects apart": "the setting of the cell below, which the report holds to",
        "if no other key has": "found, and what follows from it, is lost by `ties` and `first_of_ties`",
        "there are at least two objects": "one of the cases has two",
        "any whole number from 0 on": "the report's own seed, with which the keys are drawn again",
        "of the widths 1, 2, 4, 8, 16 and 32": "the setting of the report",
        "to four significant digits": ("report", "two_digits"),
        "only if `measure` is right": "the report requires the measured parts",
        "share 64 features": "a question to think about, not graded",
        "scale 1/sqrt(width)": "weights, and what requires it, is lost by `no_scale` and `scale_width`",
        "at least nine tenths": "enough, and what requires it, is lost by `more` and `nearly`",
        "or None if there is none": "enough, and what requires it, is lost by `none_as_zero`",
    },
    parts=[
        Part(
            "found",
            2,
            "on small keys: the share of objects that are found",
            call_measure,
            inputs=any_keys,
            compare=("found",),
            hints=(
                (
                    "Print the scores of one object's query in the case that is named. With which of them "
                    "is its own compared, and by how much must it be larger?"
                ),
                "Compare it with the largest of the others, and count over the objects.",
            ),
        ),
        Part(
            "weights",
            2,
            "on small and on long keys: the mean weight on the object looked for",
            call_measure,
            inputs=any_keys,
            compare=("weights",),
            atol=1e-7,
            hints=(
                (
                    "Print one row of scores of the case that is named, and its weights. Are they a "
                    "softmax of the scaled scores, and which of them is asked for?"
                ),
                "If numbers are NaN: subtract the largest score of each row before taking exponentials.",
                "The weights looked for stand on the diagonal, and the mean is over the objects.",
            ),
        ),
        Part(
            "enough",
            1,
            "on small keys: the smallest sufficient width",
            call_measure,
            inputs=any_keys,
            compare=("a width is enough", "enough"),
            hints=(
                (
                    "Write down the share found at each width of the case that is named. Which is the "
                    "first one of at least nine tenths, if any, and what is asked for then?"
                ),
                "If no width suffices, the answer is None.",
            ),
        ),
        Part(
            "report",
            3,
            "your run: the numbers are those of your seed, and all parts above",
            give_report,
            compare=(),
            properties=(report_fits_the_run,),
            requires=("found", "weights", "enough"),
            hints=(
                "Do the widths come in the order 1, 2, 4, 8, 16, 32, each drawn with the seed that you "
                "report?",
                "There are 64 objects. Copy four significant digits or more.",
            ),
        ),
    ],
)
