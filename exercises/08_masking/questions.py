"""Exercises of chapter 8: masks, a test for leaks, zeros and steps, a padded batch, a cheat, packed texts."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)


def whole(rng, low, high):
    return int(rng.integers(low, high))


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


def some_mask(rng, time):
    """A random mask without blind rows that is neither symmetric nor causal, if there is room."""
    allowed = rng.random((time, time)) < 0.5
    allowed[np.arange(time), rng.integers(0, time, time)] = True
    if time > 1:
        allowed[0, -1], allowed[-1, 0] = True, False
        allowed[-1, -1] = True
    return torch.from_numpy(allowed)


def attentive(rng):
    for time, d in [(4, 3), (6, 2), (1, 3), (3, 5), (4, 4), (4, 3)]:
        yield {
            "x": normal(rng, time, d),
            "allowed": some_mask(rng, time),
            "query": normal(rng, d, 3) / d,
            "key": normal(rng, d, 3) / d,
            "value": normal(rng, d, 4),
        }


def reading_little(rng):
    """One feature alone, another for each output, or the difference of two; some rows of the input are zeros.

    Outputs lie near 8, near 0 or near 1000, and few of them move by a hundredth; two move against each other,
    and all tremble, except near 1000, where a tremble would be rounded up.
    """
    for time, d, kind, level in [
        (5, 3, "one feature", 8.0),
        (4, 2, "difference", 8.0),
        (1, 2, "difference", 8.0),
        (6, 4, "difference", 0.0),
        (3, 1, "one feature", 8.0),
        (102, 2, "one feature", 8.0),
        (4, 3, "one feature", 1000.0),
        (5, 2, "another feature", 8.0),
        (4, 2, "itself", 0.0),
    ]:
        x = normal(rng, time, d)
        x[:: 2 if time > 1 else 1] = 0.0
        feature = d - 1 if time == 5 else whole(rng, 0, d)
        allowed = torch.eye(time, dtype=torch.bool) if kind == "itself" else some_mask(rng, time)
        case = {"x": x, "allowed": allowed, "kind": kind, "feature": feature, "level": level}
        yield {**case, "strength": 1.0 if time % 2 else 1e-3}


def gated(rng):
    """A gate for each row opens if a feature grows by 1 to 2, or falls by so much; outputs rise or fall.

    A change by exactly 2 opens it far enough.
    """
    for time, d, rises, middle in [
        (4, 3, True, 0.0),
        (5, 2, False, 0.0),
        (1, 2, False, 0.0),
        (3, 4, True, 9.0),
    ]:
        x = middle + normal(rng, time, d)
        side = torch.from_numpy(rng.choice([-1.0, 1.0], time).astype(np.float32))
        side[: min(2, time)] = torch.tensor([1.0, -1.0])[: min(2, time)]
        feature = whole(rng, 0, d)
        yield {
            "x": x,
            "allowed": some_mask(rng, time),
            "feature": feature,
            "sign": 1.0 if rises else -1.0,
            "side": side,
            "threshold": side * x[:, feature]
            + torch.from_numpy(rng.uniform(1, 1.99, time).astype(np.float32)),
        }


def see_attention(student, inputs):
    allowed = inputs["allowed"].clone()
    query, key, value = (inputs[name].clone() for name in ("query", "key", "value"))

    def f(x):
        x = torch.as_tensor(x, dtype=torch.float32)
        scores = (x @ query) @ (x @ key).T / 3**0.5
        return scores.masked_fill(~allowed, -math.inf).softmax(1) @ (x @ value)

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def see_little(student, inputs):
    allowed, kind, c = inputs["allowed"].float(), inputs["kind"], inputs["feature"]
    strength, level = inputs["strength"], inputs["level"]

    def f(x):
        x = torch.as_tensor(x, dtype=torch.float32)
        if kind == "itself":
            return x
        read = x[:, c] - x[:, c - 1] if kind == "difference" else x[:, c]
        summed, trembling = allowed @ read, 1e-6 * torch.tanh(x.sum()) * (level < 1000)
        if kind == "another feature":
            summed = (allowed * x.T[torch.arange(len(x)) % x.shape[1]]).sum(1)
        return level + strength * torch.stack([summed, -summed, 0.0 * summed], 1) + trembling

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def see_gated(student, inputs):
    allowed, c = inputs["allowed"].float(), inputs["feature"]
    side, threshold = inputs["side"].clone(), inputs["threshold"].clone()

    def f(x):
        x = torch.as_tensor(x, dtype=torch.float32)
        return inputs["sign"] * (allowed @ (side * x[:, c] - threshold).relu())[:, None]

    return {"seen": student.who_sees_whom(f, inputs["x"])}


def who_sees_whom(f, x):
    time, d = x.shape
    seen = torch.zeros(time, time, dtype=torch.bool)
    before = f(x.clone())
    for s in range(time):
        for c in range(d):
            for step in (4.0, -4.0):
                other = x.clone()
                other[s, c] = other[s, c] + step
                seen[:, s] = seen[:, s] | ((f(other) - before).abs() > 1e-5).any(1)
    return seen


def padded(rng):
    """Padding in front, behind and between; some real position always sees two."""
    for batch, time, d, vocab in [
        (3, 5, 3, 4),
        (1, 4, 2, 3),
        (2, 3, 4, 3),
        (4, 6, 5, 2),
        (2, 4, 4, 5),
        (3, 5, 3, 4),
    ]:
        real = torch.from_numpy(rng.random((batch, time)) < 0.6)
        real[:, 0] = torch.from_numpy(np.arange(batch) % 2 == 1)
        real[:, 1:3] = True
        real[0, -1], real[-1, -1] = False, batch > 1
        yield with_batch(rng, real, d, vocab)


def padded_long(rng):
    yield from padded(rng)
    yield with_batch(rng, torch.tensor([[True], [False]]), 2, 3)
    real = torch.from_numpy(rng.random((1, 102)) < 0.5)
    real[0, :2] = torch.tensor([False, True])
    yield with_batch(rng, real, 2, 3)


def with_batch(rng, real, d, vocab):
    batch, time = real.shape
    return {
        "query": normal(rng, batch, time, d),
        "key": normal(rng, batch, time, d),
        "real": real,
        "logits": normal(rng, batch, time, vocab) * 2,
        "targets": torch.from_numpy(rng.integers(0, vocab, (batch, time))),
        "upstream": normal(rng, batch, time, time),
    }


def padded_far(rng):
    """Logits and scores in the thousands, of both signs, with padding and without."""
    for case in padded(rng):
        for real in (case["real"], torch.ones_like(case["real"])):
            far = with_batch(rng, real, case["query"].shape[2], case["logits"].shape[2])
            far["logits"] = far["logits"] * 1000 - 5000 * far["upstream"][:, :, :1]
            far["query"] = far["query"] * 3000
            far["key"][:, -1] *= 10  # in most rows it is hidden, with a score that is the largest by far
            yield far


def padded_near_and_far(rng):
    yield from padded_long(rng)
    yield from padded_far(rng)


def call_reach(student, inputs):
    weights = torch.as_tensor(student.masked_weights(inputs["query"], inputs["key"], inputs["real"]))
    return {"attends": weights.detach()[inputs["real"]] > 0}


def call_loss(student, inputs):
    return {"loss": student.mean_nats(inputs["logits"], inputs["targets"], inputs["real"])}


def call_finite(student, inputs):
    leaves = [inputs[name].clone().requires_grad_() for name in ("query", "key")]
    weights = student.masked_weights(*leaves, inputs["real"])
    (weights * inputs["upstream"]).sum().backward()
    gradients = [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves]
    return {
        f"gradient of {name}": [bool(g.isfinite().all()), bool((g != 0).any())]
        for name, g in zip(("query", "key"), gradients)
    }


def call_weights(student, inputs):
    return {"weights": student.masked_weights(inputs["query"], inputs["key"], inputs["real"])}


def call_training(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "logits")}
    weights = student.masked_weights(leaves["query"], leaves["key"], inputs["real"])
    loss = student.mean_nats(leaves["logits"], inputs["targets"], inputs["real"])
    ((weights * inputs["upstream"]).sum() + 3 * loss).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def masked_weights(query, key, real):
    _, time, d = query.shape
    scores = query.double() @ key.double().mT / math.sqrt(d)
    place = torch.arange(time)
    allowed = (place[None, :] <= place[:, None]) & real[:, None, :]
    top = torch.where(allowed, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0)


def mean_nats(logits, targets, real):
    logits = logits.double()
    nats = logits.logsumexp(2) - logits.gather(2, targets[:, :, None])[:, :, 0]
    return torch.where(real, nats, 0.0).sum() / real.sum()


def small_series(rng):
    for n, time in [(5, 4), (1, 3), (7, 6), (3, 3), (4, 1), (2, 5)]:
        yield {
            "weights": rng.standard_normal((time, time)),
            "x": rng.standard_normal((n, time)) + 0.5,
        }


def call_measure(student, inputs):
    return dict(student.measure(inputs["weights"], inputs["x"]))


def measure(weights, x):
    n, time = x.shape
    seen, unseen, past, every = 0.0, 0.0, 0.0, 0.0
    for t in range(time):
        whole_sum, part_sum = np.zeros(n), np.zeros(n)
        for s in range(time):
            given = x[:, s - 1] if s else np.zeros(n)
            whole_sum = whole_sum + weights[t, s] * given
            every += abs(weights[t, s])
            if s <= t:
                part_sum = part_sum + weights[t, s] * given
                past += abs(weights[t, s])
        seen += ((whole_sum - x[:, t]) ** 2).sum()
        unseen += ((part_sum - x[:, t]) ** 2).sum()
    return {"seen": seen / x.size, "unseen": unseen / x.size, "future": (every - past) / every}


def give_losses(student, inputs):
    return {name: student.report[name] for name in ("seen", "unseen", "honest")}


def give_future(student, inputs):
    return {"future": student.report["future"]}


def packed(rng, shapes=((2, 6, 3, 2), (1, 5, 2, 3), (3, 1, 2, 2), (3, 4, 3, 4), (2, 6, 3, 2), (1, 4, 4, 4))):
    """Texts of different numbers in any order, some of one position, with padding here and there."""
    for batch, time, d, d_value in shapes:
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
    """At last a dozen texts in a row."""
    yield from packed(rng)
    yield from packed(rng, [(1, 102, 2, 1)])
    for case in packed(rng, [(2, 24, 2, 1)]):
        rows = [np.repeat(rng.permutation(12), 2) for _ in range(2)]
        yield {**case, "document": torch.from_numpy(np.stack(rows)).long()}


def packed_with_rubbish(rng):
    """Padding holds infinity, NaN or huge numbers, and scores are in the thousands, of both signs."""
    for shape in [(2, 6, 3, 2), (1, 5, 2, 3), (3, 4, 3, 4), (2, 5, 2, 2)]:
        case = next(case for case in packed_far(rng, shape) if is_decided(case))
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


def is_decided(case):
    """Whether no two scores of a query are so close that their rounding in float32 moves a weight."""
    scores = case["query"].double() @ case["key"].double().mT / math.sqrt(case["query"].shape[2])
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


QUESTIONS = [
    Question(
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
    ),
    Question(
        id="08.2",
        title="Who sees whom?",
        kind="implement",
        difficulty=3,
        minutes=25,
        reference={"who_sees_whom": who_sees_whom},
        exempt={
            "extreme exponents": "the exponentials are those of the function that is tested",
            "a large negative number for minus infinity": "the mask is that of the function that is tested",
            "masked after the normalization": "the mask is that of the function that is tested",
        },
        parts=[
            Part(
                "attention",
                2,
                "attention under masks of any form",
                see_attention,
                inputs=attentive,
                hints=(
                    "Change one row of a copy of x, call f again, and compare each row of the output with "
                    "what it was.",
                    "Rows of your result are outputs, columns are inputs. Which of the two loops fills a "
                    "column?",
                    "Each change must start from the x that you were given. Does your copy share memory "
                    "with it?",
                ),
            ),
            Part(
                "little",
                1,
                "functions that read one feature, or the difference of two, of rows that may be zero",
                see_little,
                inputs=reading_little,
                hints=(
                    "If f reads the difference of two features, which change of a row does it not see?",
                    "The same number added to all features leaves differences alone, and a factor leaves "
                    "zeros alone.",
                    "Change one feature at a time, or all of them by different numbers.",
                ),
            ),
            Part(
                "gates",
                2,
                "functions with a ReLU that is shut at x",
                see_gated,
                inputs=gated,
                hints=(
                    "A gate opens if a feature grows by up to 2, or if it falls by as much. In which "
                    "direction do you change?",
                    "A derivative at x is zero behind a shut gate, and so is the effect of a small change.",
                    "Try each feature in both directions, by more than 2, and collect what moved in any try.",
                ),
            ),
        ],
    ),
    Question(
        id="08.3",
        title="What zeros do, and what steps cost",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "shrink": 6 / 13,
            "biased": 0.3,
            "rows": 5050,
            "scores": 22140,
            "open_cells": 34,
            "blocks": 14,
        },
        parts=[
            Part(
                "zeros",
                2,
                "what zeros in the softmax do to the real keys",
                reads=("shrink", "biased"),
                hints=(
                    "Write down the denominator of row 3 in the copy. Which keys have which score?",
                    "The third copy has three real keys and seven zeros. Without biases a zero scores 0.",
                    "The numerator is the same as under the mask, so the factor is a ratio of two "
                    "denominators.",
                ),
            ),
            Part(
                "cost",
                2,
                "rows and scores of unmasked steps",
                reads=("rows", "scores"),
                hints=(
                    "The pass over a prefix of j words computes j rows.",
                    "Every row of a pass has a score with every row of it, later ones included.",
                    "Add up j for the rows and j squared for the scores.",
                ),
            ),
            Part(
                "windows",
                2,
                "open cells, and how far blocks reach",
                reads=("open_cells", "blocks"),
                hints=(
                    "Draw the first five rows of the mask. How many open cells has each?",
                    "A reach of 8 lets one block see 7 places back. What does a second block add?",
                    "Position 1 is 98 places before position 99.",
                ),
            ),
        ],
    ),
    Question(
        id="08.4",
        title="Repair a padded batch",
        kind="repair",
        difficulty=4,
        minutes=30,
        reference={"masked_weights": masked_weights, "mean_nats": mean_nats},
        forbids=FUSED,
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
            "positions that see nothing are taken care of",
        },
        parts=[
            Part(
                "reach",
                1,
                "real positions attend to real positions up to their own, and to nothing else",
                call_reach,
                inputs=padded_long,
                hints=(
                    "Print the weights of a short batch with padding in front. Which columns should be zero?",
                    "Padding must not be *attended to*. Is that a matter of rows or of columns?",
                    "allowed[b, i, j] has the query i before the key j. Where does `real` belong?",
                ),
            ),
            Part(
                "loss",
                1,
                "the loss is the mean over the real positions",
                call_loss,
                inputs=padded_near_and_far,
                hints=(
                    "Change the logits of a padded position. Does the loss change?",
                    "Both the sum and the number that it is divided by are of real positions only.",
                ),
            ),
            Part(
                "finite",
                1,
                "gradients are finite where positions may attend to nothing",
                call_finite,
                inputs=padded,
                hints=(
                    "Give a batch with padding in front, call backward on a weighted sum of the weights, and "
                    "look at the gradient of the query.",
                    "A NaN that is replaced afterwards is still in the gradient: zero times NaN is NaN.",
                    "The softmax must not see a row of nothing but minus infinity. Let such a row see "
                    "anything, and put zeros in the place of its weights.",
                ),
            ),
            Part(
                "weights",
                1,
                "all weights, scores in the thousands included",
                call_weights,
                inputs=padded_near_and_far,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "If another part is lost, mend that first: this one needs `reach` and the zeros.",
                    "Rows of the padding have a position too, and attend to the real positions before it.",
                ),
            ),
            Part(
                "training",
                2,
                "the gradients for queries, keys and logits",
                call_training,
                inputs=padded_long,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won: does something cut the gradient off, such as detach or a tensor "
                    "made from plain numbers?",
                ),
            ),
        ],
    ),
    Question(
        id="08.5",
        title="Measure a cheat",
        kind="experiment",
        difficulty=3,
        minutes=25,
        reference={
            "measure": measure,
            "report": {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349},
        },
        parts=[
            Part(
                "seen",
                1,
                "on small series: the error with the answers in sight",
                call_measure,
                inputs=small_series,
                compare=("seen",),
                hints=(
                    "Which numbers are the inputs of a series (x0, x1, x2)? There are as many as places.",
                    "The first input is 0, and the last number of the series is no input.",
                    "Row t of the weights, times the inputs, predicts x[:, t]. Average over places as well.",
                ),
            ),
            Part(
                "unseen",
                1,
                "on small series: the error without them",
                call_measure,
                inputs=small_series,
                compare=("unseen",),
                hints=(
                    "Place t may keep the inputs 0 to t. Which entries of the weights then do nothing?",
                    "A zero input and a zero weight give the same product.",
                    "Input t is x[:, t - 1], so it belongs to the past of place t.",
                ),
            ),
            Part(
                "future",
                1,
                "on small series: how much of the weights belongs to the future",
                call_measure,
                inputs=small_series,
                compare=("future",),
                hints=(
                    "Add up absolute values, those after place t over those of all places.",
                    "Which triangle of the weights is the future, and does the diagonal belong to it?",
                ),
            ),
            Part(
                "reported losses",
                1,
                "your run: the errors with the answers and without, and those of the masked model",
                give_losses,
                conceal=True,
                digits=4,
                requires=("seen", "unseen"),
                hints=(
                    "Do `seen` and `unseen` come from the unmasked weights and the test series?",
                    "`honest` is the `unseen` of the masked weights. Give four digits or more.",
                ),
            ),
            Part(
                "reported share",
                1,
                "your run: the share of the future",
                give_future,
                conceal=True,
                digits=4,
                requires=("future",),
                hints=(
                    "Is it the number of the unmasked weights? The masked ones have no future.",
                    "A share is a number from 0 to 1. Give four digits or more.",
                ),
            ),
        ],
    ),
    Question(
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
        parts=[
            Part(
                "mask",
                2,
                "who may attend to whom",
                call_packed_mask,
                inputs=packed_of_any_time,
                hints=(
                    "Compare the document numbers of all pairs of positions of a row. What is the shape?",
                    "Equal numbers are not enough: a position attends to none after it.",
                    "Two pieces of padding have equal numbers too, and attend to nothing.",
                ),
            ),
            Part(
                "positions",
                1,
                "positions within each text",
                call_packed_positions,
                inputs=packed_of_any_time,
                hints=(
                    "How many positions of the same text stand before a position?",
                    "A row of the mask knows: count what it allows. What does it count for padding?",
                ),
            ),
            Part(
                "attention",
                1,
                "attention within each text, on ordinary numbers",
                call_packed_attention,
                inputs=packed_of_any_time,
                hints=(
                    "If `mask` is lost, mend that first.",
                    "Scores of closed cells are minus infinity before the softmax. What becomes of the rows "
                    "of the padding?",
                    "The outputs of the padding are zeros, and the scale is the root of the width of the "
                    "query.",
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
                    "What is zero times infinity, and what is zero times NaN?",
                    "A weight of zero does not protect from a value that is NaN. What could stand in the "
                    "padding instead?",
                    "Replace what the padding holds before you compute with it.",
                ),
            ),
            Part(
                "gradients",
                2,
                "gradients, with the same rubbish",
                call_packed_backward,
                inputs=packed_backward_cases,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first.",
                    "A NaN that is replaced at the end comes back in the gradient.",
                    "masked_fill and where send back zero from the places that they replace: use them on "
                    "query, key and value themselves.",
                ),
            ),
        ],
    ),
]
