"""Question 17.1: Scores by distance."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def of_sizes(rng, batch, queries, memory, d, scale=1.0, of_keys=1.0):
    keys = queries + memory
    return {
        "query": normal(rng, batch, queries, d, scale=scale),
        "key": normal(rng, batch, keys, d, scale=of_keys),
        "distance_key": normal(rng, keys, d, scale=of_keys),
    }


def alone(rng):
    """No memory: the square."""
    for batch, queries, d in sizes(rng, batch=3, queries=5, d=4, far={"queries": 110}):
        yield of_sizes(rng, batch, queries, 0, d)
    yield of_sizes(rng, 2, 3, 0, 3, 20.0)
    yield of_sizes(rng, 2, 3, 0, 3, of_keys=20.0)


def remembered(rng):
    for batch, queries, memory, d in sizes(rng, batch=3, queries=5, memory=6, d=4, far={"memory": 110}):
        yield of_sizes(rng, batch, queries, memory, d)
    yield of_sizes(rng, 2, 3, 2, 3, 20.0)
    yield of_sizes(rng, 2, 3, 2, 3, of_keys=20.0)
    yield of_sizes(rng, 2, 1, 5, 3, 2e-3)


def both(rng):
    yield from list(alone(rng))[:6]
    yield from remembered(rng)


def sent_back(rng):
    for case in both(rng):
        batch, queries, _ = case["query"].shape
        yield {**case, "upstream": normal(rng, batch, queries, case["key"].shape[1])}


def give_scores(student, inputs):
    query, key = inputs["query"], inputs["key"]
    scores = torch.as_tensor(student.relative_scores(query, key, inputs["distance_key"]))
    queries, keys = query.shape[1], key.shape[1]
    seen = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
    return {"scores": torch.where(seen, scores, torch.zeros_like(scores))}


def give_hidden(student, inputs):
    scores = student.relative_scores(inputs["query"], inputs["key"], inputs["distance_key"])
    scores = torch.as_tensor(scores)
    return {"hidden": scores == -torch.inf, "missing": torch.isnan(scores)}


def give_gradients(student, inputs):
    names = ("query", "key", "distance_key")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    scores = student.relative_scores(**leaves)
    queries, keys = scores.shape[1:]
    seen = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
    (torch.where(seen, scores, torch.zeros_like(scores)) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def relative_scores(query, key, distance_key):
    query, key, distance_key = query.double(), key.double(), distance_key.double()
    queries, keys = query.shape[1], key.shape[1]
    away = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    pairs = distance_key[away.clamp(min=0)]
    scores = query @ key.mT + torch.einsum("bid,ijd->bij", query, pairs)
    return scores.masked_fill(away < 0, -torch.inf)


QUESTION = Question(
    id="17.1",
    title="Scores by distance",
    kind="implement",
    difficulty=3,
    minutes=20,
    reference={"relative_scores": relative_scores},
    clauses={
        "minus infinity": ("hidden", "all_shown"),
        "Nothing is divided": "all values: `scaled` loses alone, memory and gradients",
        "at least as many keys": "keys are the memory's and the queries' own",
        "Models train": ("gradients", "detached"),
    },
    parts=[
        Part(
            "alone",
            1,
            "the scores without a memory",
            give_scores,
            inputs=alone,
            hints=(
                "Let every entry of the product with the distances be its own distance. Where does it stand "
                "before the skew, and where after?",
                "The skew wants the farthest distance in the first column.",
                "Row i moves left by queries - 1 - i.",
            ),
        ),
        Part(
            "memory",
            2,
            "the scores behind a memory",
            give_scores,
            inputs=remembered,
            hints=(
                "Take two queries behind a memory of three. How far is the first query from the first key?",
                "The queries are the last positions, so query i stands at keys - queries + i.",
            ),
        ),
        Part(
            "hidden",
            1,
            "later keys have minus infinity, and no others",
            give_hidden,
            inputs=both,
            hints=(
                "Which keys come after the first query? After the last?",
                "With a memory the diagonal lies farther right, by as many places as the memory has.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients reach queries, keys and distances",
            give_gradients,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (scores * upstream).sum() over the seen keys. Is one gradient None?",
                "What is given wrong has wrong gradients too. Where it is right, look for detach or NumPy.",
            ),
        ),
    ],
)
