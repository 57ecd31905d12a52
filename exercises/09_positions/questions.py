"""Exercises of chapter 9: waves, costs, rotary positions, relative positions repaired, a table measured."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal


def places(rng, n, farthest=300.0):
    """Positions in any order, whole ones and others, 0 and negative ones among them."""
    drawn = rng.uniform(-farthest / 3, farthest, n)
    drawn[::2] = np.floor(drawn[::2])
    if n > 1:
        drawn[rng.integers(n)] = 0.0
    return torch.from_numpy(drawn.astype(np.float32))


def wave_cases(sizes):
    def draw(rng):
        for n, d in sizes:
            yield {"positions": places(rng, n), "d": d}

    return draw


def other_bases(rng):
    for n, d in [(5, 6), (3, 7), (4, 4), (2, 9)]:
        yield {"positions": places(rng, n), "d": d, "base": float(np.exp(rng.uniform(1, 14)))}


def call_waves(student, inputs):
    base = (inputs["base"],) if "base" in inputs else ()
    return {"table": student.waves(inputs["positions"], inputs["d"], *base)}


def waves(positions, d, base=10000.0):
    table = np.zeros((len(positions), d))
    for row, t in enumerate(positions.double().tolist()):
        for column in range(d):
            angle = t / base ** (2 * (column // 2) / d)
            table[row, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return torch.from_numpy(table)


HEADS = [
    (2, 3, 4, 6),
    (1, 2, 5, 4),
    (3, 1, 2, 8),
    (2, 4, 1, 6),
    (2, 2, 4, 4),
    (1, 1, 3, 2),
    (2, 3, 4, 6),
    (1, 1, 130, 2),
    (1, 1, 3, 120),
]


def vectors_to_turn(rng):
    for batch, heads, time, d in HEADS:
        yield {
            "x": normal(rng, batch, heads, time, d),
            "positions": places(rng, time),
            "upstream": normal(rng, batch, heads, time, d),
        }


def vectors_with_bases(rng):
    for case in vectors_to_turn(rng):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


def pairs_of_vectors(rng):
    """A query and a key at eight positions each, none of them 0."""
    for d in (4, 6, 10):
        positions = torch.arange(8.0) + float(rng.integers(1, 40))
        yield {"q": normal(rng, d), "k": normal(rng, d), "positions": positions}


def call_rotate(student, inputs):
    base = (inputs["base"],) if "base" in inputs else ()
    return {"turned": student.rotate(inputs["x"], inputs["positions"], *base)}


def call_distances(student, inputs):
    """Rows of a query and a key repeated: what their scores have in common on each diagonal."""
    n, turned = len(inputs["positions"]), []
    for name in ("q", "k"):
        rows = inputs[name].repeat(1, 1, n, 1)
        turned.append(torch.as_tensor(student.rotate(rows, inputs["positions"].clone()))[0, 0].double())
    scores = turned[0] @ turned[1].T
    spread = [scores.diagonal(m).max() - scores.diagonal(m).min() for m in range(2 - n, n - 1)]
    return {
        "spread of the scores at each distance": torch.stack(spread),
        "lengths of the turned queries": turned[0].norm(dim=-1),
        "positions at which the query has moved": (turned[0] - inputs["q"]).norm(dim=-1) > 1e-3,
    }


def call_turned_gradients(student, inputs):
    x = inputs["x"].clone().requires_grad_()
    (student.rotate(x, inputs["positions"]) * inputs["upstream"]).sum().backward()
    return {"gradient of x": torch.zeros_like(x) if x.grad is None else x.grad}


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    y = torch.zeros_like(x, dtype=torch.float64)
    for j in range(d // 2):
        angle = positions.double() * base ** (-2 * j / d)
        a, b = x[..., 2 * j].double(), x[..., 2 * j + 1].double()
        y[..., 2 * j] = a * angle.cos() - b * angle.sin()
        y[..., 2 * j + 1] = a * angle.sin() + b * angle.cos()
    return y


def mirrored(vectors):
    """The same vector for a distance on either side."""
    return (vectors + vectors.flip(0)) / 2


def near_distances(rng):
    """Whatever the direction, no distance is beyond the last vector; one feature, no start."""
    for batch, queries, keys, c in [(2, 3, 4, 4), (1, 4, 2, 5), (3, 2, 3, 2), (2, 1, 3, 2)]:
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": normal(rng, 2 * c + 1, 1),
            "n_keys": keys,
        }


def far_distances(rng):
    for batch, queries, keys, c in [(2, 7, 8, 2), (1, 6, 9, 1), (2, 9, 9, 3), (1, 1, 9, 2)]:
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": mirrored(normal(rng, 2 * c + 1, 1)),
            "n_keys": keys,
        }


def wide_heads(rng):
    for batch, queries, keys, d, c in [(2, 3, 4, 5, 4), (1, 4, 2, 3, 5), (2, 2, 2, 6, 1)]:
        yield {
            "query": normal(rng, batch, queries, d),
            "vectors": mirrored(normal(rng, 2 * c + 1, d)),
            "n_keys": keys,
        }


def later_queries(rng):
    for batch, queries, start, c in [(2, 3, 4, 7), (1, 1, 5, 6), (2, 4, 1, 5)]:
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": mirrored(normal(rng, 2 * c + 1, 1)),
            "n_keys": start + queries,
            "start": start,
        }


def all_biases(rng):
    sizes = [
        (2, 3, 6, 5, 2, 3),
        (1, 4, 4, 3, 1, 0),
        (3, 1, 7, 2, 2, 6),
        (2, 4, 6, 4, 3, 2),
        (2, 1, 1, 3, 2, 0),
        (1, 2, 130, 2, 4, 100),
        (1, 5, 5, 5, 2, 0),
        (2, 3, 6, 5, 2, 3),
        (1, 120, 3, 2, 2, 0),
        (2, 8, 9, 3, 2, 1),
    ]
    for batch, queries, keys, d, c, start in sizes:
        yield {
            "query": normal(rng, batch, queries, d),
            "vectors": normal(rng, 2 * c + 1, d),
            "n_keys": keys,
            "start": start,
            "upstream": normal(rng, batch, queries, keys),
        }


def call_bias(student, inputs):
    start = (inputs["start"],) if inputs.get("start") else ()
    return {"bias": student.relative_bias(inputs["query"], inputs["vectors"], inputs["n_keys"], *start)}


def call_bias_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "vectors")}
    bias = student.relative_bias(leaves["query"], leaves["vectors"], inputs["n_keys"], inputs["start"])
    (bias * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def relative_bias(query, vectors, n_keys, start=0):
    queries, d = query.shape[1:]
    c = (len(vectors) - 1) // 2
    columns = []
    for i in range(queries):
        rows = [c + max(-c, min(c, j - i - start)) for j in range(n_keys)]
        columns.append(query[:, i].double() @ vectors[rows].double().T / math.sqrt(d))
    return torch.stack(columns, 1)


def small_tables(rng):
    """Tables between waves and noise, whose rows differ in length."""
    for n, d, offset in [(12, 3, 2), (20, 4, 5), (9, 2, 1), (40, 6, 7)]:
        t = np.arange(n)[:, None]
        smooth = np.sin(t * rng.uniform(0.2, 1.5, d) + rng.uniform(0, 6, d))
        table = (smooth + 0.4 * rng.standard_normal((n, d))) * rng.uniform(0.5, 2.0, (n, 1))
        yield {"table": table, "offset": offset}


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


STREAMS = [
    (2, 3, 4, 6),
    (1, 4, 2, 4),
    (3, 1, 5, 2),
    (2, 4, 4, 4),
    (1, 1, 1, 6),
    (2, 3, 4, 6),
    (1, 2, 120, 2),
    (1, 120, 2, 2),
    (1, 3, 2, 110),
]


def streams(first, last):
    def draw(rng):
        for batch, queries, keys, d in STREAMS:
            start = int(rng.integers(first, last))
            yield {
                "query": normal(rng, batch, queries, d),
                "key": normal(rng, batch, keys, d),
                "query_positions": torch.from_numpy(start + rng.integers(0, 900, queries)),
                "key_positions": torch.from_numpy(start + rng.integers(0, 900, keys)),
                "upstream": normal(rng, batch, queries, keys),
            }

    return draw


def far_streams(rng):
    """Positions far out; the last ones lie on both sides of a number that some remainder is taken by."""
    yield from streams(10**15, 3 * 10**15)(rng)
    rounds = [10**12 * int(rng.integers(1000, 3000)), 2**40 * int(rng.integers(1000, 3000))]
    wholes = (62_831, 62_832, 86_400, 1_000_003, 2**31 - 1)  # 62,832 is about the slowest wave's length
    rounds += [whole * int(rng.integers(10**15 // whole, 3 * 10**15 // whole)) for whole in wholes]
    for middle, (batch, queries, keys, d) in zip(rounds, STREAMS * 2):
        yield {
            "query": normal(rng, batch, queries, d),
            "key": normal(rng, batch, keys, d),
            "query_positions": torch.from_numpy(middle - rng.integers(1, 450, queries)),
            "key_positions": torch.from_numpy(middle + rng.integers(0, 450, keys)),
            "upstream": normal(rng, batch, queries, keys),
        }


def streams_with_bases(rng):
    for case in streams(0, 10**6)(rng):
        yield case | {"base": float(np.exp(rng.uniform(2, 14)))}


def call_far(student, inputs):
    names = ("query", "key", "query_positions", "key_positions", "base")
    return {"scores": student.far_scores(*(inputs[name] for name in names if name in inputs))}


def call_far_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key")}
    scores = student.far_scores(*leaves.values(), inputs["query_positions"], inputs["key_positions"])
    (scores * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def far_scores(query, key, query_positions, key_positions, base=10000.0):
    d = query.shape[-1]
    distance = (query_positions[:, None] - key_positions).double()
    scores = torch.zeros(len(query), *distance.shape, dtype=torch.float64)
    for j in range(d // 2):
        a, b = (query[:, :, None, 2 * j + n].double() for n in (0, 1))
        e, f = (key[:, None, :, 2 * j + n].double() for n in (0, 1))
        angle = distance * base ** (-2 * j / d)
        scores = scores + (a * e + b * f) * angle.cos() + (a * f - b * e) * angle.sin()
    return scores


QUESTIONS = [
    Question(
        id="09.1",
        title="Waves",
        kind="implement",
        difficulty=1,
        minutes=15,
        reference={"waves": waves},
        exempt={"no gradient": "positions are data, and nothing trains through them"},
        parts=[
            Part(
                "even widths",
                2,
                "pairs of a sine and a cosine, of rates that fall from the first pair on",
                call_waves,
                inputs=wave_cases([(5, 6), (1, 4), (7, 2), (4, 4), (3, 8), (5, 6), (130, 2), (2, 120)]),
                atol=1e-4,
                hints=(
                    "Write down position 1 for d = 4 by hand: sin 1, cos 1, sin 0.01, cos 0.01.",
                    "Sine and cosine of a pair have the same rate. Which number stands in the exponent for "
                    "the columns 4 and 5?",
                    "Is the position the one that was given, or the number of the row?",
                ),
            ),
            Part(
                "odd widths",
                1,
                "the last sine stands alone",
                call_waves,
                inputs=wave_cases([(4, 5), (6, 1), (1, 3), (3, 7), (5, 5)]),
                atol=1e-4,
                hints=(
                    "With d = 5 there are three sines and two cosines.",
                    "The exponent divides by d itself, also where d is odd.",
                ),
            ),
            Part(
                "bases",
                1,
                "another base",
                call_waves,
                inputs=other_bases,
                atol=1e-4,
                hints=(
                    "Does the number 10000 still stand in your function?",
                    "The rate of pair j is b to the power -2j/d. For d = 4 the second pair has 1 / sqrt(b).",
                ),
            ),
        ],
    ),
    Question(
        id="09.2",
        title="What a scheme costs, and how far it reaches",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "one_hot": 589824,
            "joint": 2621440,
            "relative": 198144,
            "wavelength": 2 * math.pi * 10000**0.375,
            "slow": 17,
            "similarity": math.cos(2) + math.cos(0.02),
            "penalty": math.exp(-1.5),
        },
        parts=[
            Part(
                "one_hot",
                1,
                "parameters of the one-hot form",
                reads=("one_hot",),
                hints=(
                    "How long is the extended vector? The map has one row for each of its features.",
                    "(x_t, e_t) has d + n features, and the map sends each of them to d.",
                ),
            ),
            Part(
                "joint",
                1,
                "parameters of the joint form",
                reads=("joint",),
                hints=(
                    "The joint form has three matrices. Which of them have a side of length n?",
                    "W_x is d x m, W_e is n x m, and W_z is m x d.",
                ),
            ),
            Part(
                "relative",
                1,
                "parameters of the vectors of distances",
                reads=("relative",),
                hints=(
                    "How many distances are there from -c to c, with 0?",
                    "Each of them has a vector of a head's width, in each head of each block.",
                ),
            ),
            Part(
                "wavelength",
                1,
                "a wavelength",
                reads=("wavelength",),
                hints=(
                    "A pair has gone around when its angle is 2 pi. What is the angle after t positions?",
                    "The wavelength of pair j is 2 pi times the base to the power 2j/d.",
                ),
            ),
            Part(
                "slow",
                1,
                "the pairs that are slower than the context",
                reads=("slow",),
                hints=(
                    "If `wavelength` is wrong, mend that first.",
                    "Write the 64 wavelengths down with a loop and count.",
                ),
            ),
            Part(
                "similarity",
                1,
                "how alike two positions are",
                reads=("similarity",),
                hints=(
                    "The products of sines and of cosines of one pair add up to a single cosine. Of what?",
                    "With d = 4 there are two pairs, of rates 1 and 1/100.",
                ),
            ),
            Part(
                "penalty",
                1,
                "what ALiBi does to a key",
                reads=("penalty",),
                hints=(
                    "The slope of head h of H is 2 to the power -8h/H, and h counts from 1.",
                    "The penalty is subtracted from the score. What does that do to its exponential?",
                ),
            ),
        ],
    ),
    Question(
        id="09.3",
        title="Turn queries and keys",
        kind="implement",
        difficulty=3,
        minutes=25,
        reference={"rotate": rotate},
        parts=[
            Part(
                "distances",
                1,
                "lengths stay, vectors move, and scores depend on the distance alone",
                call_distances,
                inputs=pairs_of_vectors,
                rtol=1e-3,
                atol=2e-3,
                hints=(
                    "A rotation of two numbers keeps the sum of their squares. Does yours?",
                    "Query and key are turned in the same sense, so that the angles subtract in the score.",
                    "Is the angle proportional to the position, with nothing added that grows?",
                ),
            ),
            Part(
                "values",
                2,
                "features 2j and 2j + 1 turned by their own angle",
                call_rotate,
                inputs=vectors_to_turn,
                rtol=1e-4,
                atol=2e-4,
                hints=(
                    "Turn (1, 0) and (0, 1) at position 1 with d_head = 2 by hand, and compare.",
                    "Which two features make a pair, and where does each result go?",
                    "In the rate, the exponent divides by d_head. There are half as many rates as features.",
                ),
            ),
            Part(
                "bases",
                1,
                "another base",
                call_rotate,
                inputs=vectors_with_bases,
                rtol=1e-4,
                atol=2e-4,
                hints=(
                    "If `values` is lost too, mend that first.",
                    "Does the number 10000 still stand in your function?",
                ),
            ),
            Part(
                "gradients",
                2,
                "gradients come back to x",
                call_turned_gradients,
                inputs=vectors_to_turn,
                rtol=1e-4,
                atol=2e-4,
                hints=(
                    "If `values` is lost too, mend that first: a gradient is turned back by the same angle.",
                    "Is the result computed from x with operations of PyTorch, without detach, numpy or "
                    "no_grad?",
                ),
            ),
        ],
    ),
    Question(
        id="09.4",
        title="Repair relative positions",
        kind="repair",
        difficulty=4,
        minutes=30,
        reference={"relative_bias": relative_bias},
        parts=[
            Part(
                "direction",
                1,
                "keys before and after the query get the right vectors",
                call_bias,
                inputs=near_distances,
                hints=(
                    "Give each vector the number of its distance as its only feature, and print the result.",
                    "Is the distance the key's position minus the query's?",
                ),
            ),
            Part(
                "far",
                1,
                "keys farther than c share the last vector on their side",
                call_bias,
                inputs=far_distances,
                hints=(
                    "Which row does a key get that is c + 2 positions away?",
                    "A remainder wraps around to the other end. Clipping stops at the end.",
                    "Clip the distance first, on both sides, and add c afterwards.",
                ),
            ),
            Part(
                "scale",
                1,
                "products are scaled as scores are",
                call_bias,
                inputs=wide_heads,
                hints=(
                    "What is added to a score has to have its size. What are scores divided by?",
                    "The number of features of a query is the width of the head.",
                ),
            ),
            Part(
                "start",
                2,
                "queries that stand later than 0",
                call_bias,
                inputs=later_queries,
                hints=(
                    "One query at position 5 sees six keys. What is its distance to the last of them?",
                    "Where is `start` used?",
                    "The position of a query is its row plus `start`; keys always count from 0.",
                ),
            ),
            Part(
                "together",
                1,
                "all of it at once",
                call_bias,
                inputs=all_biases,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won, try more than one feature, a start and far keys together.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients reach the query and the vectors",
                call_bias_gradients,
                inputs=all_biases,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first.",
                    "If not: does something cut the gradient off, such as detach, or a tensor made from "
                    "plain numbers?",
                ),
            ),
        ],
    ),
    Question(
        id="09.5",
        title="Measure a table",
        kind="experiment",
        difficulty=3,
        minutes=25,
        reference={
            "measure": measure,
            "report": {"seed": 0, "neighbors": 0.009743, "left_over": 0.8772},
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
                2,
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
    ),
    Question(
        id="09.6",
        title="A quadrillion tokens later",
        kind="implement",
        difficulty=5,
        minutes=35,
        reference={"far_scores": far_scores},
        needs=("09.3",),
        parts=[
            Part(
                "near",
                2,
                "the scores at positions below a thousand",
                call_far,
                inputs=streams(0, 100),
                rtol=1e-4,
                atol=1e-3,
                hints=(
                    "Turn the queries by their positions and the keys by theirs, and multiply.",
                    "Your rotate wants four dimensions: batch, heads, time, d_head.",
                    "If you move the origin, move it for queries and keys alike.",
                ),
            ),
            Part(
                "far",
                2,
                "the same at positions up to 4e15",
                call_far,
                inputs=far_streams,
                rtol=1e-4,
                atol=1e-3,
                hints=(
                    "How far apart are two neighboring float32 numbers at 1e15? And what does an error of "
                    "0.1 in an angle do?",
                    "Which position is called 0 is free. Choose one that makes all numbers small.",
                    "Subtract while the positions are still whole numbers of type int64. A remainder is no "
                    "difference: two neighbors may lie on both sides of a multiple.",
                ),
            ),
            Part(
                "bases",
                1,
                "another base",
                call_far,
                inputs=streams_with_bases,
                rtol=1e-4,
                atol=1e-3,
                hints=(
                    "Is `base` handed on?",
                    "If `near` is lost too, mend that first.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients come back to query and key",
                call_far_gradients,
                inputs=streams(0, 10**6),
                rtol=1e-4,
                atol=1e-3,
                hints=(
                    "If `near` is lost too, mend that first.",
                    "Does your 09.3 pass its part `gradients`?",
                ),
            ),
        ],
    ),
]
