"""Question 17.3: Attention in tiles."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def tiles_of(rng, queries, tiles, tile, d, width, scale=1.0, of_keys=1.0):
    return {
        "query": normal(rng, queries, d, scale=scale),
        "keys": normal(rng, tiles, tile, d, scale=of_keys),
        "values": normal(rng, tiles, tile, width),
    }


def ordinary(rng):
    for queries, tiles, tile, d, width in sizes(
        rng, queries=5, tiles=4, tile=3, d=4, width=6, far={"queries": 110}
    ):
        yield tiles_of(rng, queries, tiles, tile, d, width)
    yield tiles_of(rng, 2, 110, 2, 3, 2)
    yield tiles_of(rng, 3, 3, 2, 3, 2, 30.0, 0.1)
    yield tiles_of(rng, 3, 3, 2, 3, 2, 3e-4, 3e3)


def extreme(rng):
    """Scores far beyond what an exponential can hold, rising and falling from tile to tile."""
    for sign in (1.0, -1.0, 1.0, -1.0):
        case = tiles_of(rng, 4, 5, 3, 2, 3)
        slope = torch.linspace(-900, 900, 5)[:, None, None] * sign
        case["keys"] = 0.5 * case["keys"] + torch.cat([slope, 0 * slope], dim=2)
        case["query"] = torch.tensor([[1.4, 0.3], [-1.4, 1.0], [0.7, -2.0], [0.0, 1.0]])
        yield case
    for offset in (-2000.0, 2000.0):
        case = tiles_of(rng, 3, 3, 2, 1, 2)
        case["query"] = torch.ones(3, 1)
        case["keys"] = offset + case["keys"].round()
        yield case


def give_output(student, inputs):
    pairs = zip(inputs["keys"].clone(), inputs["values"].clone())
    return {"output": student.attend(inputs["query"], iter(list(pairs)))}


def give_reused(student, inputs):
    """One place in memory, into which each tile is written over the one before."""

    def one_after_the_other():
        key, value = inputs["keys"][0].clone(), inputs["values"][0].clone()
        for next_key, next_value in zip(inputs["keys"], inputs["values"]):
            key.copy_(next_key)
            value.copy_(next_value)
            yield key, value
        key.fill_(torch.nan)
        value.fill_(torch.nan)

    return {"output": student.attend(inputs["query"], one_after_the_other())}


def attend(query, tiles):
    pairs = [(key.double().clone(), value.double().clone()) for key, value in tiles]
    keys, values = (torch.cat(parts) for parts in zip(*pairs))
    scores = query.double() @ keys.T / query.shape[1] ** 0.5
    return scores.softmax(1) @ values


QUESTION = Question(
    id="17.3",
    title="Attention in tiles",
    kind="implement",
    difficulty=4,
    minutes=25,
    reference={"attend": attend},
    exempt={
        "no gradient": "it serves, nothing trains through it",
        "a millionth in a divisor": "the largest score adds one to the sum that divides",
    },
    clauses={
        "written over the one before": ("reused", "collected"),
        "may be far beyond": ("extreme", "no_maximum"),
        "float64": "it keeps rounding out of the way, and the tolerances do not ask for it",
        "at least one": "there is a tile in every case, and one alone in values",
        "each text is read once": "what the tiles are for",
    },
    parts=[
        Part(
            "values",
            2,
            "the output of ordinary attention",
            give_output,
            inputs=ordinary,
            hints=(
                "Carry three things from tile to tile: the largest score of each query, the sum of the "
                "exponentials, and the weighted sum of the values.",
                "When a larger score comes, what was summed before was measured against the smaller one.",
                "One factor, the exponential of the old maximum minus the new one, mends both sums.",
            ),
        ),
        Part(
            "extreme",
            2,
            "scores beyond every exponential",
            give_output,
            inputs=extreme,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "Look at a query whose scores grow by a thousand from tile to tile. Is there an infinity?",
                "Only differences to the largest score so far may stand in an exponential. Before the "
                "first tile that is minus infinity.",
            ),
        ),
        Part(
            "reused",
            2,
            "tiles that share one place in memory",
            give_reused,
            inputs=ordinary,
            hints=(
                "What does your function hold of a tile after the next one has come?",
                "Use each tile at once. After it, the sums are all that is needed of it.",
            ),
        ),
    ],
)
