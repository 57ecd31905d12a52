"""Question 07.6: Heads that share."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, in_double


def matrices(rng):
    far = {"d_model": 105, "shared": 5}
    cases = enumerate(sizes(rng, d_model=5, width=4, shared=4, sharing=4, far=far))
    for number, (d_model, width, shared, sharing) in cases:
        heads = shared * sharing
        unit = (1.0, 1e-3, 30.0, 1.0)[number % 4]
        W = normal(rng, d_model, heads * width, scale=unit)
        yield {"W": W, "n_heads": heads, "n_shared": shared}
    n = int(rng.integers(2, 5))
    yield {"W": normal(rng, n, 1), "n_heads": 1, "n_shared": 1}
    yield {"W": normal(rng, 2 * n, 6 * n), "n_heads": 2 * n, "n_shared": n}


def group(rng, batch, heads, shared, queries, keys, d_head, d_value):
    return {
        "query": normal(rng, batch, heads, queries, d_head),
        "key": normal(rng, batch, shared, keys, d_head),
        "value": normal(rng, batch, shared, keys, d_value),
    }


AXES = {"batch": 3, "shared": 3, "sharing": 3, "keys": 6, "d_head": 5, "d_value": 5}


def one_query(rng):
    """A text of more than a hundred keys too, and tiny queries with huge keys and the other way round."""
    for batch, shared, sharing, keys, d_head, d_value in sizes(rng, **AXES):
        yield group(rng, batch, shared * sharing, shared, 1, keys, d_head, d_value)
    yield group(rng, 1, 4, 2, 1, int(rng.integers(105, 115)), 2, 3)
    for small, large in (("query", "key"), ("key", "query")):
        case = group(rng, 2, 4, 2, 1, *(int(n) for n in rng.integers(3, 6, 3)))
        case |= {small: 1e-3 * case[small], large: 1e3 * case[large]}
        yield case | {"value": (2e-3 if small == "query" else 40.0) * case["value"]}


def as_many_queries_as_keys(rng):
    for batch, shared, sharing, keys, d_head, d_value in sizes(rng, **AXES):
        yield group(rng, batch, shared * sharing, shared, keys, keys, d_head, d_value)
    n, long = int(rng.integers(2, 5)), int(rng.integers(265, 285))
    yield group(rng, n, 1, 1, 4, 4, 3, 2)
    yield group(rng, n, n, n, n, n, n, n)
    case = group(rng, 1, 2, 1, long, long, 1, 1)
    yield case | {"query": 0.3 * case["query"]}


def fewer_queries_than_keys(rng):
    """The sizes of the text's example first."""
    yield group(rng, 2, 4, 2, 3, 10, 3, 2)
    axes = {"batch": 3, "shared": 3, "sharing": 3, "queries": (2, 5), "d_head": 4, "d_value": 4}
    for batch, shared, sharing, queries, d_head, d_value in sizes(rng, **axes):
        keys = queries + int(rng.integers(1, 4))
        yield group(rng, batch, shared * sharing, shared, queries, keys, d_head, d_value)


def far_groups(rng):
    """Scores all near 1500 or all near -1500 in a row; those of later positions are larger by hundreds."""
    for batch, shared, later in [(2, 2, 0), (1, 3, 2), (2, 1, 1)]:
        sharing, queries, d_head, d_value = (
            int(rng.integers(*ends)) for ends in ((2, 4), (3, 5), (2, 5), (2, 5))
        )
        heads, keys = shared * sharing, queries + later
        case = group(rng, batch, heads, shared, queries, keys, d_head, d_value)
        side = torch.from_numpy(np.resize([1.0, -1.0], queries)).float() * 1500.0
        ramp = torch.arange(keys).float() * torch.where(torch.arange(keys) < keys - 1, 2.0, 400.0)
        ramp[-1] += 15_000.0 * (queries < keys)
        root = (d_head + 2) ** 0.5
        query = torch.cat(
            [
                case["query"] * 0.3,
                (side * root).expand(batch, heads, -1)[..., None],
                torch.full((batch, heads, queries, 1), root),
            ],
            -1,
        )
        key = torch.cat(
            [
                case["key"],
                torch.ones(batch, shared, keys, 1),
                ramp.expand(batch, shared, -1)[..., None],
            ],
            -1,
        )
        yield in_double({"query": query, "key": key, "value": case["value"]})


def sent_back(rng):
    pieces = list(fewer_queries_than_keys(rng))[:3]
    cases = [next(one_query(rng)), *as_many_queries_as_keys(rng), *pieces, *far_groups(rng)]
    for case in cases:
        upstream = normal(rng, *case["query"].shape[:3], case["value"].shape[3])
        yield {**case, "upstream": upstream.to(case["query"].dtype)}


def call_pool(student, inputs):
    return {"pooled": student.pool_heads(inputs["W"], inputs["n_heads"], inputs["n_shared"])}


def call_grouped(student, inputs):
    return {"output": student.grouped_attention(inputs["query"], inputs["key"], inputs["value"])}


def call_grouped_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.grouped_attention(leaves["query"], leaves["key"], leaves["value"])
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def pool_heads(W, n_heads, n_shared):
    pieces, each = W.double().chunk(n_heads, 1), n_heads // n_shared
    means = [torch.stack(pieces[g * each : (g + 1) * each]).mean(0) for g in range(n_shared)]
    return torch.cat(means, 1)


def grouped_attention(query, key, value):
    heads, shared = query.shape[1], key.shape[1]
    queries, keys = query.shape[2], key.shape[2]
    outputs = []
    for h in range(heads):
        g = h * shared // heads
        q, k, v = query[:, h].double(), key[:, g].double(), value[:, g].double()
        rows = []
        for i in range(queries):
            seen = keys - queries + i + 1
            scores = (k[:, :seen] @ q[:, i, :, None])[..., 0] / math.sqrt(q.shape[2])
            rows.append((torch.softmax(scores, 1)[:, None] @ v[:, :seen])[:, 0])
        outputs.append(torch.stack(rows, 1))
    return torch.stack(outputs, 1)


QUESTION = Question(
    id="07.6",
    title="Heads that share",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={"pool_heads": pool_heads, "grouped_attention": grouped_attention},
    forbids=FUSED,
    exempt={
        "pool_heads: no gradient": "it makes a model from a trained one; nothing trains through it",
        "pool_heads: return of argument W": "where the shape is that of W, so are the numbers",
        "grouped_attention: a large negative number for minus infinity": "scores are in the thousands, "
        "and every query may attend to a key: -1e9 is as good",
    },
    clauses={
        "with 10 keys and 3 queries": "the first case of pieces; `strict` and `whole_text` lose it with "
        "what has fewer queries too",
        "stand at the positions 8, 9 and 10": "the first case of pieces",
        "may attend to its own position": "causal and pieces: `one_later` loses them, and `strict`",
        "may be far larger": "large scores and gradients have such: `renormalized` loses them",
        "by their mean": ("pool", "pool_sum"),
        "a multiple of n_shared": ("pool", "pool_strided"),
        "a whole number": ("pool", "pool_first"),
    },
    parts=[
        Part(
            "pool",
            2,
            "the mean of the heads that will share",
            call_pool,
            inputs=matrices,
            hints=(
                "Four heads, two shared: which heads of queries share the first, by the text?",
                "The columns stand head after head. Cut them into groups, heads of a group and width, in "
                "this order.",
                "A mean, not a sum: with all heads equal, nothing changes.",
            ),
        ),
        Part(
            "groups",
            1,
            "one query: neighboring heads share",
            call_grouped,
            inputs=one_query,
            hints=(
                (
                    "With one query nothing is masked. Take one head: which head of keys and which of "
                    "values does it read, and by what are its scores divided?"
                ),
                "The first H/G heads of queries read the first head of keys: it is repeated in place, "
                "not the whole row of heads one after the other.",
                "The scale is that of the width of a query.",
            ),
        ),
        Part(
            "causal",
            1,
            "as many queries as keys: no object sees a later one",
            call_grouped,
            inputs=as_many_queries_as_keys,
            hints=(
                "Query i may attend to the keys up to i, itself included.",
                "Forbidden scores become minus infinity before the softmax. Is the diagonal allowed?",
            ),
        ),
        Part(
            "pieces",
            3,
            "fewer queries than keys: the queries are the last ones",
            call_grouped,
            inputs=fewer_queries_than_keys,
            hints=(
                "With 7 keys and 3 queries, at which position does the first query stand, and how many "
                "keys may it see?",
                "The first query sees keys - queries + 1 keys. By how much is the triangle of the mask "
                "shifted?",
            ),
        ),
        Part(
            "large scores",
            1,
            "rows of scores near 1,500 and near -1,500, later ones larger still",
            call_grouped,
            inputs=far_groups,
            hints=(
                (
                    "Print one row of scores of the case that is named before and after the mask and each "
                    "step of the softmax. Do the differences of the allowed ones stay, and do the others "
                    "vanish?"
                ),
                "Mask before the largest score of a row is subtracted: a later one may be larger by "
                "hundreds.",
            ),
        ),
        Part(
            "gradients",
            1,
            "all of this together: the gradients are right",
            call_grouped_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (output * upstream).sum() with random upstream. Is one of the three "
                "gradients None, "
                "zero or NaN?",
                "Keys that several heads share receive the sum of their gradients. Is one cut off?",
            ),
        ),
    ],
)
