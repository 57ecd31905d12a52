"""Exercises of chapter 15: the bill, a power law, an accumulation, shared gradients, what a fit knows."""

import numpy as np
from autograder.authoring import Part, Question


def whole(rng, low, high):
    return int(rng.integers(low, high))


def curves(rng, kinds):
    """Points near a power law; noise moves the logarithm of what lies above the floor."""
    for points, noise, floor in kinds:
        x = 10.0 ** np.sort(rng.uniform(-1, 4, points))
        above = rng.uniform(0.5, 5) * x ** -rng.uniform(0.1, 0.6)
        above = above * np.exp(noise * rng.standard_normal(points))
        order = rng.permutation(points)
        yield {"x": x[order], "y": (floor + above)[order], "floor": floor}


def exact(rng):
    yield from curves(rng, [(2, 0, 0.0), (5, 0, 0.0), (3, 0, 0.0), (110, 0, 0.0)])


def above_a_floor(rng):
    yield from curves(rng, [(2, 0, 1.5), (4, 0, 0.9), (6, 0, -0.7), (3, 0, rng.uniform(0.1, 3))])


def noisy(rng):
    yield from curves(rng, [(3, 0.3, 0.0), (5, 0.2, 1.2), (8, 0.4, 0.5), (120, 0.3, 0.0), (5, 0.5, 2.0)])
    for case in curves(rng, [(7, 0.3, 0.0), (5, 0.3, 0.0), (6, 0.2, 0.0)]):
        x = case["x"][np.minimum(np.arange(len(case["x"])), 3)]  # the last x was measured several times
        yield {**case, "x": x}
        yield {**case, "y": 1 / case["y"]}  # losses that rise
        yield {**case, "y": 1e-8 * case["y"]}  # losses that hardly clear the floor
        yield {**case, "y": 2.0 + 1e-6 * case["y"], "floor": 2.0}
        yield {**case, "y": np.full(len(x), case["y"][0])}  # losses that do not move


def call_fit(student, inputs):
    scale, exponent = student.fit(**inputs)
    return {"b": scale, "c": exponent}


def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    slope = ((u - u.mean()) * (v - v.mean())).sum() / ((u - u.mean()) ** 2).sum()
    return float(np.exp(v.mean() - slope * u.mean())), float(-slope)


IGNORED = -100


def batches(rng, kinds):
    """Pieces of so many rows, of which so many are padding; their rows are in random order."""
    for sizes, padded, features, classes, most, scale in kinds:
        rows = sum(sizes)
        targets = rng.integers(0, classes, rows)
        first = 0
        for size, n in zip(sizes, padded):
            targets[first + rng.permutation(size)[:n]] = IGNORED
            first += size
        yield {
            "inputs": rng.standard_normal((rows, features)),
            "targets": targets,
            "weight": scale * rng.standard_normal((features, classes)),
            "sizes": list(sizes),
            "ignored": IGNORED,
            "most": most,
        }


def unequal_pieces(rng):
    yield from batches(
        rng,
        [
            ((4, 1), (0, 0), 3, 4, 1e9, 1.0),
            ((2, 5, 1), (0, 0, 0), 2, 3, 1e9, 1.0),
            ((1, 7), (0, 0), 5, 2, 1e9, 400.0),
            ((3, 110), (0, 0), 4, 4, 1e9, 1.0),
        ],
    )


def padded_pieces(rng):
    """Pieces of equal length with equally many targets, so that only what a piece divides by matters."""
    yield from batches(
        rng,
        [
            ((4, 4), (1, 1), 3, 4, 1e9, 1.0),
            ((5, 5, 5), (3, 3, 3), 2, 3, 1e9, 1.0),
            ((6,), (4,), 4, 5, 1e9, 1.0),
            ((3, 3), (2, 2), 5, 2, 1e9, 400.0),
        ],
    )


def clipped(rng):
    yield from batches(
        rng,
        [
            ((3, 3), (0, 0), 3, 4, 0.05, 1.0),
            ((2, 2, 2), (0, 0, 0), 4, 3, 0.3, 2.0),
            ((1, 1, 1, 1), (0, 0, 0, 0), 2, 5, 0.1, 1.0),
            ((2, 2), (0, 0), 3, 3, 0.2, 400.0),
        ],
    )
    yield from near_the_limit(rng, 0.8)


def near_the_limit(rng, share):
    """Gradients of norms below and above 1, and this share of each as the greatest norm."""
    kinds = [((2, 2), (0, 0), 3, 4, np.inf, 1.0), ((3, 3, 3), (0, 0, 0), 4, 3, np.inf, 1.0)]
    for norm in (0.3, 3.0):
        for case in batches(rng, kinds):
            case["weight"] *= 0.0  # the gradient is linear in the inputs
            case["inputs"] *= norm / np.linalg.norm(accumulated(**case))
            yield {**case, "most": share * norm}


def everything(rng):
    yield from batches(
        rng,
        [
            ((3, 5), (2, 0), 3, 4, 0.1, 1.0),
            ((4, 2, 3), (1, 2, 0), 2, 3, 1e9, 1.0),
            ((1, 6, 2), (1, 3, 0), 4, 2, 0.2, 300.0),
            ((1,), (0,), 3, 3, 1e9, 1.0),
            ((2, 3), (0, 1), 1, 4, 1e9, 1.0),
            ((whole(rng, 2, 6), 4), (1, 4), 3, 3, 0.3, 1.0),
            ((5, 3), (2, 0), 3, 4, 1e9, 1.0),
        ],
    )
    kinds = [((3, 2), (1, 0), 3, 4, 1e9, 1.0), ((2, 4), (1, 2), 2, 5, 0.2, 1.0)]
    for ignored in (0, 99):  # the number for padding may be that of a class
        for case in batches(rng, kinds):
            targets = np.where(case["targets"] == ignored, 1, case["targets"])
            yield {**case, "targets": np.where(targets == IGNORED, ignored, targets), "ignored": ignored}
    yield from near_the_limit(rng, 1.25)
    (still,) = batches(rng, [((2, 1), (0, 0), 3, 4, 0.5, 1.0)])
    yield {**still, "inputs": np.zeros((3, 3))}
    yield {**still, "most": 0.0}
    yield from batches(rng, [((0, 3), (0, 1), 3, 4, 1e9, 1.0), ((2, 0, 2, 0), (1, 0, 0, 0), 2, 3, 0.2, 1.0)])
    (sure,) = batches(rng, [((3, 2), (0, 0), 4, 3, 1e9, 1e6)])  # all right, and certain: no gradient
    sure["inputs"] *= 1e4
    yield {**sure, "targets": (sure["inputs"] @ sure["weight"]).argmax(1)}


def call_accumulated(student, inputs):
    return {"gradient": student.accumulated(**inputs)}


def accumulated(inputs, targets, weight, sizes, ignored, most):
    rows = [i for i, target in enumerate(targets) if target != ignored]
    gradient = np.zeros(weight.shape)
    for i in rows:
        scores = inputs[i] @ weight
        p = np.exp(scores - scores.max())
        p /= p.sum()
        p[targets[i]] -= 1
        gradient += np.outer(inputs[i], p) / len(rows)
    norm = np.linalg.norm(gradient)
    return gradient * (most / norm) if norm > most else gradient


def workers(rng, kinds):
    for n, tokens in kinds:
        gradients = [
            rng.standard_normal(n) * 10.0 ** rng.uniform(-1, 1) if own else np.full(n, np.nan)
            for own in tokens
        ]
        yield {"gradients": gradients, "tokens": list(tokens)}


def equal_shares(rng):
    n = whole(rng, 2, 9)
    yield from workers(rng, [(4, (7, 7)), (9, (5, 5, 5)), (3, (2,)), (n * 4, (n,) * 4), (240, (3, 3))])


def unequal_shares(rng):
    yield from workers(rng, [(4, (30, 5)), (6, (1, 2, 9)), (8, (100, 1, 1, 6)), (10, (whole(rng, 2, 9), 1))])
    for case in workers(rng, [(6, (4, 3, 2))]):  # a worker whose targets leave no gradient
        yield {**case, "gradients": [np.zeros(6), *case["gradients"][1:]]}


def uneven_parts(rng):
    yield from workers(rng, [(5, (4, 4)), (1, (3, 3, 3)), (7, (2, 2, 2)), (9, (6, 6, 6, 6)), (2, (1,) * 5)])


def without_targets(rng):
    yield from workers(
        rng,
        [
            (4, (3, 0)),
            (6, (0, 5, 2)),
            (5, (0, 1)),
            (4, (0, 0)),
            (7, (0, 0, 0)),
            (3, (4, 0, 1)),
            (5, (0,)),
            (1, (0, 0)),
        ],
    )


def call_scatter(student, inputs):
    parts = student.reduce_scatter(inputs["gradients"], inputs["tokens"])
    return {f"worker {i}": part for i, part in enumerate(parts)} | {"parts": len(parts)}


def reduce_scatter(gradients, tokens):
    n_workers, n = len(tokens), len(gradients[0])
    total = max(sum(tokens), 1)
    mean = sum((g * (own / total) for g, own in zip(gradients, tokens) if own), np.zeros(n))
    padded = np.concatenate([mean, np.zeros(-n % n_workers)])
    return np.split(padded, n_workers)


def measurements(rng):
    """Points whose floor is among those that are tried, with noise, and floors in different numbers.

    Floors are in no order where the points are even in number, once with so much noise that all residuals
    are above 1.
    """
    for points, noise, n in [
        (4, 0.1, 6),
        (5, 0.02, 12),
        (3, 0.15, 5),
        (7, 0.04, 12),
        (5, 0.02, 1),
        (6, 0.3, 8),
        (6, 0.03, 15),
        (8, 0.2, 7),
        (9, 0.05, 14),
        (7, 0.02, 11),
        (8, 0.03, 13),
        (6, 0.05, 9),
        (6, 5.0, 4),
    ]:
        yield floors_for(rng, points, noise, n)
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
    rising = floors_for(rng, 5, 0.03, 6)
    yield {**rising, "x": 1 / rising["x"]}


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


NUMBERS = {"no gradient": "NumPy's numbers have no gradient"}

QUESTIONS = [
    Question(
        id="15.1",
        title="The bill",
        kind="derive",
        difficulty=1,
        minutes=25,
        reference={
            "blocks": 16515072,
            "whole": 22159360,
            "forward": 57193529344,
            "crossing": 2688,
            "cache": 25165824,
            "states": 88637440,
        },
        parts=[
            Part(
                "blocks",
                1,
                "the parameters of the blocks",
                reads=("blocks",),
                hints=(
                    "Which matrices has a block? Write down the two sizes of each.",
                    "The matrices of keys and of values have columns for two heads, not for eight.",
                ),
            ),
            Part(
                "whole",
                1,
                "all parameters",
                reads=("whole",),
                hints=(
                    "If `blocks` is wrong, mend that first.",
                    "The embeddings are the head as well, so count them once; positions have a table too.",
                ),
            ),
            Part(
                "forward",
                1,
                "the operations of a text",
                reads=("forward",),
                hints=(
                    "Each weight of a matrix costs two operations per token. What costs without weights?",
                    "Every head of queries compares all pairs and then mixes the values of all pairs.",
                    "The head is a product too: one of width by vocabulary for each token.",
                ),
            ),
            Part(
                "crossing",
                1,
                "where the pairs catch up",
                reads=("crossing",),
                hints=(
                    "The crossing asks for the blocks alone: set both terms equal and solve for the length.",
                    "Per token of a text of n, a head of queries needs 4 n k operations for scores and "
                    "mixing.",
                ),
            ),
            Part(
                "cache",
                1,
                "the bytes of a cache",
                reads=("cache",),
                hints=(
                    "Which heads does a cache hold: those of the queries or those of the keys?",
                    "Keys and values are two numbers for each feature of a head, in each block.",
                ),
            ),
            Part(
                "states",
                1,
                "the bytes of a worker's states",
                reads=("states",),
                hints=(
                    "If `whole` is wrong, mend that first.",
                    "Four numbers of four bytes belong to each parameter, and four workers share them.",
                ),
            ),
        ],
    ),
    Question(
        id="15.2",
        title="Fit a power law",
        kind="implement",
        difficulty=2,
        minutes=20,
        reference={"fit": fit},
        parts=[
            Part(
                "exact",
                1,
                "points on a power law that falls to 0",
                call_fit,
                inputs=exact,
                hints=(
                    "Which function of x is log y, if y is b times x to the power -c?",
                    "The line's slope is minus c, and its height at log x = 0 is log b.",
                ),
            ),
            Part(
                "floor",
                1,
                "points on a power law above a floor",
                call_fit,
                inputs=above_a_floor,
                hints=(
                    "Of what do you take the logarithm?",
                    "Subtract the floor before the logarithm; b and c describe what lies above it.",
                ),
            ),
            Part(
                "noisy",
                2,
                "points beside the curve, in any order",
                call_fit,
                inputs=noisy,
                hints=(
                    "Does every point have a say?",
                    "Least squares in the logarithms: the sum of squared vertical distances to the line.",
                ),
            ),
        ],
    ),
    Question(
        id="15.3",
        title="Repair an accumulation",
        kind="repair",
        difficulty=3,
        minutes=25,
        reference={"accumulated": accumulated},
        exempt=NUMBERS,
        parts=[
            Part(
                "pieces",
                1,
                "pieces of different lengths, without padding, without clipping",
                call_accumulated,
                inputs=unequal_pieces,
                hints=(
                    "Pieces of 4 rows and of 1 row: how much does each row count in your result?",
                    "The mean of the pieces' means is not the mean over all rows.",
                ),
            ),
            Part(
                "padding",
                1,
                "pieces of equal length with equally many targets that are padding",
                call_accumulated,
                inputs=padded_pieces,
                hints=(
                    "By how many is the sum over a piece divided?",
                    "Padding adds nothing to the sum, so it must not be in the count either.",
                ),
            ),
            Part(
                "clipping",
                1,
                "pieces of equal length, without padding, with a small greatest norm",
                call_accumulated,
                inputs=clipped,
                hints=(
                    "Whose norm is to be at most `most`?",
                    "Clip once, after all pieces have been added.",
                ),
            ),
            Part(
                "all",
                3,
                "all at once; also pieces of padding alone or of no row, and sure rows",
                call_accumulated,
                inputs=everything,
                hints=(
                    "If another part is lost, mend that first.",
                    "What does your code do with a piece that has no target? Nothing may be divided by 0.",
                    "A greatest norm of 0 leaves no gradient, and probabilities may be 0 and 1.",
                    "Add up sums over targets, and divide once by the targets of the whole batch.",
                ),
            ),
        ],
    ),
    Question(
        id="15.4",
        title="Reduce and scatter",
        kind="implement",
        difficulty=4,
        minutes=30,
        reference={"reduce_scatter": reduce_scatter},
        exempt=NUMBERS,
        parts=[
            Part(
                "equal",
                1,
                "workers with equally many targets, parts without a rest",
                call_scatter,
                inputs=equal_shares,
                hints=(
                    "With equally many targets the shared gradient is the mean over workers.",
                    "Worker 0 keeps the first part, worker 1 the second, and so on.",
                ),
            ),
            Part(
                "unequal",
                2,
                "workers with different numbers of targets",
                call_scatter,
                inputs=unequal_shares,
                hints=(
                    "How much should a target count, whichever worker has read it?",
                    "A worker's gradient is a mean over its targets: weigh it by how many they are.",
                ),
            ),
            Part(
                "uneven",
                1,
                "a number of parameters that the workers do not divide",
                call_scatter,
                inputs=uneven_parts,
                hints=(
                    "How long is each part, if 5 numbers go to 2 workers?",
                    "Round the length up, and fill the end of the whole gradient with zeros.",
                ),
            ),
            Part(
                "empty",
                2,
                "workers without targets",
                call_scatter,
                inputs=without_targets,
                hints=(
                    "What is 0 times NaN?",
                    "Leave a worker without targets out of the sum, rather than giving it the weight 0.",
                    "If nobody has targets, do not divide at all: the result is zeros.",
                ),
            ),
        ],
    ),
    Question(
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
        parts=[
            Part(
                "floor",
                1,
                "on small measurements: the floor that fits best",
                call_measure,
                inputs=measurements,
                compare=("floor",),
                hints=(
                    "Which of the floors leaves the least residual?",
                    "The residual is a root of a mean of squares of differences of logarithms.",
                ),
            ),
            Part(
                "exponent",
                1,
                "on small measurements: its exponent",
                call_measure,
                inputs=measurements,
                compare=("exponent",),
                hints=("Which floor does your exponent belong to?", "Take the c of the best floor's fit."),
            ),
            Part(
                "next",
                1,
                "on small measurements: the prediction",
                call_measure,
                inputs=measurements,
                compare=("next",),
                hints=(
                    "At which x is the prediction made? The points are in no order.",
                    "A prediction is a loss: the floor belongs to it.",
                ),
            ),
            Part(
                "spread",
                2,
                "on small measurements: how far predictions lie apart",
                call_measure,
                inputs=measurements,
                compare=("spread",),
                hints=(
                    "Which floors are near enough? Compare their residuals with the least.",
                    "At most twice the least residual, after the root; the best floor itself is one of them.",
                ),
            ),
            Part(
                "report",
                2,
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
    ),
]
