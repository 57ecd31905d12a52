"""Question 18.5: Repair a look at a picture."""

import torch
from autograder.authoring import Part, Question, normal, sizes

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
)
AXES = {"batch": 4, "time": 5, "rows": 3, "columns": 4, "d": 6, "k": 5}
FAR = {"time": 104, "columns": 104}


def a_look(rng, batch, time, rows, columns, d, k, words=1.0, cells=1.0, w=1.0):
    """Questions of every length up to the longest, and pictures."""
    lengths = torch.from_numpy(rng.integers(1, time + 1, batch))
    lengths[int(rng.integers(batch))] = time
    return {
        "words": normal(rng, batch, time, d, scale=words),
        "lengths": lengths,
        "cells": normal(rng, batch, rows, columns, d, scale=cells),
        "w_q": normal(rng, d, k, scale=w),
        "w_k": normal(rng, d, k, scale=w),
        "w_v": normal(rng, d, k, scale=w),
    }


def full(case):
    """All questions are as long as the longest, so that nothing is filling."""
    time = case["words"].shape[1]
    return {**case, "lengths": torch.full_like(case["lengths"], time)}


def other_widths(rng):
    """Keys and values are the same, there is no filling, and pictures are squares."""
    for batch, time, side, d, k in sizes(rng, batch=4, time=5, side=4, d=6, k=5):
        case = full(a_look(rng, batch, time, side, side, d, k))
        yield {**case, "w_v": case["w_k"]}


def other_values(rng):
    """One width, no filling, pictures that are squares."""
    for batch, time, side, width in sizes(rng, batch=4, time=5, side=(2, 4), width=5):
        yield full(a_look(rng, batch, time, side, side, width, width))


def filled(rng):
    """One width, keys and values the same, pictures that are squares."""
    for batch, time, side, width in sizes(rng, batch=4, time=(2, 6), side=4, width=5):
        case = a_look(rng, batch, time, side, side, width, width)
        case["lengths"][-1] = int(rng.integers(1, time))
        yield {**case, "w_v": case["w_k"]}
    case = a_look(rng, 3, 4, 2, 2, 3, 3)
    yield {**case, "lengths": torch.ones(3, dtype=torch.int64), "w_v": case["w_k"]}


def oblong(rng):
    """One width; pictures that are no squares."""
    for batch, time, rows, columns, width in sizes(rng, batch=4, time=5, rows=4, columns=5, width=4):
        if rows != columns:
            yield a_look(rng, batch, time, rows, columns, width, width)


def leaning(rng, batch, time, rows, columns, d, k, size=90.0):
    """Scores of thousands, all of one sign for each word; of hundreds at a size of 6."""
    case = a_look(rng, batch, time, rows, columns, d, k)
    signs = torch.from_numpy(rng.choice([-1.0, 1.0], (batch, time))).float()
    signs[0, 0] = -1.0
    signs[0, -1] = 1.0
    case["words"][:, :, 0] = size * signs * (1.0 + 0.2 * torch.from_numpy(rng.random((batch, time))).float())
    case["cells"][..., 0] += 40.0
    for name in ("w_q", "w_k"):
        case[name][0] = 0.0
        case[name][0, 0] = 1.0
        case[name][1:] *= 0.3
    return case


def all_looks(rng, size=90.0):
    """Everything at once; at last tiny and large numbers, and large scores."""
    for shape in sizes(rng, **AXES, far=FAR):
        yield a_look(rng, *shape)
    yield full(a_look(rng, 1, 3, 2, 3, 4, 2))
    yield a_look(rng, 3, 1, 2, 3, 4, 2)
    yield a_look(rng, 2, int(rng.integers(258, 270)), 1, 2, 3, 2)
    yield a_look(rng, 2, 3, 2, 3, 4, 3, words=4e-4, cells=4e-4, w=2000.0)
    yield a_look(rng, 2, 3, 2, 3, 4, 3, words=2000.0, cells=2000.0, w=4e-4)
    for time in (3, 4):
        case = leaning(rng, 3, time, 2, 3, 4, 3, size)
        case["lengths"][-1] = 1
        yield case
        yield full(leaning(rng, 3, time, 2, 3, 4, 3, size))


def sent_back(rng):
    """Scores of hundreds at most: the gradients of thousands are no more than rounding in float32."""
    for case in [*all_looks(rng, 6.0), a_look(rng, 2, 36, 2, 3, 3, 2)]:
        batch, time = case["words"].shape[:2]
        rows, columns = case["cells"].shape[1:3]
        if time < 100 and columns < 100:
            case["of_means"] = normal(rng, batch, case["w_q"].shape[1])
            case["of_maps"] = normal(rng, batch, time, rows, columns)
            yield case


def call_mean(student, inputs):
    names = ("words", "lengths", "cells", "w_q", "w_k", "w_v")
    mean, _ = student.look(*(inputs[name] for name in names))
    return {"means": mean}


def call_maps(student, inputs):
    """The maps of words that are no filling."""
    names = ("words", "lengths", "cells", "w_q", "w_k", "w_v")
    _, maps = student.look(*(inputs[name] for name in names))
    counts = torch.arange(maps.shape[1]) < inputs["lengths"][:, None]
    return {"maps": torch.where(counts[:, :, None, None], maps, torch.zeros_like(maps))}


def call_look(student, inputs):
    names = ("words", "lengths", "cells", "w_q", "w_k", "w_v")
    mean, maps = student.look(*(inputs[name] for name in names))
    counts = torch.arange(maps.shape[1]) < inputs["lengths"][:, None]
    scale = inputs["w_v"].abs().max() * inputs["cells"].abs().max()  # what a value is at most, about
    return {
        "means over their size": mean / scale,
        "maps": torch.where(counts[:, :, None, None], maps, torch.zeros_like(maps)),
    }


def call_backward(student, inputs):
    """Gradients in the units of their arguments."""
    names = ("words", "cells", "w_q", "w_k", "w_v")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    mean, maps = student.look(leaves["words"], inputs["lengths"], *(leaves[name] for name in names[1:]))
    counts = torch.arange(maps.shape[1]) < inputs["lengths"][:, None]
    maps = torch.where(counts[:, :, None, None], maps, torch.zeros_like(maps))
    scale = (inputs["w_v"].abs().max() * inputs["cells"].abs().max()).item()
    (
        (mean * inputs["of_means"]).sum() / scale + (maps.flatten() * inputs["of_maps"].flatten()).sum()
    ).backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {
        f"gradient of {name}": unused.get(name, leaf.grad) * inputs[name].abs().max()
        for name, leaf in leaves.items()
    }


def look(words, lengths, cells, w_q, w_k, w_v):
    words, cells, w_q, w_k, w_v = (one.double() for one in (words, cells, w_q, w_k, w_v))
    query = torch.einsum("btd,dk->btk", words, w_q)
    key = torch.einsum("brcd,dk->brck", cells, w_k)
    value = torch.einsum("brcd,dk->brck", cells, w_v)
    scores = torch.einsum("btk,brck->btrc", query, key) / w_q.shape[1] ** 0.5
    powers = (scores - scores.amax((2, 3), keepdim=True).detach()).exp()
    maps = powers / powers.sum((2, 3), keepdim=True)
    seen = torch.einsum("btrc,brck->btk", maps, value)
    means = [seen[i, : int(length)].mean(0) for i, length in enumerate(lengths)]
    return torch.stack(means), maps


QUESTION = Question(
    id="18.5",
    title="Repair a look at a picture",
    kind="repair",
    difficulty=3,
    minutes=30,
    reference={"look": look},
    forbids=FUSED,
    clauses={
        "Questions differ in length": "it has a part of its own",
        "and where their words look": "it says what is returned",
        "its maps are not looked at": "the programs leave them out",
        "The look is part of a model": ("gradients", "detached_values"),
    },
    parts=[
        Part(
            "width",
            2,
            "words and cells of one width, queries and keys of another",
            call_mean,
            inputs=other_widths,
            hints=(
                "Let d and k differ, and print both. By which does your code divide, and what does the "
                "formula say?",
                "What is the variance of a sum of k independent products, and which axis is summed over?",
            ),
        ),
        Part(
            "values",
            1,
            "what the words see",
            call_mean,
            inputs=other_values,
            hints=(
                "Make all entries of W_v zero: what should the words see, and what do they see?",
                "Each of the three matrices has its own work: queries, keys, values.",
            ),
        ),
        Part(
            "filling",
            2,
            "questions of several lengths",
            call_mean,
            inputs=filled,
            hints=(
                "Change a word behind the end of a question. Does the mean change?",
                "How many vectors does the mean of a question take, and by what is their sum divided?",
                "A tensor of bools, True where a word is no filling, can be multiplied with what is summed.",
            ),
        ),
        Part(
            "maps",
            1,
            "the weights lie over the picture as its cells do",
            call_maps,
            inputs=oblong,
            hints=(
                "Let a picture have two rows and three columns, and make one cell's key much like the query. "
                "Where on the map is the largest weight?",
                "The cells were put into one row, row by row. How is that undone?",
            ),
        ),
        Part(
            "together",
            1,
            "all of it at once",
            call_look,
            inputs=all_looks,
            rtol=3e-3,
            atol=1e-3,
            hints=(
                "Let d and k, rows and columns, and the lengths differ, all at the same time.",
                "Compare with a loop over the words of one question.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients reach words, cells and all three matrices",
            call_backward,
            inputs=sent_back,
            rtol=5e-3,
            atol=5e-3,
            hints=(
                "Call backward on the sum of the means times random numbers. Which gradients are missing, or "
                "zero?",
                "Cells get a gradient on two ways, by their keys and by their values.",
                "Does something cut the gradient off, such as detach, or a tensor made from plain numbers?",
            ),
        ),
    ],
)
