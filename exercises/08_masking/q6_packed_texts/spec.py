"""Question 08.6: Several texts in one row."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, whole


def packed(rng, shapes=None):
    """Texts of different numbers in any order, some of one position, with padding here and there."""
    for batch, time, d, d_value in shapes or sizes(rng, batch=3, time=7, d=5, d_value=4):
        rows = []
        for b in range(batch):
            row, names = [], rng.permutation(9).tolist()
            while len(row) < time:
                row += [names.pop() if names else 9] * whole(rng, 1, 4 if time < 50 else 40)
            row = np.array(row[:time])
            if time > 3:
                row[(slice(-2, None), slice(0, 0), slice(0, 2))[b % 3]] = -1
            if time > 5:
                row[2] = -1
            rows.append(split(row))
        document = torch.from_numpy(np.array(rows)).long()
        yield {
            "query": normal(rng, batch, time, d),
            "key": normal(rng, batch, time, d),
            "value": normal(rng, batch, time, d_value),
            "document": document,
            "upstream": normal(rng, batch, time, d_value),
        }


def split(row):
    """Give what stands behind a piece of padding within a text a number of its own."""
    seen, result, last = {}, [], None
    for name in row.tolist():
        if name >= 0 and name != last:
            seen[name] = name if name not in seen else 10 + len(result)
        result.append(seen[name] if name >= 0 else -1)
        last = name
    return result


def packed_of_any_time(rng):
    """At last a dozen texts in a row, and numbers that are equal to a byte, to two bytes or to a float."""
    yield from packed(rng)
    yield from packed(rng, [(1, whole(rng, 101, 106), 2, 1)])
    for case in packed(rng, [(2, 24, 2, 1)]):
        rows = [np.repeat(rng.permutation(12), 2) for _ in range(2)]
        yield {**case, "document": torch.from_numpy(np.stack(rows)).long()}
    for case in packed(rng, [(2, 8, 2, 3)]):
        rows = [[3, 3, 259, 259, 65_795, 255, 255, -1], [0, 256, 256, -1, 2**24, 2**24 + 1, 2**24 + 1, 511]]
        yield {**case, "document": torch.tensor(rows)}
    # one text fills each row, or one of two
    for other in ([2] * 5, [0, 0, 1, 1, 1]):
        case = next(packed(rng, [(2, 5, 2, 3)]))
        yield {**case, "document": torch.tensor([[4] * 5, other])}


def texts_of_any_length(rng):
    """For the positions alone: a text of hundreds."""
    yield from packed_of_any_time(rng)
    long = whole(rng, 260, 280)
    yield {"document": torch.tensor([[-1] + [7] * long + [2] * 3])}


def packed_of_any_size(rng):
    """Tiny queries with huge keys and the other way round too: the scores stay ordinary."""
    yield from packed_of_any_time(rng)
    for small, large in (("query", "key"), ("key", "query")):
        case = next(packed(rng))
        case |= {small: 1e-3 * case[small], large: 1e3 * case[large]}
        yield case | {"value": (2e-3 if small == "query" else 40.0) * case["value"]}


def packed_with_rubbish(rng):
    """Padding holds infinity, NaN or huge numbers, and scores are in the thousands, of both signs."""
    for batch, time in ((2, 6), (2, 6), (1, whole(rng, 5, 7)), (3, 4)):
        shape = (batch, time, *((2, 3) if batch == 2 else (whole(rng, 2, 4), whole(rng, 2, 5))))
        case = next(
            case for case in packed_far(rng, shape) if is_decided(case) and (batch != 2 or future_tells(case))
        )
        for row in case["document"]:  # the first text is number 0
            first, zero = row == row[row >= 0][0], row == 0
            row[zero] = row[row >= 0][0]
            row[first] = 0
        padding = case["document"] < 0
        for name, rubbish in (("query", math.inf), ("key", math.nan), ("value", math.inf)):
            case[name][padding] = rubbish
        case["value"][padding] *= torch.tensor([1.0, math.nan, -1.0, 1.0])[: case["value"].shape[2]]
        yield case
        yield with_huge_padding(case)


def packed_far(rng, shape):
    while True:
        for case in packed(rng, [shape]):
            yield {**case, "query": case["query"] * 4000}


def scores_of(case):
    return case["query"].double() @ case["key"].double().mT / math.sqrt(case["query"].shape[2])


def future_tells(case):
    """Whether some position would rather look at a later one of its text."""
    document, allowed = case["document"], packed_mask(case["document"])
    open_ = (document[:, :, None] == document[:, None, :]) & (document >= 0)[:, :, None]
    best = [scores_of(case).masked_fill(~mask, -math.inf).argmax(2) for mask in (allowed, open_)]
    return bool(((best[0] != best[1]) & (document >= 0)).any())


def is_decided(case):
    """Whether no two scores of a query are so close that their rounding in float32 moves a weight."""
    scores = scores_of(case)
    scores = scores.masked_fill(~packed_mask(case["document"]), -math.inf)
    best = scores.topk(2, dim=2).values
    return not ((best[..., 0] - best[..., 1]) < 30).any()


def with_huge_padding(case):
    """Finite padding whose product with what comes from above is not finite."""
    padding = case["document"] < 0
    case = {name: part.clone() for name, part in case.items()}
    for name, rubbish in (("query", 3e38), ("key", -3e38), ("value", 3e38)):
        case[name][padding] = rubbish
    case["upstream"] = 4.0 * case["upstream"].abs() + 4.0
    return case


def packed_backward_cases(rng):
    yield from packed_of_any_time(rng)
    yield from packed_with_rubbish(rng)


def call_packed_mask(student, inputs):
    return {"mask": student.packed_mask(inputs["document"])}


def call_packed_positions(student, inputs):
    positions = student.packed_positions(inputs["document"])
    # a table of positions takes whole numbers only
    return {"positions": positions, "floating point": torch.as_tensor(positions).is_floating_point()}


def call_packed_attention(student, inputs):
    names = ("query", "key", "value", "document")
    return {"output": student.packed_attention(*(inputs[name] for name in names))}


def call_packed_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.packed_attention(**leaves, document=inputs["document"])
    (output * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def packed_mask(document):
    batch, time = document.shape
    mask = torch.zeros(batch, time, time, dtype=torch.bool)
    for b in range(batch):
        for i in range(time):
            for j in range(i + 1):
                mask[b, i, j] = document[b, i] >= 0 and document[b, i] == document[b, j]
    return mask


def packed_positions(document):
    positions = torch.zeros_like(document)
    for t in range(1, document.shape[1]):
        goes_on = (document[:, t] == document[:, t - 1]) & (document[:, t] >= 0)
        positions[:, t] = torch.where(goes_on, positions[:, t - 1] + 1, 0)
    return positions


def packed_attention(query, key, value, document):
    padding = (document < 0)[..., None]
    query, key, value = (torch.where(padding, 0.0, part.double()) for part in (query, key, value))
    allowed = packed_mask(document)
    scores = query @ key.mT / math.sqrt(query.shape[2])
    top = torch.where(allowed, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0) @ value


QUESTION = Question(
    id="08.6",
    title="Several texts in one row",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={
        "packed_mask": packed_mask,
        "packed_positions": packed_positions,
        "packed_attention": packed_attention,
    },
    needs=("08.1",),
    forbids=FUSED,
    exempt={
        "a large negative number for minus infinity": "each position of a text attends to itself, so "
        "there is always a score that counts",
    },
    clauses={
        "if you like": "an advice",
        "as if it were alone": "every part: `one_text` loses them",
        "own text, from 0": "positions, which `from_one` loses alone",
        "half of a batch may be empty": "why it is wanted",
        "or $-1$ for padding": "mask and positions: `padding_text` loses them",
        "different numbers from 0 on": "four parts have numbers up to 2^24 and more: `in_a_byte` loses them",
        "may attend to whom": "every part: `no_past` and `one_text` lose them",
        "of each text from 0": ("positions", "from_one"),
        "padding gets 0": ("positions", "minus_one"),
        "Padding may hold anything": ("gradients", "huge_left"),
        "-1 for padding": "mask and positions: `padding_text` loses them",
        "0 for padding": ("positions", "minus_one"),
    },
    parts=[
        Part(
            "mask",
            3,
            "who may attend to whom",
            call_packed_mask,
            inputs=packed_of_any_time,
            hints=(
                (
                    "Take the first entry that is wrong, a query and a key: what are their document "
                    "numbers, and which of the two comes first? May the one see the other?"
                ),
                "Equal numbers are not enough: a position attends to none after it.",
                "Two pieces of padding have equal numbers too, and attend to nothing.",
            ),
        ),
        Part(
            "positions",
            1,
            "positions within each text",
            call_packed_positions,
            inputs=texts_of_any_length,
            hints=(
                (
                    "Take the first place that is wrong. How many positions of the same text stand before "
                    "it, and is it padding?"
                ),
                "A row of the mask knows: count what it allows. What does it count for padding?",
            ),
        ),
        Part(
            "attention",
            1,
            "attention within each text, on ordinary numbers",
            call_packed_attention,
            inputs=packed_of_any_size,
            hints=(
                "Give unit vectors as values, so that the output is the weights: which rows are zero, and "
                "which sum to 1?",
                "Scores of closed cells are minus infinity before the softmax. What becomes of the rows "
                "of the padding?",
                "The outputs of the padding are zeros, and the scale is the root of the width of the query.",
            ),
        ),
        Part(
            "rubbish",
            1,
            "padding of infinities and NaN, and scores in the thousands",
            call_packed_attention,
            inputs=packed_with_rubbish,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                (
                    "Look at the inputs of the case that is named: do they hold infinities or NaN, or "
                    "make scores in the thousands? Follow the first wrong number back to them."
                ),
                "A weight of zero does not protect from a value that is NaN. What could stand in the "
                "padding instead?",
                "Replace what the padding holds before you compute with it.",
            ),
        ),
        Part(
            "gradients",
            3,
            "gradients, with the same rubbish",
            call_packed_backward,
            inputs=packed_backward_cases,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (output * upstream).sum() with random upstream: are gradients NaN at "
                "the padding, or "
                "everywhere?",
                "A NaN that is replaced at the end comes back in the gradient.",
                "masked_fill and where send back zero from the places that they replace: use them on "
                "query, key and value themselves.",
            ),
        ),
    ],
)
