"""Question 08.1: One function for all masks."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def given_lengths(rng, batch, n_keys, least=0):
    """Lengths from the least one to all keys: one between these, and of several sequences both ends too."""
    lengths = rng.integers(least, n_keys + 1, batch)
    lengths[0] = whole(rng, 1, max(n_keys, 2))
    if batch > 1:
        lengths[-2:] = (least, n_keys) if batch > 2 else (lengths[0], least)
    return torch.from_numpy(rng.permutation(lengths))


def squares(rng):
    for n in (4, 1, whole(rng, 5, 9), whole(rng, 101, 110)):
        yield {"n_queries": n, "n_keys": n, "causal": True}
    yield {"n_queries": 3, "n_keys": whole(rng, 2, 6), "causal": False}
    yield {"n_queries": whole(rng, 1, 6), "n_keys": 1, "causal": False}


def cached(rng):
    """The text's example, one query, one key more than queries, hundreds of keys."""
    for queries, more in [
        (2, 3),
        (1, whole(rng, 2, 6)),
        (3, whole(rng, 1, 5)),
        (whole(rng, 4, 7), 1),
        (2, 260),
    ]:
        yield {"n_queries": queries, "n_keys": queries + more, "causal": True}


def windows(rng):
    """The reach alone, at and beyond the ends, and with later keys closed too."""
    n, few, more = whole(rng, 6, 9), whole(rng, 2, 4), whole(rng, 2, 6)
    for queries, keys, reach, causal in [
        (n, n, 2, True),
        (n, n, 1, True),
        (n, n, whole(rng, 2, 5), False),
        (4, 4, 9, True),
        (n, n, n, True),
        (n, n, n - 1, True),
        (few, few + more, whole(rng, 2, 5), True),
        (few, few + more, 1, False),
        (2, 300, whole(rng, 256, 290), True),
    ]:
        yield {"n_queries": queries, "n_keys": keys, "causal": causal, "reach": reach}


def paddings(rng):
    """Sequences, queries and keys as many as each other too, and lengths of hundreds."""
    for batch, queries, keys in sizes(rng, batch=4, queries=5, keys=6, far={"batch": 105}):
        yield {"n_queries": queries, "n_keys": keys, "lengths": given_lengths(rng, batch, keys)}
    yield {"n_queries": 2, "n_keys": 3, "lengths": torch.zeros(2, dtype=torch.long)}
    yield {"n_queries": 2, "n_keys": 300, "lengths": torch.tensor([257, whole(rng, 258, 300)])}
    yield {"n_queries": 5, "n_keys": 3, "lengths": torch.tensor([2, 3])}


def compositions(rng):
    for batch, queries, more, reach in [
        (3, whole(rng, 5, 7), 0, 3),
        (1, 3, whole(rng, 2, 5), 2),
        (2, 2, 0, 1),
        (4, whole(rng, 4, 6), whole(rng, 1, 4), whole(rng, 2, 6)),
    ]:
        keys = queries + more
        lengths = given_lengths(rng, batch, keys, least=1)
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
    clauses={
        "(so `reach=1` closes": "reach and together have a reach of 1",
        "at least as many keys as queries": "last positions and reach have equal numbers and more keys",
        "may attend to which key": "all parts: `inverted` loses them",
        "if there are 5 keys and 2 queries": "the first case of last positions, which `first_positions` "
        "loses",
        "query 0 stands at position 3": "the first case of last positions, which `first_positions` loses",
        "if *all* of these hold": ("together", "lengths_alone"),
        "`causal=True`: the key": "four parts have it: `strict` and `transposed` lose them",
        "with a `reach`, a whole number": "reach and together: `reach_more` loses them",
        "with `lengths`: the key is": "lengths and together: `length_included` loses them",
        "A length may be 0": ("lengths", "zero_open"),
        "there may be fewer": "causal and lengths have more queries than keys",
        "whole numbers, at least 1": "the cases go down to one query and one key",
        "a whole number, at least 1, or None": "reach has 1 and more; the other parts have None",
        "(batch,) or None": "lengths and together have them, the other parts None",
        "True where a query": "all parts: `inverted` loses them",
        "without lengths the batch is 1": "three parts: `no_batch` loses them",
    },
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
                "Print the mask for two of the conditions beside those for each of them alone. Which "
                "cells differ?",
                "A key has to satisfy all conditions: combine them with &, one after the other.",
                "The lengths count keys from the first one on, whatever the positions of the queries.",
            ),
        ),
    ],
)
