"""Question 09.4: Repair relative positions."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes


def mirrored(vectors):
    """The same vector for a distance on either side."""
    return (vectors + vectors.flip(0)) / 2


def near_distances(rng):
    """Whatever the direction, no distance is beyond the last vector; one feature, no start."""
    for batch, queries, keys in sizes(rng, batch=3, queries=4, keys=4):
        c = max(queries, keys) - 1 + int(rng.integers(1, 3))
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": normal(rng, 2 * c + 1, 1),
            "n_keys": keys,
        }


def far_distances(rng):
    """Many keys and queries for few vectors; at last one vector for all distances."""
    shapes = [
        (2, 7, 8, 2),
        *sizes(rng, batch=3, queries=8, keys=9, c=(1, 3), far={"keys": 110}),
        (2, 3, 4, 0),
    ]
    for batch, queries, keys, c in shapes:
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": mirrored(normal(rng, 2 * c + 1, 1)),
            "n_keys": keys,
        }


def wide_heads(rng):
    for batch, queries, keys, d in sizes(rng, batch=2, queries=3, keys=3, d=(1, 6), far={"d": 104}):
        c = max(queries, keys) - 1 + int(rng.integers(1, 3))
        yield {
            "query": normal(rng, batch, queries, d),
            "vectors": mirrored(normal(rng, 2 * c + 1, d)),
            "n_keys": keys,
        }


def later_queries(rng):
    """No distance is beyond the last vector; at last the queries stand behind all keys."""
    shapes = list(sizes(rng, batch=3, queries=4, start=(1, 7)))
    for batch, queries, start in [*shapes, (2, 3, int(rng.integers(5, 8)))]:
        c = start + queries - 1 + int(rng.integers(0, 2))
        yield {
            "query": normal(rng, batch, queries, 1),
            "vectors": mirrored(normal(rng, 2 * c + 1, 1)),
            "n_keys": start + queries,
            "start": start,
        }
    for keys, start in ((3, 3), (2, 5)):
        yield {
            "query": normal(rng, 2, 3, 1),
            "vectors": mirrored(normal(rng, 2 * start + 7, 1)),
            "n_keys": keys,
            "start": start,
        }
    for start in (1, 3):  # the same shapes
        yield {
            "query": normal(rng, 2, 3, 1),
            "vectors": mirrored(normal(rng, 13, 1)),
            "n_keys": 5,
            "start": start,
        }


def all_biases(rng):
    """At last queries and vectors of other sizes, and as many of everything as there are vectors."""
    far = {"queries": 110, "more": 110, "start": 270}
    shapes = list(sizes(rng, batch=3, queries=4, more=(1, 5), d=4, c=(1, 3), start=(0, 6), far=far))
    shapes += [(3, 3, 2, 3, 1, 1)]  # the shapes of one below, with another start
    shapes += [(2, 3, 2, 3, 2, 4)] * 3 + [(3, 3, 3, 3, 1, 0), (3, 1, 1, 3, 1, 3)]
    scales = [(1.0, 1.0)] * len(shapes)
    scales[-5:-2] = [(1e-3, 1.0), (1.0, 1e-3), (20.0, 20.0)]
    for (batch, queries, more, d, c, start), (size, vector_size) in zip(shapes, scales):
        yield {
            "query": normal(rng, batch, queries, d, scale=size),
            "vectors": normal(rng, 2 * c + 1, d, scale=vector_size),
            "n_keys": start + more,
            "start": start,
            "upstream": normal(rng, batch, queries, start + more),
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


QUESTION = Question(
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
            3,
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
                "Try several features, a start and far keys together: everything has to be right at once.",
                "Compute one number by hand: a query at `start` 2, a key at 5 and two features, with c = 2.",
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
                (
                    "Print the gradients of the query and of the vectors for the case that is named, "
                    "computed alone and after another case. Which rows are missing, too large or not "
                    "their own?"
                ),
                "Does something cut the gradient off, such as detach, or a tensor made from plain numbers?",
            ),
        ),
    ],
    clauses={
        "brings it into": ("far", "nothing_from_one"),
        "$c$ may be 0": ("far", "nothing_from_one"),
        "Keys stand at": ("start", "start_within_keys"),
        "it has to train": ("gradients", "detached"),
        "a whole number": "it is the form of a count and of a position",
        "2 * c + 1": ("far", "nothing_from_one"),
    },
)
