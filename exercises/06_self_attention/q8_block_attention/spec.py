"""Question 06.8: Attention block by block."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, masked, winners


def cut(keys, sizes):
    """Where blocks of these sizes, taken in turn, begin and end."""
    edges, turn = [0], 0
    while edges[-1] < keys:
        edges.append(min(keys, edges[-1] + sizes[turn % len(sizes)]))
        turn += 1
    return edges


def block_cases(rng):
    """Blocks of different sizes; some query may attend to nothing in one of them, or in all."""
    axes = {"batch": 3, "queries": 4, "keys": 7, "d_key": 6, "d_value": 6}
    for number, (batch, queries, keys, d_key, d_value) in enumerate(
        sizes(rng, **axes, far={"keys": 105, "queries": 101})
    ):
        cuts = [int(cut) for cut in rng.integers(1, 4, 2)]
        allowed = torch.from_numpy(rng.random((batch, queries, keys)) < 0.6)
        allowed[..., -1] |= ~allowed.any(-1)
        allowed[0, 0, : cuts[0]] = False
        allowed[-1, -1] = False
        yield {
            "query": normal(rng, batch, queries, d_key),
            "key": normal(rng, batch, keys, d_key),
            "value": normal(rng, batch, keys, d_value),
            "allowed": allowed,
            "edges": [0, keys] if number == 1 else cut(keys, cuts if keys < 100 else [32]),
        }


def blocks_of_any_size(rng):
    """Ordinary ones, and tiny queries with huge keys and the other way round: the scores stay ordinary."""
    yield from block_cases(rng)
    for small, large in (("query", "key"), ("key", "query")):
        case = next(block_cases(rng))
        case |= {small: 1e-3 * case[small], large: 1e3 * case[large]}
        yield case | {"value": (2e-3 if small == "query" else 40.0) * case["value"]}


def totals(rng):
    """Ordinary scores, and scores of thousands, with all keys allowed and with some forbidden."""
    yield from blocks_of_any_size(rng)
    for number, case in enumerate(winners(rng)):
        shape = (*case["query"].shape[:2], case["key"].shape[1])
        if number == 0:
            yield {**case, "allowed": torch.ones(shape, dtype=torch.bool)}
        yield masked(rng, case)


def long_blocks(rng):
    """Hundreds of keys, scores in the thousands of both signs, a query with nothing, hundreds of blocks."""
    for batch, low, size in [(1, 260, 32), (2, 12, 2)]:
        queries, keys, d_key, d_value = (
            int(rng.integers(*ends)) for ends in ((3, 6), (low, low + low // 4), (3, 5), (1, 4))
        )
        level = torch.from_numpy(rng.choice([3000.0, 4000.0, 4050.0], keys).astype(np.float32))
        allowed = torch.from_numpy(rng.random((batch, queries, keys)) < 0.7)
        allowed[-1, -1] = False
        key = torch.cat([normal(rng, batch, keys, d_key), level.expand(batch, -1)[..., None]], -1)
        sign = np.resize([-1.0, 1.0, 0.8], queries).astype(np.float32)
        sign = torch.from_numpy(sign).expand(batch, -1)[..., None]
        case = {
            "query": torch.cat([normal(rng, batch, queries, d_key), sign], -1),
            "key": key,
            "value": normal(rng, batch, keys, d_value),
            "allowed": allowed,
            "edges": cut(keys, [size]),
        }
        if size == 2:
            # all that the first two queries may attend to lies far below its neighbor in the block
            levels, first, second = key[..., -1], case["allowed"][0, 0], case["allowed"][0, 1]
            levels[:, 0], levels[:, 1] = 3000.0, 5000.0
            first[:], second[:] = False, False
            first[1], second[0] = True, True
        yield case
    yield hundreds_of_blocks(rng)


def hundreds_of_blocks(rng):
    queries, blocks = int(rng.integers(2, 4)), int(rng.integers(250, 290))
    allowed = torch.from_numpy(rng.random((1, queries, blocks)) < 0.7)
    return {
        "query": normal(rng, 1, queries, 2),
        "key": normal(rng, 1, blocks, 2),
        "value": normal(rng, 1, blocks, 1) + torch.linspace(-2, 2, blocks)[:, None],
        "allowed": allowed,
        "edges": cut(blocks, [1]),
    }


def merge_cases(rng):
    """Two results that weigh about the same, and some in which one of them holds nothing."""
    for number, (batch, queries, d_value) in enumerate(
        sizes(rng, batch=3, queries=5, d_value=4, far={"queries": 105})
    ):
        unit = (1.0, 1e-3, 1.0, 40.0, 1.0, 1.0, 1.0)[number]
        case = {
            "average": normal(rng, batch, queries, d_value, scale=unit),
            "total": normal(rng, batch, queries),
            "other_average": normal(rng, batch, queries, d_value, scale=unit),
            "other_total": normal(rng, batch, queries),
        }
        if number == 2:
            case |= {"total": 0 * case["total"] + 9e-4, "other_total": 0 * case["total"] + 9e-4}
        for side, place in (("", (0, 0)), ("other_", (-1, -1))):
            case[f"{side}average"][place], case[f"{side}total"][place] = 0.0, -math.inf
        yield case


def extreme_merges(rng):
    """Log totals in the thousands that differ by little or much, and queries with nothing on either side."""
    for batch in (2, 1):
        queries, d_value = int(rng.integers(3, 6)), int(rng.integers(1, 5))
        level = torch.from_numpy(rng.choice([-4000.0, 3000.0], (batch, queries)).astype(np.float32))
        level[0, 0], level[0, 1] = -4000.0, 3000.0
        gap = normal(rng, batch, queries)
        gap[0, 1] = 900.0
        case = {
            "average": normal(rng, batch, queries, d_value),
            "total": level,
            "other_average": normal(rng, batch, queries, d_value),
            "other_total": level + gap,
        }
        for side in ("", "other_"):
            case[f"{side}average"][-1, -1], case[f"{side}total"][-1, -1] = 0.0, -math.inf
        yield case


def call_log_total(student, inputs):
    return {"log_total": student.log_total(inputs["query"], inputs["key"], inputs["allowed"])}


def call_merge(student, inputs):
    names = ("average", "total", "other_average", "other_total")
    average, total = student.merge(*(inputs[name] for name in names))
    return {"average": average, "total": total}


def call_blocks(student, inputs):
    import weakref
    from itertools import pairwise

    edges, held, most = inputs["edges"], [], [0]

    def blocks():
        for begin, end in pairwise(edges):
            key = inputs["key"][:, begin:end].clone()
            held.append(weakref.ref(key))
            most[0] = max(most[0], sum(one() is not None for one in held))
            yield key, inputs["value"][:, begin:end].clone(), inputs["allowed"][..., begin:end].clone()

    output = student.attention_in_blocks(inputs["query"], blocks())
    return {"output": output, "blocks held at once": most[0]}


def holds_few(inputs, outputs):
    if not outputs["blocks held at once"] <= 3:
        return (
            f"{outputs['blocks held at once']} blocks were held at once; keep what follows from them instead"
        )


def log_total(query, key, allowed):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
    return scores.masked_fill(~allowed, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    totals = torch.stack([total, other_total]).double()
    top = totals.amax(0).clamp(min=-1e300)
    shares = (totals - top).exp()
    sums = shares.sum(0)
    both = shares[0, ..., None] * average.double() + shares[1, ..., None] * other_average.double()
    return both / sums.clamp(min=1e-300)[..., None], torch.where(sums > 0, top + sums.log(), -math.inf)


def attention_in_blocks(query, blocks):
    largest, top, bottom = None, 0.0, 0.0
    for key, value, allowed in blocks:
        scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
        scores = scores.masked_fill(~allowed, -1e300)
        seen = scores.amax(2, keepdim=True)
        new = seen if largest is None else torch.maximum(seen, largest)
        shrink = 0.0 if largest is None else (largest - new).exp()
        weights = torch.where(allowed, (scores - new).exp(), 0.0)
        top, bottom = top * shrink + weights @ value.double(), bottom * shrink + weights.sum(2, keepdim=True)
        largest = new
    return top / torch.where(bottom > 0, bottom, 1.0)


QUESTION = Question(
    id="06.8",
    title="Attention block by block",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={"log_total": log_total, "merge": merge, "attention_in_blocks": attention_in_blocks},
    needs=("06.1",),
    forbids=FUSED,
    exempt={
        "no gradient": "the text does not ask for them",
        "attention_in_blocks: a large negative number for minus infinity": "merged with nothing, an "
        "average of zeros stays",
    },
    clauses={
        "40 gigabytes in float32": "why it is wanted",
        "your `attention` of 06.1": "an advice",
        "where both sums run over": "the formula that log totals and blocks are compared with",
        "and $-\\infty$ where nothing": ("log totals", "finite_nothing"),
        "neither allows anything": "extremes, blocks and long all have such queries: `nothing_nan` loses "
        "them",
        "can be read once": ("long", "blocks_kept"),
        "may be in the thousands": "extremes and long have such log totals: `overflow` loses them",
        "True where a query may attend": "every case of log totals, blocks and long has a mask",
        "over at least one triple": "one of the cases of blocks has a single block",
    },
    parts=[
        Part(
            "log totals",
            1,
            "the log of each query's denominator",
            call_log_total,
            inputs=totals,
            hints=(
                (
                    "Take the first query that is wrong: which keys are allowed, what are their scores, "
                    "and what should become of the forbidden ones? Add up its Z by hand."
                ),
                "A forbidden key adds nothing to Z. Which score adds exp(score) = 0?",
                "The log of a sum of exponentials has a function of its own in PyTorch, which does not "
                "overflow.",
            ),
        ),
        Part(
            "merge",
            3,
            "two sets of keys together",
            call_merge,
            inputs=merge_cases,
            hints=(
                (
                    "Take the first query that is wrong, and its two log totals. Which share of the new "
                    "average should each side have, and what is the new log total?"
                ),
                "Averages mix in the proportion of the Z, and denominators add up: what is the log of "
                "the new one?",
                "A block in which nothing is allowed has Z = 0 and should change nothing.",
            ),
        ),
        Part(
            "extremes",
            1,
            "log totals in the thousands, and nothing on either side",
            call_merge,
            inputs=extreme_merges,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "exp(3000) overflows, and exp(-4000) is zero: do not compute Z itself.",
                "Only the difference of the two log totals matters for the average. Subtract the larger "
                "one from both before you take exponentials.",
                "Where both are minus infinity, their difference is NaN. Find these places first.",
            ),
        ),
        Part(
            "blocks",
            3,
            "attention over all keys",
            call_blocks,
            inputs=blocks_of_any_size,
            compare=("output",),
            hints=(
                "Follow one query by hand through two blocks: what is kept after the first?",
                "Keep an average and a log total, and merge each block's into them. Is your 06.1 right "
                "where nothing is allowed?",
                "With one block nothing is merged. With three, does the log total after the second hold "
                "both?",
            ),
        ),
        Part(
            "long",
            1,
            "hundreds of keys and of blocks, scores far apart, and no block is kept",
            call_blocks,
            inputs=long_blocks,
            rtol=1e-3,
            atol=1e-3,
            compare=("output",),
            properties=(holds_few,),
            hints=(
                (
                    "What is large in the case that is named: the scores, the keys, the number of blocks, "
                    "or what you keep of the blocks that are read?"
                ),
                "A list of blocks needs as much memory as all keys. Keep the average and the log total "
                "instead.",
                "If the numbers are wrong: scores are between 1,000 and 2,500 here, of both signs, and a "
                "forbidden one may be far above the allowed ones of its block.",
            ),
        ),
    ],
)
