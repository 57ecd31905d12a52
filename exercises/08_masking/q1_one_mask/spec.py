"""Question 08.1: One function for all masks."""

import torch
from autograder.authoring import Part, Question

from ..inputs import whole


def given_lengths(rng, batch, n_keys):
    """Lengths from 0 to all keys; of several sequences one is empty and one is as long as can be."""
    lengths = rng.integers(0, n_keys + 1, batch)
    if batch > 1:
        lengths[rng.permutation(batch)[:2]] = (0, n_keys)
    return torch.from_numpy(lengths)


def squares(rng):
    for n in (4, 1, whole(rng, 5, 9), 102):
        yield {"n_queries": n, "n_keys": n, "causal": True}
    yield {"n_queries": 3, "n_keys": whole(rng, 2, 6), "causal": False}


def cached(rng):
    for queries, keys in [(2, 5), (1, 4), (3, whole(rng, 4, 8)), (4, 5)]:
        yield {"n_queries": queries, "n_keys": keys, "causal": True}


def windows(rng):
    """The reach alone, at and beyond the ends, and with later keys closed too."""
    for queries, keys, reach, causal in [
        (6, 6, 2, True),
        (5, 5, 1, True),
        (6, 6, whole(rng, 2, 5), False),
        (4, 4, 9, True),
        (5, 5, 5, True),
        (2, 7, whole(rng, 2, 5), True),
        (3, 6, 1, False),
    ]:
        yield {"n_queries": queries, "n_keys": keys, "causal": causal, "reach": reach}


def paddings(rng):
    for batch, queries, keys in [
        (3, 4, 4),
        (1, 2, 5),
        (4, 5, 3),
        (2, 1, 1),
        (3, 4, 4),
        (2, 2, 120),
        (110, 2, 3),
    ]:
        yield {"n_queries": queries, "n_keys": keys, "lengths": given_lengths(rng, batch, keys)}
    yield {"n_queries": 2, "n_keys": 3, "lengths": torch.zeros(2, dtype=torch.long)}


def compositions(rng):
    for batch, queries, keys, reach in [(3, 6, 6, 3), (1, 3, 7, 2), (2, 2, 2, 1), (4, 5, 8, 4), (3, 1, 6, 3)]:
        lengths = given_lengths(rng, batch, keys)
        case = {"n_queries": queries, "n_keys": keys, "lengths": lengths}
        yield {**case, "causal": True, "reach": reach}
        yield {**case, "causal": True}
        yield {**case, "causal": False, "reach": reach}


def call_make_mask(student, inputs):
    return {"mask": student.make_mask(**inputs)}


def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    batch = 1 if lengths is None else len(lengths)
    mask = torch.zeros(batch, n_queries, n_keys, dtype=torch.bool)
    for b in range(batch):
        for i in range(n_queries):
            place = i + n_keys - n_queries
            first = 0 if reach is None else max(0, place - reach + 1)
            end = min(place + 1, n_keys) if causal else n_keys
            if lengths is not None:
                end = min(end, int(lengths[b]))
            mask[b, i, first:end] = True
    return mask


QUESTION = Question(
    id="08.1",
    title="One function for all masks",
    kind="implement",
    difficulty=1,
    minutes=20,
    reference={"make_mask": make_mask},
    parts=[
        Part(
            "causal",
            1,
            "as many queries as keys, with and without `causal`",
            call_make_mask,
            inputs=squares,
            hints=(
                "Print the mask for four queries and four keys as numbers. Which cells should be open?",
                "Row i is a query. It may see key 0, key 1, and so on up to itself, with itself.",
                "Without `causal` everything is open. The result has a batch dimension of size 1.",
            ),
        ),
        Part(
            "last positions",
            1,
            "fewer queries than keys",
            call_make_mask,
            inputs=cached,
            hints=(
                "With five keys and two queries, at which positions do the queries stand?",
                "They are the last ones, so the last query sees every key. How far is query i from "
                "position i?",
                "Compare the key's number with the position of the query, i + n_keys - n_queries.",
            ),
        ),
        Part(
            "reach",
            1,
            "a reach, with `causal` and alone",
            call_make_mask,
            inputs=windows,
            hints=(
                "With a reach of 1 a causal query sees itself alone, with a reach of 2 one key more.",
                "The distance from query to key must be smaller than the reach. Does your comparison "
                "include equality?",
                "A reach says nothing about later keys: without `causal` these stay open.",
            ),
        ),
        Part(
            "lengths",
            1,
            "padding, one length per sequence",
            call_make_mask,
            inputs=paddings,
            hints=(
                "The mask has one matrix per sequence. Which of its columns are padding?",
                "Padding closes columns, the keys. The rows of padding stay as they are.",
                "Keys count from 0, so the last real one of a sequence of length n is n - 1. A length of "
                "0 leaves nothing.",
            ),
        ),
        Part(
            "together",
            1,
            "all conditions at once",
            call_make_mask,
            inputs=compositions,
            hints=(
                "If another part is lost, mend that first.",
                "A key has to satisfy all conditions: combine them with &, one after the other.",
                "The lengths count keys from the first one on, whatever the positions of the queries.",
            ),
        ),
    ],
)
