"""Exercises of chapter 5: a decoder's batch, additive attention, costs, a repair, crossings, windows."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal


def whole(rng, low, high):
    return int(rng.integers(low, high))


def lengths_up_to(rng, batch, time, least):
    """Lengths below the time; of several rows one is as long as can be, of more than two one the least."""
    lengths = rng.integers(least, max(time, least + 1), batch)
    for row, length in zip(rng.permutation(batch), (time, least)[: batch - 1]):
        lengths[row] = length
    return torch.from_numpy(lengths)


def batches_of_sentences(rng):
    """Words have all numbers from 0 to 8, those of SOS, EOS and the padding included."""
    for sizes in ((3, 1, 0, 5), (2,), (4, 4), (0, 0), (1, 6, 3), (0,), (3, 1, 0, 5), (1, 105)):
        special = rng.choice(9, 3, replace=False) if len(sizes) > 1 else [whole(rng, 0, 9)] * 3
        names = ("sos", "eos", "pad")
        numbers = dict(zip(names, (int(n) for n in special)))
        words = [rng.integers(0, 9, n).tolist() for n in sizes]
        for sentence in words:
            if len(sentence) > 2:
                sentence[-2:] = (numbers["eos"], numbers["pad"])
        yield {"sentences": words, **numbers}


def give_inputs(student, inputs):
    inputs = student.decoder_batch(**inputs)[0]
    # an embedding and a loss take whole numbers only
    return {"inputs": inputs, "floating point": torch.as_tensor(inputs).is_floating_point()}


def give_targets(student, inputs):
    targets = student.decoder_batch(**inputs)[1]
    # an embedding and a loss take whole numbers only
    return {"targets": targets, "floating point": torch.as_tensor(targets).is_floating_point()}


def give_real(student, inputs):
    return {"real": student.decoder_batch(**inputs)[2]}


def decoder_batch(sentences, sos, eos, pad):
    rows = [[], [], []]
    time = 1 + max(len(sentence) for sentence in sentences)
    for sentence in sentences:
        rest = time - len(sentence) - 1
        rows[0].append([sos, *sentence, *[pad] * rest])
        rows[1].append([*sentence, eos, *[pad] * rest])
        rows[2].append([True] * (len(sentence) + 1) + [False] * rest)
    return tuple(torch.tensor(part) for part in rows)


ADDITIVE = [
    (2, 3, 4, 5, 6, 7),
    (1, 4, 3, 2, 3, 5),
    (3, 1, 5, 3, 2, 4),
    (3, 4, 4, 4, 4, 4),
    (2, 2, 1, 3, 5, 2),
    (2, 3, 4, 5, 6, 7),
    (1, 2, 120, 2, 2, 3),
]


def additive(rng, least):
    for batch, steps, time, d_query, d_key, hidden in ADDITIVE:
        yield {
            "query": normal(rng, batch, steps, d_query),
            "keys": normal(rng, batch, time, d_key),
            "lengths": lengths_up_to(rng, batch, time, least),
            "W_query": normal(rng, hidden, d_query) * d_query**-0.5,
            "W_key": normal(rng, hidden, d_key) * d_key**-0.5,
            "v": normal(rng, hidden),
            "upstream": normal(rng, batch, steps, time),
            "upstream of the context": normal(rng, batch, steps, d_key),
        }


def additive_full(rng):
    for case in additive(rng, 0):
        case["lengths"] = torch.full_like(case["lengths"], case["keys"].shape[1])
        yield case


def additive_padded(rng):
    yield from additive(rng, 0)


def additive_large(rng):
    """Two keys share the first place, far above the rest and far below the padding; rows have offsets.

    One hidden unit reads the query alone, with thousands behind it, and one the last feature of the key.
    """
    for padded in (False, True):
        for batch, steps, time, d in [(2, 3, 5, 4), (1, 4, 4, 3), (3, 2, 6, 3)]:
            lengths = np.full(batch, time)
            if padded:
                lengths = 2 + (whole(rng, 0, time) + np.arange(batch)) % (time - 2)
            place = np.arange(time)
            levels = np.where(place < lengths[:, None], rng.uniform(-1.2, -0.8, (batch, time)), 0.9)
            first = (place == 0) | (place == lengths[:, None] - 1)
            levels = torch.from_numpy(np.where(first, -0.2, levels)).float()
            query, keys = normal(rng, batch, steps, d), normal(rng, batch, time, d)
            query[:, 0] = -query[:, -1]
            keys[:, :, -1] = levels
            W_query, W_key = normal(rng, 5, d), normal(rng, 5, d)
            W_key[0], W_query[1] = 0.0, 0.0
            W_key[1] = torch.eye(d)[-1]
            yield {
                "query": query,
                "keys": keys,
                "lengths": torch.from_numpy(lengths),
                "W_query": W_query,
                "W_key": W_key,
                "v": torch.cat([torch.tensor([3000.0, 1500.0]), 2.0 * normal(rng, 3)]),
            }


def call_additive(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    return {"weights": student.additive_attention(*(inputs[name] for name in names))[1]}


def call_context(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    return {"context": student.additive_attention(*(inputs[name] for name in names))[0]}


def call_additive_padding(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    weights = torch.as_tensor(student.additive_attention(*(inputs[name] for name in names))[1]).detach()
    batch, steps, time = len(inputs["query"]), inputs["query"].shape[1], inputs["keys"].shape[1]
    if weights.shape != (batch, steps, time):
        return {"shape": list(weights.shape)}
    real = torch.arange(time)[None, None] < inputs["lengths"][:, None, None]
    return {
        "shape": list(weights.shape),
        "weights of the padding": weights.masked_fill(real, 0.0),
        "sums of the rows of weights": weights.sum(2),
        "real keys with a weight": (weights > 0) & real,
    }


def call_additive_both(student, inputs):
    names = ("query", "keys", "lengths", "W_query", "W_key", "v")
    context, weights = student.additive_attention(*(inputs[name] for name in names))
    return {"context": context, "weights": weights}


def call_additive_backward(student, inputs):
    names = ("query", "keys", "W_query", "W_key", "v")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    context, weights = student.additive_attention(lengths=inputs["lengths"], **leaves)
    ((weights * inputs["upstream"]).sum() + (context * inputs["upstream of the context"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def softmax_over(scores, allowed):
    """The softmax of the last axis over what is allowed; zeros where nothing is."""
    top = torch.where(allowed, scores, -1e300).amax(-1, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(-1, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0)


def additive_attention(query, keys, lengths, W_query, W_key, v):
    query, keys, W_query, W_key, v = (t.double() for t in (query, keys, W_query, W_key, v))
    scores = 0.0
    for unit in range(len(v)):
        scores = scores + v[unit] * torch.tanh(
            (query @ W_query[unit])[:, :, None] + (keys @ W_key[unit])[:, None]
        )
    real = (torch.arange(keys.shape[1]) < lengths[:, None])[:, None].expand(scores.shape)
    weights = softmax_over(scores, real)
    return weights @ keys, weights


def decoding(rng, shapes, least):
    for batch, steps, time, d, d_in, vocab in shapes:
        lengths = lengths_up_to(rng, batch, time, least or time)
        if batch == 1 and least:
            lengths[:] = max(1, time - 2)
        yield {
            "x": normal(rng, batch, steps, d_in),
            "keys": normal(rng, batch, time, d),
            "lengths": lengths,
            "W_x": normal(rng, d, d_in) * d_in**-0.5,
            "W_h": normal(rng, d, d) * d**-0.5,
            "W_out": normal(rng, vocab, 2 * d),
            "upstream": normal(rng, batch, steps, vocab),
            "upstream of the weights": normal(rng, batch, steps, time),
        }


def decoders_without_context(rng):
    """The head reads the state alone; sources differ in length."""
    for case in decoding(rng, [(3, 2, 4, 3, 2, 5), (1, 3, 5, 2, 3, 4), (2, 1, 3, 4, 2, 2)], 1):
        case["W_out"][:, : case["keys"].shape[2]] = 0.0
        yield case


def decoders_of_full_sources(rng):
    yield from decoding(rng, [(2, 3, 4, 3, 2, 5), (1, 4, 3, 2, 3, 4), (3, 1, 4, 3, 3, 2)], 0)


def decoders_at_rest(rng):
    """States that the recurrence leaves as they are; the same key ends a source and its row."""
    for case in decoding(rng, [(3, 2, 5, 3, 2, 4), (1, 3, 4, 2, 2, 3), (2, 1, 6, 4, 3, 2)], 1):
        batch, _, d = case["keys"].shape
        state = torch.from_numpy(rng.uniform(0.4, 0.9, d).astype(np.float32))
        start = state * torch.from_numpy(rng.choice([-1.0, 1.0], (batch, d)).astype(np.float32))
        case["x"] = torch.zeros_like(case["x"])
        case["W_h"] = torch.diag(state.atanh() / state)
        case["keys"][:, -1] = start
        case["keys"][torch.arange(batch), case["lengths"] - 1] = start
        yield case


def decoders_of_full_sources_without_context(rng):
    for case in decoding(rng, [(2, 3, 4, 3, 2, 5), (1, 4, 3, 2, 3, 4)], 0):
        case["W_out"][:, : case["keys"].shape[2]] = 0.0
        yield case


DECODERS = [
    (3, 2, 4, 3, 2, 5),
    (1, 3, 5, 2, 3, 4),
    (2, 4, 3, 4, 2, 3),
    (2, 3, 3, 3, 3, 3),
    (2, 1, 1, 2, 2, 2),
    (3, 2, 4, 3, 2, 5),
    (1, 2, 110, 2, 1, 2),
]


def any_decoders(rng):
    yield from decoding(rng, DECODERS, 1)


def decoders_of_large_scores(rng):
    """The last feature of the keys is in the thousands, more so in the padding; only the scores read it."""
    for padded in (True, False):
        for case in decoding(rng, [(3, 2, 6, 3, 2, 4), (1, 4, 5, 3, 2, 2), (2, 3, 4, 4, 3, 3)], 0):
            batch, time, d = case["keys"].shape
            if padded:
                case["lengths"] = torch.from_numpy(rng.integers(1, time - 1, batch))
            sign = torch.where(torch.arange(time) % 2 == 0, 9000.0, -9000.0).expand(batch, time)
            padding = torch.arange(time) >= case["lengths"][:, None]
            level = 3000.0 + 2000.0 * torch.from_numpy(rng.integers(0, 2, (batch, time)))
            case["keys"][:, :, -1] = torch.where(padding, sign, level)
            case["W_h"][:, -1], case["W_out"][:, d - 1] = 0.0, 0.0
            case["x"][:, 0] = -case["x"][:, -1]
            yield case


def decoders_of_any_scores(rng):
    yield from any_decoders(rng)
    yield from decoders_of_large_scores(rng)


def decode_logits(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    return {"logits": student.decode(*(inputs[name] for name in names))[0]}


def decode_weights(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    return {"weights": student.decode(*(inputs[name] for name in names))[1]}


def decode_both(student, inputs):
    names = ("x", "keys", "lengths", "W_x", "W_h", "W_out")
    logits, weights = student.decode(*(inputs[name] for name in names))
    return {"logits": logits, "weights": weights}


def decode_through_time(student, inputs):
    names = ("x", "keys", "W_x", "W_h")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    logits = student.decode(lengths=inputs["lengths"], W_out=inputs["W_out"], **leaves)[0]
    (logits * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decode_backward(student, inputs):
    names = ("x", "keys", "W_x", "W_h", "W_out")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    logits, weights = student.decode(lengths=inputs["lengths"], **leaves)
    ((logits * inputs["upstream"]).sum() + (weights * inputs["upstream of the weights"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decode(x, keys, lengths, W_x, W_h, W_out):
    x, keys, W_x, W_h, W_out = (t.double() for t in (x, keys, W_x, W_h, W_out))
    batch, time = keys.shape[:2]
    ends = torch.nn.functional.one_hot(lengths - 1, time).double()
    state, states = (ends[:, None] @ keys)[:, 0], []
    for t in range(x.shape[1]):
        state = torch.tanh(x[:, t] @ W_x.T + state @ W_h.T)
        states.append(state)
    states = torch.stack(states, 1)
    real = (torch.arange(time) < lengths[:, None])[:, None].expand(batch, x.shape[1], time)
    weights = softmax_over(states @ keys.mT, real)
    return torch.cat([weights @ keys, states], 2) @ W_out.T, weights


def small_alignments(rng):
    """Some rows are certain, some have equal largest weights; sentences of one word and of one source too."""
    for shapes in [
        [(3, 4), (2, 2)],
        [(1, 3), (4, 3), (2, 5)],
        [(5, 1), (4, 4)],
        [(2, 3), (2, 3), (6, 3)],
        [(7, 5)],
    ]:
        alignments = []
        for steps, sources in shapes:
            weights = rng.random((steps, sources)) ** 2 + 0.01
            for row in weights[1::3]:
                row[:] = np.floor(4 * row)
                row[rng.permutation(sources)[:2]] = 5.0
            if steps > 2:
                weights[2, :] = np.eye(sources)[whole(rng, 0, sources)]
            alignments.append(weights / weights.sum(1, keepdims=True))
        yield {"alignments": alignments}


def call_measure(student, inputs):
    return dict(student.measure(inputs["alignments"]))


def measure(alignments):
    crossed, expected, bits = [], [], []
    for weights in alignments:
        steps, sources = weights.shape
        for j in range(steps):
            bits.append(-math.fsum(w * math.log2(w) for w in weights[j].tolist() if w > 0))
            for k in range(j):
                crossed.append(int(weights[k].argmax() > weights[j].argmax()))
                later = [weights[k, i] * weights[j, :i].sum() for i in range(sources)]
                expected.append(math.fsum(later))
    return {
        name: math.fsum(x) / len(x)
        for name, x in (("crossed", crossed), ("expected", expected), ("bits", bits))
    }


def give_crossings(student, inputs):
    return {name: student.report[name] for name in ("crossed", "expected")}


def give_bits(student, inputs):
    return {"bits": student.report["bits"]}


LOCAL = [
    (2, 3, 6, 4, 2),
    (1, 4, 7, 3, 1),
    (3, 1, 5, 2, 2),
    (2, 4, 4, 4, 1),
    (2, 3, 1, 2, 1),
    (2, 3, 6, 4, 2),
    (1, 2, 115, 2, 3),
    (2, 9, 4, 2, 2),
]


def local(rng, shapes, predicted):
    for batch, steps, time, d, window in shapes:
        lengths = lengths_up_to(rng, batch, time, 1)
        if batch == 1 and time < 100:
            lengths[:] = time - 2
        case = {
            "query": normal(rng, batch, steps, d),
            "keys": normal(rng, batch, time, d),
            "lengths": lengths,
            "window": window,
            "upstream": normal(rng, batch, steps, time),
            "upstream of the context": normal(rng, batch, steps, d),
        }
        if predicted:
            case["raw"] = predictions(rng, lengths, steps)
        yield case


def predictions(rng, lengths, steps):
    """What gives positions between two keys, so that rounding never decides who is in the window."""
    of = lengths.double().numpy()[:, None]
    places = np.floor(rng.random((len(of), steps)) * of) + rng.uniform(0.1, 0.9, (len(of), steps))
    return torch.from_numpy(np.log(places / (of - places)).astype(np.float32))


def monotonic(rng):
    yield from local(rng, LOCAL, False)


def predicted(rng):
    yield from local(rng, LOCAL, True)


def predicted_on_a_key(rng):
    """The middle of an even length, and both ends: a key at the distance of the window belongs to it."""
    for case in local(rng, [(2, 3, 6, 3, 2), (1, 3, 9, 2, 1), (3, 3, 4, 2, 1)], True):
        case["lengths"] = case["lengths"] // 2 * 2 + 2 * (case["lengths"] < 2)
        case["raw"] = torch.from_numpy(
            rng.permuted(np.tile([0.0, 2000.0, -2000.0], (len(case["raw"]), 1)), axis=1)
        ).float()
        yield case
        yield {**case, "raw": torch.zeros_like(case["raw"])}


def windows_of_both_kinds(rng):
    yield from predicted_on_a_key(rng)
    yield from local(rng, [*LOCAL[:3], LOCAL[-1]], False)
    yield from predicted(rng)


def predicted_anywhere(rng):
    yield from predicted(rng)
    yield from predicted_on_a_key(rng)


def local_with_rubbish(rng):
    """Padding holds infinity, NaN or huge numbers, and scores are in the thousands, of both signs."""
    shapes = [(2, 3, 6, 3, 2), (1, 4, 7, 3, 1), (3, 2, 5, 4, 2)]
    for with_raw in (True, False):
        for case in local(rng, shapes, with_raw):
            offset = torch.from_numpy(rng.choice([-2000.0, 2000.0], case["query"].shape[:2])).float()
            offset[:, 0] = -offset[:, -1]
            case["query"][:, :, 0] *= 300.0
            case["keys"][:, :, 0] = torch.from_numpy(rng.choice([-3.0, 3.0], case["keys"].shape[:2])).float()
            case["query"] = torch.cat([case["query"], offset[:, :, None]], 2)
            case["keys"] = torch.cat([case["keys"], torch.ones(*case["keys"].shape[:2], 1)], 2)
            case["upstream of the context"] = normal(rng, *case["query"].shape)
            padding = torch.arange(case["keys"].shape[1]) >= case["lengths"][:, None]
            case["keys"][padding] = torch.tensor([math.inf, math.nan, -math.inf, 1.0, 0.0])[
                : case["keys"].shape[2]
            ]
            yield case
    yield with_huge_padding(case)


def with_huge_padding(case):
    """Finite padding whose product with what comes from above is not finite."""
    padding = torch.arange(case["keys"].shape[1]) >= case["lengths"][:, None]
    keys, upstream = case["keys"].clone(), case["upstream of the context"]
    keys[padding] = 3e38
    return {**case, "keys": keys, "upstream of the context": 4.0 * upstream.abs() + 4.0}


def local_of_any_kind(rng):
    yield from monotonic(rng)
    yield from predicted_anywhere(rng)
    for case in local_with_rubbish(rng):
        case["query"] = case["query"] / 1000
        yield case


def call_windows(student, inputs):
    names = ("query", "keys", "lengths", "window", "raw")
    weights = student.local_attention(*(inputs[name] for name in names if name in inputs))[1]
    return {"in the window": torch.as_tensor(weights).detach() > 0}


def call_local(student, inputs):
    names = ("query", "keys", "lengths", "window", "raw")
    context, weights = student.local_attention(*(inputs[name] for name in names if name in inputs))
    return {"context": context, "weights": weights}


def call_local_backward(student, inputs):
    names = [name for name in ("query", "keys", "raw") if name in inputs]
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    given = {"lengths": inputs["lengths"], "window": inputs["window"], **leaves}
    context, weights = student.local_attention(**given)
    ((weights * inputs["upstream"]).sum() + (context * inputs["upstream of the context"]).sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def local_attention(query, keys, lengths, window, raw=None):
    batch, steps = query.shape[:2]
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    keys = torch.where(real[:, :, None], keys, torch.zeros_like(keys)).double()
    places = 1.0 + torch.arange(keys.shape[1]).double()
    if raw is None:
        centers = (1.0 + torch.arange(steps).double()).expand(batch, steps)
    else:
        centers = lengths.double()[:, None] / (1 + torch.exp(-raw.double().clamp(-700, 700)))
        centers = torch.where(raw.abs() > 700, lengths[:, None] * (raw > 0).double(), centers)
    far = places - centers[:, :, None]
    near = (far.detach().abs() <= window + 1e-9) & real[:, None]
    weights = softmax_over(query.double() @ keys.mT, near)
    if raw is not None:
        weights = weights * torch.exp(-2.0 * far**2 / window**2)
    return weights @ keys, weights


QUESTIONS = [
    Question(
        id="05.1",
        title="What the decoder reads, and what it must write",
        kind="implement",
        difficulty=1,
        minutes=15,
        reference={"decoder_batch": decoder_batch},
        parts=[
            Part(
                "inputs",
                2,
                "SOS, then the words",
                give_inputs,
                inputs=batches_of_sentences,
                hints=(
                    "Write the inputs of the sentences (5, 6) and (7) by hand. How many columns are there?",
                    "Do the inputs of a short sentence hold EOS? Nothing follows EOS, so nobody reads it.",
                    "A row of n words has n + 1 inputs, and behind them the number of the padding.",
                ),
            ),
            Part(
                "targets",
                2,
                "the words, then EOS",
                give_targets,
                inputs=batches_of_sentences,
                hints=(
                    "The target of an input is the word that comes next. What comes after the last word?",
                    "EOS stands once in each row, right behind the last word, and padding behind EOS.",
                ),
            ),
            Part(
                "real",
                1,
                "where there is something to learn",
                give_real,
                inputs=batches_of_sentences,
                hints=(
                    "Can a word or EOS have the number of the padding? What do you compare?",
                    "A row of n words has n + 1 targets: EOS is one, and the model has to learn to stop.",
                    "Compare the number of the column with the number of targets of the row.",
                ),
            ),
        ],
    ),
    Question(
        id="05.2",
        title="Additive attention",
        kind="implement",
        difficulty=2,
        minutes=25,
        reference={"additive_attention": additive_attention},
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
            "sources of length 0 are taken care of",
        },
        parts=[
            Part(
                "weights",
                2,
                "the weights of sources without padding",
                call_additive,
                inputs=additive_full,
                hints=(
                    "Each pair of a query and a key has a vector of hidden units. Which shape has the whole?",
                    "The tanh is taken of the sum, one hidden unit at a time, before the product with v.",
                    "The weights of one query sum to 1 over the keys. Which axis of the scores is that?",
                ),
            ),
            Part(
                "padding",
                1,
                "padding has no weight, and a source of length 0 gives zeros",
                call_additive_padding,
                inputs=additive_padded,
                hints=(
                    "Print the sums of the rows of weights of a short source. Are they 1?",
                    "The padding must be taken out before the softmax, or the rest no longer sums to 1.",
                    "A source of length 0 leaves the softmax nothing. What should stand in its rows?",
                ),
            ),
            Part(
                "context",
                1,
                "the context vectors",
                call_context,
                inputs=additive_padded,
                hints=(
                    "If `weights` or `padding` is lost, mend that first.",
                    "The context of a query is the sum of the keys themselves, each times its weight.",
                ),
            ),
            Part(
                "large scores",
                1,
                "scores in the thousands, of either sign",
                call_additive_both,
                inputs=additive_large,
                rtol=1e-3,
                atol=4e-3,
                hints=(
                    "If another part is lost, mend that first.",
                    "The exponential of 1000 is infinity, of -1000 it is 0. What can a row be shifted by?",
                    "Subtract from each row the largest score of its real keys, as PyTorch's softmax does.",
                ),
            ),
            Part(
                "gradients",
                2,
                "gradients for queries, keys and parameters",
                call_additive_backward,
                inputs=additive_padded,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "If another part is lost, mend that first.",
                    "A NaN that is replaced later can come back in the gradient. Which rows make one?",
                    "Let a row of length 0 see anything, and put zeros in the place of its weights.",
                ),
            ),
        ],
    ),
    Question(
        id="05.3",
        title="Costs, weights and chances by hand",
        kind="derive",
        difficulty=3,
        minutes=25,
        reference={
            "words": 205,
            "additive": 182400,
            "dot": 38400,
            "inner_bytes": 3686400,
            "context": [8 / 11, 9 / 11],
            "unmasked": 2 / 3,
            "exact_bits": math.log2(128 / 39),
            "bound_bits": 2.25,
            "local_scores": 128,
        },
        parts=[
            Part(
                "bottleneck",
                1,
                "how many words the bits of a state can tell apart",
                reads=("words",),
                hints=(
                    "How many bits has the state, and how many bits does one of 1000 words need?",
                    "There are 1000 to the power n sentences, and 2 to the power of the bits states.",
                    "Part of a word does not help: round down.",
                ),
            ),
            Part(
                "costs",
                2,
                "multiplications and bytes",
                reads=("additive", "dot", "inner_bytes"),
                hints=(
                    "Each key and each query is projected once, not once for each pair.",
                    "A matrix of 48 x 64 times a vector takes 48 * 64 multiplications.",
                    "For each pair there are 48 hidden units, each of them multiplied by an entry of v.",
                ),
            ),
            Part(
                "weights",
                2,
                "a context, and the same with padding that is not masked",
                reads=("context", "unmasked"),
                hints=(
                    "What is the exponential of the sum of two logarithms?",
                    "The three exponentials are 2, 3 and 6. Divide by their sum.",
                    "A key of zeros has the score 0. What is its exponential, and which sum does it enter?",
                ),
            ),
            Part(
                "choices",
                2,
                "bits of a word under hard attention",
                reads=("exact_bits", "bound_bits"),
                hints=(
                    "The probability of the word is the mean over the choices, with the weights.",
                    "One of the two answers is the logarithm of a mean, the other the mean of logarithms.",
                    "Write the probabilities as powers of 2 first. Which of the two must be the larger?",
                ),
            ),
            Part(
                "window",
                1,
                "scores inside the windows",
                reads=("local_scores",),
                hints=(
                    "How many keys does a query in the middle see, and how many does the first one see?",
                    "At each end three windows are cut off: by 3, 2 and 1 keys.",
                ),
            ),
        ],
    ),
    Question(
        id="05.4",
        title="Repair a decoder that looks back",
        kind="repair",
        difficulty=4,
        minutes=35,
        reference={"decode": decode},
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands: -1e9 does, since "
            "every source has a word",
        },
        parts=[
            Part(
                "start",
                1,
                "the first state is the encoder's after the last real word",
                decode_logits,
                inputs=decoders_without_context,
                hints=(
                    "Give a batch with padding, and change the padding. Do the logits change?",
                    "Which of the keys of a row is the encoder's state after its last word?",
                    "Keys count from 0: the last of n is n - 1, and each row has its own n.",
                ),
            ),
            Part(
                "query",
                1,
                "each step asks with its own state",
                decode_weights,
                inputs=decoders_of_full_sources,
                hints=(
                    "Change the last input x. Do the weights of the last step change?",
                    "Garcia's y_j looks back with q_j, the state that has read the j-th input.",
                    "Which must come first within a step, the new state or the scores?",
                ),
            ),
            Part(
                "padding",
                1,
                "weights of the real words sum to 1",
                decode_weights,
                inputs=decoders_at_rest,
                hints=(
                    "Sum the weights of each step of a short source.",
                    "A weight that is set to 0 after the softmax has already taken its share.",
                ),
            ),
            Part(
                "through time",
                1,
                "gradients flow back through the states",
                decode_through_time,
                inputs=decoders_of_full_sources_without_context,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "Call backward on the logits of the last step. Does the first input get a gradient?",
                    "What does `detach` do, and who asked for it here?",
                ),
            ),
            Part(
                "together",
                1,
                "logits and weights, scores in the thousands included",
                decode_both,
                inputs=decoders_of_any_scores,
                rtol=1e-3,
                atol=4e-3,
                hints=(
                    "If another part is lost, mend that first: this one needs them all.",
                    "If the others are won: weights that are masked and divided by their sum fail where the "
                    "padding has by far the largest score.",
                ),
            ),
            Part(
                "training",
                1,
                "all gradients",
                decode_backward,
                inputs=any_decoders,
                rtol=1e-3,
                atol=1e-5,
                hints=(
                    "If another part is lost, mend that first: this one needs them all.",
                    "If the others are won: is something detached, or made from plain numbers, between the "
                    "keys and the context?",
                ),
            ),
        ],
    ),
    Question(
        id="05.5",
        title="Measure how often order crosses",
        kind="experiment",
        difficulty=3,
        minutes=30,
        reference={
            "measure": measure,
            "report": {"crossed": 0.22250316, "expected": 0.24093618, "bits": 0.53535952},
        },
        parts=[
            Part(
                "crossed",
                1,
                "on small alignments: pairs whose most attended sources are in reversed order",
                call_measure,
                inputs=small_alignments,
                compare=("crossed",),
                hints=(
                    "Work out the three pairs of the example by hand.",
                    "Two steps with the same source do not cross, and of equal weights the first counts.",
                    "Divide by the number of pairs of all sentences together, n * (n - 1) / 2 for n steps.",
                ),
            ),
            Part(
                "expected",
                2,
                "on small alignments: how likely drawn sources cross",
                call_measure,
                inputs=small_alignments,
                compare=("expected",),
                hints=(
                    "For one pair: which combinations of two sources cross, and how likely is each?",
                    "The draws are independent, so the chance of a combination is a product of two weights.",
                    "Each weight of the earlier step goes with all weights of the later step on sources that "
                    "stand before it.",
                ),
            ),
            Part(
                "bits",
                1,
                "on small alignments: the mean entropy",
                call_measure,
                inputs=small_alignments,
                compare=("bits",),
                hints=(
                    "The entropy of two equal weights is 1 bit, and of a certain row 0.",
                    "0 times the logarithm of 0 counts as 0, and the logarithm has base 2.",
                    "The mean is over all rows of all sentences, not over sentences.",
                ),
            ),
            Part(
                "reported crossings",
                1,
                "your run: crossings",
                give_crossings,
                conceal=True,
                digits=4,
                requires=("crossed", "expected"),
                hints=(
                    "Are these the values of `measure` on the alignments of the cell above?",
                    "Give four significant digits or more.",
                ),
            ),
            Part(
                "reported bits",
                1,
                "your run: the entropy",
                give_bits,
                conceal=True,
                digits=4,
                requires=("bits",),
                hints=(
                    "Is it the value of `measure` on the alignments of the cell above?",
                    "Give four significant digits or more.",
                ),
            ),
        ],
    ),
    Question(
        id="05.6",
        title="Local attention",
        kind="implement",
        difficulty=5,
        minutes=40,
        reference={"local_attention": local_attention},
        needs=("05.2",),
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
            "empty windows are taken care of",
        },
        parts=[
            Part(
                "windows",
                1,
                "which keys have a weight",
                call_windows,
                inputs=windows_of_both_kinds,
                hints=(
                    "Keys count from 1, and so do the steps. Check the example by hand.",
                    "A key at the distance of the window belongs to it, and padding never does.",
                    "A predicted position is a share of the row's own length, not of the batch's width.",
                ),
            ),
            Part(
                "monotonic",
                1,
                "windows around the step's own position",
                call_local,
                inputs=monotonic,
                hints=(
                    "If `windows` is lost, mend that first.",
                    "What remains of a window that lies behind the end of the source?",
                    "Without `raw` there is no Gaussian, and the softmax is over the window alone.",
                ),
            ),
            Part(
                "predicted",
                2,
                "windows around a predicted position",
                call_local,
                inputs=predicted_anywhere,
                hints=(
                    "If `windows` is lost, mend that first.",
                    "First the softmax over the window, then the Gaussian, and nothing is normalized again.",
                    "The Gaussian's sigma is half the window, and its center the position as predicted.",
                ),
            ),
            Part(
                "rubbish",
                1,
                "padding of infinities and NaN, and scores in the thousands",
                call_local,
                inputs=local_with_rubbish,
                rtol=1e-3,
                atol=4e-3,
                hints=(
                    "If another part is lost, mend that first.",
                    "Zero times NaN is NaN: a weight of zero does not protect from what the padding holds.",
                    "Replace what the padding holds before you compute with it.",
                ),
            ),
            Part(
                "gradients",
                2,
                "gradients for queries, keys and predictions",
                call_local_backward,
                inputs=local_of_any_kind,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first.",
                    "The window's edge has no gradient. Through what does the prediction get one?",
                    "A NaN that is replaced at the end can come back in the gradient. Where is it made?",
                ),
            ),
        ],
    ),
]
