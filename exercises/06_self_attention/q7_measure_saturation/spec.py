"""Question 06.7: Measure the saturation."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes


def small_weights(rng):
    """Weights that grow sharper with the width; of several queries some are nearly certain at the last."""
    for number, (queries, keys) in enumerate(sizes(rng, queries=12, keys=(2, 6), far={"queries": 104})):
        share = least = 0.0
        while least < 1e-9 or (queries > 1 and not 0.1 < share < 0.8):
            weights = []
            for sharpness in (1.0, 2.0, 4.0, 8.0):
                exponentials = np.exp(sharpness * rng.standard_normal((queries, keys)))
                weights.append(exponentials / exponentials.sum(1, keepdims=True))
            share = (weights[3].max(1) > 0.99).mean()
            least = min((rows * (1 - rows)).max(1).mean() for rows in weights)
        widths = np.cumsum(rng.integers(2, 60, 4)) * (1 if queries < 100 else 10)
        widths[0] = widths[0] if number else 1
        yield {"widths": widths.tolist(), "weights": weights}
    yield at_the_limit()


def at_the_limit():
    """Largest weights of 0.99, just below and just above; of four queries two stand in the middle."""
    weights = [
        np.array([[row, 1 - row] for row in rows])
        for rows in ([0.5, 0.7, 0.4, 0.9], [0.8, 0.3, 0.9, 0.6], [0.1, 0.7, 0.95, 0.85])
    ]
    last = np.array([[0.99, 0.01], [0.9899, 0.0101], [0.9901, 0.0099], [0.995, 0.005]])
    return {"widths": [1, 4, 16, 1024], "weights": [*weights, last]}


def call_measure(student, inputs):
    return dict(student.measure(inputs["widths"], inputs["weights"]))


def call_slope(student, inputs):
    found = student.measure(inputs["widths"], inputs["weights"])
    return {"means": [torch.as_tensor(mean).double() for mean in found["means"]], "slope": found["slope"]}


def slope_fits_the_means(inputs, outputs):
    """The student's own means: what is wrong with these does not matter."""
    means, widths = np.asarray(outputs["means"]), inputs["widths"]
    with np.errstate(all="ignore"):
        own = np.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    if not abs(outputs["slope"] - own) <= 1e-3 * abs(own):
        return "slope is not the slope of your means between the second and the last width"
    return None


def measure(widths, weights):
    largest = [np.sort((rows * (1 - rows)).max(1)) for rows in weights]
    means = [math.fsum(row) / len(row) for row in largest]
    medians = [(row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2 for row in largest]
    slope = (math.log(means[3]) - math.log(means[1])) / (math.log(widths[3]) - math.log(widths[1]))
    certain = sum(row.max() > 0.99 for row in weights[3]) / len(weights[3])
    return {"means": means, "medians": medians, "slope": slope, "certain": certain}


def give_reported_averages(student, inputs):
    found = {name: student.report[name] for name in ("seed", "means", "medians")}
    unanswered = any(value is ... for name in ("means", "medians") for value in found[name])
    return {"means": ...} if unanswered else found


def give_reported_slope(student, inputs):
    return {name: student.report[name] for name in ("seed", "slope", "certain")}


def averages_fit_the_run(inputs, outputs):
    """Draws the weights of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("means", "medians")}
    for name, values in reported.items():
        if values.shape != (4,) or values.dtype.kind not in "iuf":
            return f"{name} should be a list of four numbers"
    for n, width in enumerate((16, 64, 256, 1024)):
        rng, largest = np.random.default_rng(seed), []
        for _ in range(20):
            drawn = rng.standard_normal((100, 9, width))
            scores = (drawn[:, :8] @ drawn[:, 8, :, None])[..., 0]
            weights = np.exp(scores - scores.max(1, keepdims=True))
            weights = weights / weights.sum(1, keepdims=True)
            largest.append((weights * (1 - weights)).max(1))
        largest = np.concatenate(largest)
        for name, value in (("means", largest.mean()), ("medians", np.median(largest))):
            if not abs(reported[name][n] - value) <= 6e-3 * value:
                return f"{name}[{n}] is not what 2,000 queries of width {width} give with seed {seed}"
    return None


def slope_fits_the_run(inputs, outputs):
    """Draws the weights of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("slope", "certain")}
    for name, value in reported.items():
        if value.shape not in ((), (1,)) or value.dtype.kind not in "iuf":
            return f"{name} should be a number"
    means = []
    for width in (64, 1024):
        rng, largest, peaks = np.random.default_rng(seed), [], []
        for _ in range(20):
            drawn = rng.standard_normal((100, 9, width))
            scores = (drawn[:, :8] @ drawn[:, 8, :, None])[..., 0]
            weights = np.exp(scores - scores.max(1, keepdims=True))
            weights = weights / weights.sum(1, keepdims=True)
            largest.append((weights * (1 - weights)).max(1))
            peaks.append(weights.max(1))
        means.append(np.mean(largest))
    if not abs(reported["slope"] - math.log(means[1] / means[0]) / math.log(16)) <= 5e-3:
        return f"slope is not what 2,000 queries of the widths 64 and 1024 give with seed {seed}"
    if not abs(reported["certain"] - np.mean(np.concatenate(peaks) > 0.99)) <= 1e-3:
        return f"certain is not what 2,000 queries of width 1024 give with seed {seed}"
    return None


QUESTION = Question(
    id="06.7",
    title="Measure the saturation",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {
            "seed": 0,
            "means": [0.1476, 0.08323, 0.04287, 0.02243],
            "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
            "slope": -0.4729,
            "certain": 0.806,
        },
    },
    exempt={
        "keys is 1": "one key has the weight 1, and the mean of which the logarithm is taken is 0",
        "clipped at 10": "weights are at most 1",
        "weights below a thousandth is 0": "one of the two largest weights of a row decides, and is larger",
    },
    clauses={
        "of the largest alpha (1 - alpha)": "averages, and what requires it, is lost by `largest_weight` "
        "and `all_entries`",
        "8 keys, and as the measure": "the setting of the cell above, which the reported numbers hold to",
        "2,000 random queries": "the setting of the cell above, which the reported numbers hold to",
        "any whole number from 0 on": "the report's own seed, with which the weights are drawn again",
        "at the widths 16, 64, 256 and 1024": "the setting of the report; `scaled` and `other_seed` are "
        "others",
        "three significant digits": "how to copy; the tolerances leave that much",
        "The numbers count if `measure`": "the reported parts require the measured ones",
        "1/\\sqrt{k}": "a question to think about, not graded",
        "list of four": "the form of the arguments and of the results",
        "each row sums to 1": "what softmax gives; a measure need not look",
        "the number of queries": "averages, and what requires it, is lost by `lower_median`",
        "is even, the mean of the two": "averages, and what requires it, is lost by `lower_median`",
        "when ln(width) grows by 1": "slope, and what requires it, is lost by `not_divided`",
        "weight is above 0.99": "certain, and what requires it, is lost by `at_least`",
    },
    parts=[
        Part(
            "averages",
            2,
            "on small weights: means and medians",
            call_measure,
            inputs=small_weights,
            atol=1e-12,
            compare=("means", "medians"),
            hints=(
                "weights * (1 - weights) has one row per query and one column per key. Which entry of a "
                "row is asked for?",
                "Take the largest of each row, then the mean and the median over the queries, for each "
                "width.",
                "With an even number of queries the median lies halfway between two of them. Does your "
                "function know that?",
            ),
        ),
        Part(
            "slope",
            1,
            "on small weights: the slope follows from your means",
            call_slope,
            inputs=small_weights,
            compare=(),
            properties=(slope_fits_the_means,),
            hints=(
                "Take logarithms of the means at the second and the last width. The slope is a ratio of "
                "two differences.",
                "Both logarithms are of the same base. If the mean falls while the width grows, what is "
                "the sign?",
            ),
        ),
        Part(
            "certain",
            1,
            "on small weights: the share of nearly certain queries",
            call_measure,
            inputs=small_weights,
            compare=("certain",),
            hints=(
                "How large is the largest weight of each query at the last width? Count those above 0.99.",
                "A share is a number from 0 to 1: divide by the number of queries, not of weights.",
            ),
        ),
        Part(
            "reported averages",
            1,
            "your run: means and medians are those of your seed, and `averages` above",
            give_reported_averages,
            compare=(),
            properties=(averages_fit_the_run,),
            requires=("averages",),
            hints=(
                "Do the widths come in the order 16, 64, 256, 1024, and is `seed` the number that you "
                "passed as seed?",
                "The cell above draws 2,000 queries and 8 keys, without the scale; leave it so, and give "
                "each width the same seed.",
                "The last median is tiny, and needs three digits all the same.",
            ),
        ),
        Part(
            "reported slope",
            1,
            "your run: slope and share are those of your seed, and `slope` and `certain` above",
            give_reported_slope,
            compare=(),
            properties=(slope_fits_the_run,),
            requires=("slope", "certain"),
            hints=(
                "Do slope and share come from the same call of `measure` as the means?",
                "The widths are [16, 64, 256, 1024], so the slope is measured between 64 and 1024.",
            ),
        ),
    ],
)
