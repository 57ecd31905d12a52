"""Question 09.4: Repair relative positions."""

import math

import torch
from autograder.authoring import Part, Question, normal


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
)
