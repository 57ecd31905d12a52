"""Exercises of chapter 6: attention, a smoother, scores and gradients, order, a repair, saturation."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal
from torch import nn

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)
SHAPES = [
    (2, 3, 4, 5, 6),
    (1, 1, 3, 2, 4),
    (3, 2, 1, 4, 1),
    (2, 4, 4, 3, 2),
    (1, 5, 2, 3, 3),
    (3, 1, 2, 2, 1),
    (2, 3, 4, 5, 6),
    (1, 2, 120, 2, 1),
]


def triples(rng):
    for batch, queries, keys, d_key, d_value in SHAPES:
        yield {
            "query": normal(rng, batch, queries, d_key),
            "key": normal(rng, batch, keys, d_key),
            "value": normal(rng, batch, keys, d_value),
        }


def separated(rng):
    """Queries and keys whose scores differ enough for their order to show, whatever divides them."""
    for batch, queries, keys, d_key in [(2, 3, 4, 5), (1, 4, 3, 2), (3, 1, 3, 3)]:
        gap = 0.0
        while gap < 0.02:
            query, key = normal(rng, batch, queries, d_key), normal(rng, batch, keys, d_key)
            gap = float((query @ key.mT).sort(-1).values.diff(dim=-1).min())
        yield {"query": query, "key": key}


def winners(rng):
    """Scores of thousands, of both signs, in which one key of each row is far ahead of the others."""
    for batch, queries, keys, d_key, d_value in [(2, 3, 4, 5, 6), (1, 4, 3, 2, 4), (3, 2, 6, 4, 4)]:
        level = 30.0 + 8.0 * torch.from_numpy(rng.permuted(np.tile(np.arange(keys), (batch, 1)), axis=1))
        side = torch.from_numpy(rng.permuted(np.tile(np.arange(queries) % 2, (batch, 1)), axis=1))
        yield {
            "query": torch.cat(
                [normal(rng, batch, queries, d_key), (200.0 * side - 100.0)[..., None]], -1
            ).float(),
            "key": torch.cat([normal(rng, batch, keys, d_key), level[..., None]], -1).float(),
            "value": normal(rng, batch, keys, d_value),
        }


def masked(rng, case):
    """The case with a mask: every query may attend to something, and not to everything of several keys."""
    shape = (*case["query"].shape[:2], case["key"].shape[1])
    allowed = torch.from_numpy(rng.random(shape) < 0.5)
    allowed[..., 0] = ~allowed[..., 1:].any(-1)
    return {**case, "allowed": allowed}


def separated_masked(rng):
    for case in separated(rng):
        yield masked(rng, case)


def separated_blind(rng):
    """One query of each case may attend to nothing, and the others to something."""
    for case in separated_masked(rng):
        case["allowed"][-1, -1] = False
        yield case


def sent_back(rng):
    """Ordinary scores and scores of thousands, without a mask, and with one that leaves a query nothing."""
    for cases in (triples, winners):
        for case in cases(rng):
            case["upstream"] = normal(rng, *case["query"].shape[:2], case["value"].shape[2])
            yield case
            if case["query"].shape[1] > 1:
                case = masked(rng, case)
                case["allowed"][0, 0] = False
                yield case


def winners_with_and_without_mask(rng):
    """In half of the masked rows the key that is far ahead is forbidden."""
    for case in winners(rng):
        yield case
        yield masked(rng, case)


def call_attention(student, inputs):
    allowed = (inputs["allowed"],) if "allowed" in inputs else ()
    return {"output": student.attention(inputs["query"], inputs["key"], inputs["value"], *allowed)}


def call_weights(student, inputs):
    """The values are the unit vectors, so that the output is the weights."""
    query, key = inputs["query"], inputs["key"]
    shape = (*query.shape[:2], key.shape[1])
    allowed = inputs.get("allowed", key.new_ones(shape, dtype=torch.bool))
    given = (allowed.clone(),) if "allowed" in inputs else ()
    units = torch.eye(key.shape[1], dtype=key.dtype, device=key.device).repeat(len(key), 1, 1)
    weights = torch.as_tensor(student.attention(query, key, units, *given)).detach()
    if weights.shape != shape:
        return {"shape": list(weights.shape)}
    return {
        "shape": list(weights.shape),
        "sums of the rows of weights": weights.sum(-1),
        "weights of forbidden keys": weights.masked_fill(allowed, 0.0),
        "weights above zero": (weights > 0) & allowed,
        "allowed keys by weight, the least first": weights.masked_fill(~allowed, -1.0).argsort(
            dim=-1, stable=True
        ),
    }


def call_backward(student, inputs):
    allowed = (inputs["allowed"],) if "allowed" in inputs else ()
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.attention(leaves["query"], leaves["key"], leaves["value"], *allowed)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def attention(query, key, value, allowed=None):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
    inside = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    top = torch.where(inside, scores, -1e300).amax(2, keepdim=True).detach()
    powers = torch.where(inside, torch.where(inside, scores - top, 0.0).exp(), 0.0)
    sums = powers.sum(2, keepdim=True)
    return powers / torch.where(sums > 0, sums, 1.0) @ value.double()


def points_anywhere(rng):
    for n, m, d, c in [(4, 6, 2, 3), (1, 5, 3, 1), (3, 1, 1, 2), (4, 6, 2, 3), (2, 130, 1, 1)]:
        yield {
            "places": normal(rng, n, d),
            "points": normal(rng, m, d),
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.4, 0.9)),
        }


def points_of_one_length(rng):
    for n, m, d, c in [(4, 6, 2, 3), (2, 5, 3, 1)]:
        points = normal(rng, m, d)
        yield {
            "places": normal(rng, n, d),
            "points": points / points.norm(dim=1, keepdim=True),
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.4, 0.9)),
        }


def points_apart(rng):
    """Points whose distances from each place differ, and bandwidths at which no weight vanishes."""
    for n, m, d in [(3, 4, 2), (1, 5, 3), (4, 2, 1)]:
        gap = 0.0
        while gap < 0.03:
            places, points = normal(rng, n, d), normal(rng, m, d)
            gap = float((places[:, None] - points).square().sum(-1).sort(-1).values.diff(dim=-1).min())
        yield {
            "places": places,
            "points": points,
            "observed": torch.eye(m),
            "bandwidth": float(rng.uniform(1.2, 1.9)),
        }


def far_places(rng):
    """Places some sixty bandwidths away from all points, one of which is nearer than the others."""
    for n, m, d, c in [(3, 4, 2, 2), (2, 6, 1, 1)]:
        gap = 0.0
        while gap < 120.0:
            places, points = 60.0 + normal(rng, n, d), normal(rng, m, d, scale=3.0)
            squares = (places[:, None] - points).square().sum(-1).sort(-1).values
            gap = float((squares[:, 1] - squares[:, 0]).min())
        yield {
            "places": places,
            "points": points,
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.9, 1.1)),
        }


def sharp_kernels(rng):
    """Bandwidths so small that exponents are in the thousands: places among the points and opposite them."""
    for n, m, d, c in [(4, 5, 2, 2), (3, 6, 3, 1)]:
        gap = 0.0
        while gap < 0.05:
            points = 2.0 + normal(rng, m, d, scale=0.5)
            places = points[:n] + normal(rng, n, d, scale=0.2)
            places[::2] = -places[::2]
            squares = (places[:, None] - points).square().sum(-1).sort(-1).values
            gap = float((squares[:, 1] - squares[:, 0]).min())
        yield {
            "places": places,
            "points": points,
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.04, 0.05)),
        }


def places_far_from_any_kernel(rng):
    yield from far_places(rng)
    yield from sharp_kernels(rng)


def call_kernel(student, inputs):
    names = ("places", "points", "observed", "bandwidth")
    weights = torch.as_tensor(student.smooth(*(inputs[name] for name in names))).detach()
    shape = (len(inputs["places"]), len(inputs["points"]))
    if weights.shape != shape:
        return {"shape": list(weights.shape)}
    return {
        "shape": list(weights.shape),
        "sums of the rows of weights": weights.sum(1),
        "points by weight, the least first": weights.argsort(1),
    }


def call_smooth(student, inputs):
    names = ("places", "points", "observed", "bandwidth")
    return {"estimate": student.smooth(*(inputs[name] for name in names))}


def smooth(places, points, observed, bandwidth):
    squares = (places.double()[:, None] - points.double()).square().sum(-1)
    return torch.softmax(-squares / (2 * bandwidth**2), 1) @ observed.double()


def give_without_masks(student, inputs):
    answers = student.without_masks
    if not isinstance(answers, str) and hasattr(answers, "__len__"):
        answers = [bool(answer) if answer in (0, 1) else answer for answer in answers]
    return {"without_masks": answers}


def give_with_masks(student, inputs):
    answers = student.with_masks
    if not isinstance(answers, str) and hasattr(answers, "__len__"):
        answers = [bool(answer) if answer in (0, 1) else answer for answer in answers]
    return {"with_masks": answers}


def heads(rng, shapes=((2, 5, 6, 2), (1, 4, 9, 4), (3, 3, 5, 7), (2, 4, 4, 3), (2, 5, 6, 2), (1, 110, 3, 2))):
    for batch, time, d_model, d_head in shapes:
        yield {
            "x": normal(rng, batch, time, d_model),
            "upstream": normal(rng, batch, time, d_model),
            "query": normal(rng, d_head, d_model) * d_model**-0.5,
            "key": normal(rng, d_head, d_model) * d_model**-0.5,
            "value": normal(rng, d_head, d_model) * d_model**-0.5,
            "output": normal(rng, d_model, d_head) * d_head**-0.5,
        }


def heads_of_any_time(rng):
    yield from heads(rng)
    yield from heads(rng, [(3, 1, 3, 2)])


def give_row_sums(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        return {"sums of the rows from the second on": head(inputs["x"])[1][:, 1:].sum(-1)}


def give_reach(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        attends = head(inputs["x"])[1] != 0
        return {"attends": attends, "attends after eval()": head.eval()(inputs["x"])[1] != 0}


def give_log_ratios(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        weights = head(inputs["x"])[1]
        return {"log of weight 0 over weight 1": (weights[:, 2:, 0] / weights[:, 2:, 1]).log()}


def give_output(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(head, name).weight.copy_(inputs[name])
        output, weights = head(inputs["x"])
        later, also = head.eval()(inputs["x"])
        return {
            "output": output,
            "weights": weights,
            "output after eval()": later,
            "weights after eval()": also,
        }


def give_gradients(student, inputs):
    head = student.CausalHead(inputs["x"].shape[2], inputs["query"].shape[0])
    x = inputs["x"].clone().requires_grad_()
    names = ("query", "key", "value", "output")
    with torch.no_grad():
        for name in names:
            getattr(head, name).weight.copy_(inputs[name])
    (head(x)[0] * inputs["upstream"]).sum().backward()
    found = {name: getattr(head, name).weight.grad for name in names} | {"x": x.grad}
    return {
        f"gradient of {name}": torch.zeros_like(inputs[name]) if gradient is None else gradient
        for name, gradient in found.items()
    }


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = torch.zeros(batch, time, time)
        for i in range(time):
            scores = (k[:, : i + 1] @ q[:, i, :, None])[..., 0] / math.sqrt(q.shape[2])
            weights[:, i, : i + 1] = torch.softmax(scores, 1)
        return self.output(weights @ v), weights


def small_weights(rng):
    """Weights that grow sharper with the width; at the last width some queries are nearly certain."""
    for queries, keys in [(9, 3), (12, 5), (30, 4)]:
        share = 0.0
        while not 0.1 < share < 0.8:
            weights = []
            for sharpness in (1.0, 2.0, 4.0, 8.0):
                exponentials = np.exp(sharpness * rng.standard_normal((queries, keys)))
                weights.append(exponentials / exponentials.sum(1, keepdims=True))
            share = (weights[3].max(1) > 0.99).mean()
        widths = np.cumsum(rng.integers(2, 60, 4))
        yield {"widths": widths.tolist(), "weights": weights}


def call_measure(student, inputs):
    return dict(student.measure(inputs["widths"], inputs["weights"]))


def call_slope(student, inputs):
    found = student.measure(inputs["widths"], inputs["weights"])
    return {"means": [torch.as_tensor(mean).double() for mean in found["means"]], "slope": found["slope"]}


def slope_fits_the_means(inputs, outputs):
    """The student's own means: what is wrong with these does not matter."""
    means, widths = np.asarray(outputs["means"]), inputs["widths"]
    with np.errstate(all="ignore"):
        own = np.log(means[3] / means[1]) / math.log(widths[3] / widths[1])
    if not abs(outputs["slope"] - own) <= 1e-3 * abs(own):
        return "slope is not the slope of your means between the second and the last width"
    return None


def measure(widths, weights):
    largest = [np.sort((rows * (1 - rows)).max(1)) for rows in weights]
    means = [math.fsum(row) / len(row) for row in largest]
    medians = [(row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2 for row in largest]
    slope = (math.log(means[3]) - math.log(means[1])) / (math.log(widths[3]) - math.log(widths[1]))
    certain = sum(row.max() > 0.99 for row in weights[3]) / len(weights[3])
    return {"means": means, "medians": medians, "slope": slope, "certain": certain}


def give_reported_averages(student, inputs):
    found = {name: student.report[name] for name in ("seed", "means", "medians")}
    unanswered = any(value is ... for name in ("means", "medians") for value in found[name])
    return {"means": ...} if unanswered else found


def give_reported_slope(student, inputs):
    return {name: student.report[name] for name in ("seed", "slope", "certain")}


def averages_fit_the_run(inputs, outputs):
    """Draws the weights of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("means", "medians")}
    for name, values in reported.items():
        if values.shape != (4,) or values.dtype.kind not in "iuf":
            return f"{name} should be a list of four numbers"
    for n, width in enumerate((16, 64, 256, 1024)):
        rng, largest = np.random.default_rng(seed), []
        for _ in range(20):
            drawn = rng.standard_normal((100, 9, width))
            scores = (drawn[:, :8] @ drawn[:, 8, :, None])[..., 0]
            weights = np.exp(scores - scores.max(1, keepdims=True))
            weights = weights / weights.sum(1, keepdims=True)
            largest.append((weights * (1 - weights)).max(1))
        largest = np.concatenate(largest)
        for name, value in (("means", largest.mean()), ("medians", np.median(largest))):
            if not abs(reported[name][n] - value) <= 6e-3 * value:
                return f"{name}[{n}] is not what 2,000 queries of width {width} give with seed {seed}"
    return None


def slope_fits_the_run(inputs, outputs):
    """Draws the weights of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("slope", "certain")}
    for name, value in reported.items():
        if value.shape not in ((), (1,)) or value.dtype.kind not in "iuf":
            return f"{name} should be a number"
    means = []
    for width in (64, 1024):
        rng, largest, peaks = np.random.default_rng(seed), [], []
        for _ in range(20):
            drawn = rng.standard_normal((100, 9, width))
            scores = (drawn[:, :8] @ drawn[:, 8, :, None])[..., 0]
            weights = np.exp(scores - scores.max(1, keepdims=True))
            weights = weights / weights.sum(1, keepdims=True)
            largest.append((weights * (1 - weights)).max(1))
            peaks.append(weights.max(1))
        means.append(np.mean(largest))
    if not abs(reported["slope"] - math.log(means[1] / means[0]) / math.log(16)) <= 5e-3:
        return f"slope is not what 2,000 queries of the widths 64 and 1024 give with seed {seed}"
    if not abs(reported["certain"] - np.mean(np.concatenate(peaks) > 0.99)) <= 1e-3:
        return f"certain is not what 2,000 queries of width 1024 give with seed {seed}"
    return None


def cut(keys, sizes):
    """Where blocks of these sizes, taken in turn, begin and end."""
    edges, turn = [0], 0
    while edges[-1] < keys:
        edges.append(min(keys, edges[-1] + sizes[turn % len(sizes)]))
        turn += 1
    return edges


def block_cases(rng):
    """Blocks of different sizes; some query may attend to nothing in one of them, or in all."""
    for batch, queries, keys, d_key, d_value, sizes in [
        (2, 3, 9, 5, 2, (4, 1)),
        (1, 4, 6, 3, 3, (1, 3)),
        (3, 1, 5, 2, 4, (2,)),
        (2, 2, 4, 3, 1, (4,)),
        (2, 3, 5, 3, 2, (2, 3)),
        (1, 120, 2, 1, 1, (1,)),
        (2, 3, 9, 5, 2, (4, 1)),
    ]:
        allowed = torch.from_numpy(rng.random((batch, queries, keys)) < 0.6)
        allowed[..., -1] |= ~allowed.any(-1)
        allowed[0, 0, : sizes[0]] = False
        allowed[-1, -1] = batch * queries == 1
        yield {
            "query": normal(rng, batch, queries, d_key),
            "key": normal(rng, batch, keys, d_key),
            "value": normal(rng, batch, keys, d_value),
            "allowed": allowed,
            "edges": cut(keys, sizes),
        }


def totals(rng):
    """Ordinary scores, and scores of thousands, with all keys allowed and with some forbidden."""
    yield from block_cases(rng)
    for case in winners(rng):
        shape = (*case["query"].shape[:2], case["key"].shape[1])
        yield {**case, "allowed": torch.ones(shape, dtype=torch.bool)}
        yield masked(rng, case)


def long_blocks(rng):
    """Hundreds of keys, scores in the thousands of both signs, a query that may attend to nothing."""
    for batch, queries, keys, d_key, sizes in [(1, 4, 300, 4, (32,)), (2, 3, 14, 3, (2,))]:
        level = torch.from_numpy(rng.choice([3000.0, 4000.0, 4050.0], keys).astype(np.float32))
        allowed = torch.from_numpy(rng.random((batch, queries, keys)) < 0.7)
        allowed[-1, -1] = False
        key = torch.cat([normal(rng, batch, keys, d_key), level.expand(batch, -1)[..., None]], -1)
        sign = torch.from_numpy(np.resize([-1.0, 1.0, 0.8], (batch, queries, 1)).astype(np.float32))
        yield {
            "query": torch.cat([normal(rng, batch, queries, d_key), sign], -1),
            "key": key,
            "value": normal(rng, batch, keys, 2),
            "allowed": allowed,
            "edges": cut(keys, sizes),
        }


def merge_cases(rng):
    """Two results that weigh about the same, and some in which one of them holds nothing."""
    for batch, queries, d_value in [(2, 3, 4), (1, 5, 1), (3, 1, 2), (2, 3, 3), (2, 3, 4), (1, 110, 1)]:
        case = {
            "average": normal(rng, batch, queries, d_value),
            "total": normal(rng, batch, queries),
            "other_average": normal(rng, batch, queries, d_value),
            "other_total": normal(rng, batch, queries),
        }
        for side, place in (("", (0, 0)), ("other_", (-1, -1))):
            case[f"{side}average"][place], case[f"{side}total"][place] = 0.0, -math.inf
        yield case


def extreme_merges(rng):
    """Log totals in the thousands that differ by little or much, and queries with nothing on either side."""
    for batch, queries, d_value in [(2, 4, 3), (1, 3, 2)]:
        level = torch.from_numpy(rng.choice([-4000.0, 3000.0], (batch, queries)).astype(np.float32))
        level[0, 0], level[0, 1] = -4000.0, 3000.0
        gap = normal(rng, batch, queries)
        gap[0, 1] = 900.0
        case = {
            "average": normal(rng, batch, queries, d_value),
            "total": level,
            "other_average": normal(rng, batch, queries, d_value),
            "other_total": level + gap,
        }
        for side in ("", "other_"):
            case[f"{side}average"][-1, -1], case[f"{side}total"][-1, -1] = 0.0, -math.inf
        yield case


def call_log_total(student, inputs):
    return {"log_total": student.log_total(inputs["query"], inputs["key"], inputs["allowed"])}


def call_merge(student, inputs):
    names = ("average", "total", "other_average", "other_total")
    average, total = student.merge(*(inputs[name] for name in names))
    return {"average": average, "total": total}


def call_blocks(student, inputs):
    import weakref
    from itertools import pairwise

    edges, held, most = inputs["edges"], [], [0]

    def blocks():
        for begin, end in pairwise(edges):
            key = inputs["key"][:, begin:end].clone()
            held.append(weakref.ref(key))
            most[0] = max(most[0], sum(one() is not None for one in held))
            yield key, inputs["value"][:, begin:end].clone(), inputs["allowed"][..., begin:end].clone()

    output = student.attention_in_blocks(inputs["query"], blocks())
    return {"output": output, "blocks held at once": most[0]}


def holds_few(inputs, outputs):
    if not outputs["blocks held at once"] <= 3:
        return (
            f"{outputs['blocks held at once']} blocks were held at once; keep what follows from them instead"
        )


def log_total(query, key, allowed):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
    return scores.masked_fill(~allowed, -math.inf).logsumexp(2)


def merge(average, total, other_average, other_total):
    totals = torch.stack([total, other_total]).double()
    top = totals.amax(0).clamp(min=-1e300)
    shares = (totals - top).exp()
    sums = shares.sum(0)
    both = shares[0, ..., None] * average.double() + shares[1, ..., None] * other_average.double()
    return both / sums.clamp(min=1e-300)[..., None], torch.where(sums > 0, top + sums.log(), -math.inf)


def attention_in_blocks(query, blocks):
    largest, top, bottom = None, 0.0, 0.0
    for key, value, allowed in blocks:
        scores = query.double() @ key.double().mT / math.sqrt(query.shape[2])
        scores = scores.masked_fill(~allowed, -1e300)
        seen = scores.amax(2, keepdim=True)
        new = seen if largest is None else torch.maximum(seen, largest)
        shrink = 0.0 if largest is None else (largest - new).exp()
        weights = torch.where(allowed, (scores - new).exp(), 0.0)
        top, bottom = top * shrink + weights @ value.double(), bottom * shrink + weights.sum(2, keepdim=True)
        largest = new
    return top / torch.where(bottom > 0, bottom, 1.0)


QUESTIONS = [
    Question(
        id="06.1",
        title="Scaled dot-product attention",
        kind="implement",
        difficulty=2,
        minutes=25,
        reference={"attention": attention},
        forbids=FUSED,
        exempt={
            "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, if "
            "queries without a key are taken care of",
        },
        parts=[
            Part(
                "weights",
                1,
                "without a mask: weights sum to 1 and have the order of the scores, whatever the scale",
                call_weights,
                inputs=separated,
                hints=(
                    "Ask for the weights: give the unit vectors, torch.eye(keys), as values of one batch "
                    "entry, and "
                    "print the output. What does each row add up to?",
                    "A query's weights are a softmax over the keys. Which dimension of the scores counts "
                    "the keys?",
                    "Scores have the shape (batch, queries, keys), and each row is one query's.",
                ),
            ),
            Part(
                "values",
                2,
                "without a mask: the weighted averages, to the last digit",
                call_attention,
                inputs=triples,
                hints=(
                    "The weights have the right order, so look at how far apart they are: that is what the "
                    "scale sets.",
                    "The sum in an inner product of query and key has d_key terms. Which power of d_key is "
                    "in the formula, "
                    "and does it multiply or divide?",
                    "d_key is the last size of the query and of the key; the values may have another.",
                ),
            ),
            Part(
                "large scores",
                1,
                "scores of thousands, of both signs, give finite answers",
                call_attention,
                inputs=winners_with_and_without_mask,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "What is exp(1000) in floating point, and what is exp(-1000)?",
                    "A softmax stays the same if one number is subtracted from all scores of a row.",
                    "PyTorch's softmax subtracts the largest score of each row; a softmax by hand has to do "
                    "it too.",
                ),
            ),
            Part(
                "mask",
                2,
                "with a mask: forbidden keys weigh nothing, the others sum to 1 in the order of their scores",
                call_weights,
                inputs=separated_masked,
                hints=(
                    "Give the unit vectors as values and print the weights beside the mask: is a forbidden "
                    "one above "
                    "zero, or does a row no longer sum to 1?",
                    "The softmax should run over the allowed keys only, so the mask has to act before it. "
                    "Does True mean "
                    "allowed in your code, too?",
                    "Which score makes exp(score) exactly zero?",
                ),
            ),
            Part(
                "nothing allowed",
                1,
                "a query that may attend to nothing gets zeros, and the others what they should",
                call_weights,
                inputs=separated_blind,
                compare=("shape", "sums of the rows of weights"),
                hints=(
                    "Print the output for a query whose row of `allowed` is all False.",
                    "Its denominator is zero, or its scores are all the same. Find such rows before the "
                    "softmax.",
                    "allowed.any over the keys tells these rows from the others.",
                ),
            ),
            Part(
                "gradients",
                1,
                "masks, large scores and queries with nothing allowed together: the gradients are right",
                call_backward,
                inputs=sent_back,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If one of the parts above is lost, mend that first: this part needs all of them.",
                    "Call backward on a sum of squares of your output. A NaN that is replaced afterwards is "
                    "still in the "
                    "gradient: zero times NaN is NaN.",
                    "So the softmax must never see a row of nothing but minus infinity. Let such a row see "
                    "anything, and "
                    "replace its output by zeros.",
                ),
            ),
        ],
    ),
    Question(
        id="06.2",
        title="A smoother out of attention",
        kind="implement",
        difficulty=3,
        minutes=25,
        reference={"smooth": smooth},
        needs=("06.1",),
        forbids=FUSED,
        exempt={
            "no gradient": "a smoother is asked for its estimates, not trained",
            "logarithm of a probability": "its exponential is the probability again",
        },
        parts=[
            Part(
                "weights",
                1,
                "weights sum to 1 and are larger for nearer points, whatever the bandwidth",
                call_kernel,
                inputs=points_apart,
                hints=(
                    "With the unit vectors as observations, smooth returns its weights. Print them beside "
                    "the distances.",
                    "An inner product does not know distances: a long x_j has large products. Expand |x - "
                    "x_j|^2.",
                    "|x - x_j|^2 = |x|^2 - 2<x, x_j> + |x_j|^2. The first term is the same for all points; "
                    "the last has "
                    "to enter the score, as the product of two further entries.",
                ),
            ),
            Part(
                "one length",
                1,
                "points of equal length, where an inner product is enough",
                call_smooth,
                inputs=points_of_one_length,
                hints=(
                    "The order of the weights is right, so compare how fast they fall: ln of the ratio of "
                    "two weights "
                    "should be the difference of the squared distances over 2 h^2.",
                    "Which factors does your score have besides the inner product: 2, h, h^2, a root of the "
                    "width?",
                    "`attention` divides by the root of the length of your query, which has one entry more "
                    "than x.",
                ),
            ),
            Part(
                "anywhere",
                2,
                "points anywhere",
                call_smooth,
                inputs=points_anywhere,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "What differs from points of one length? Only the term |x_j|^2 of the squared distance.",
                    "Both terms of the score, <x, x_j> and |x_j|^2, are divided by the same number. What is "
                    "their ratio?",
                ),
            ),
            Part(
                "far away",
                1,
                "places far from all points follow the nearest",
                call_smooth,
                inputs=places_far_from_any_kernel,
                rtol=1e-2,
                atol=2e-3,
                hints=(
                    "Print the kernel's values for a place sixty bandwidths away.",
                    "exp(-1800) is zero in floating point, so numerator and denominator vanish. Their ratio "
                    "does not change "
                    "if all exponents grow by the same number.",
                ),
            ),
        ],
    ),
    Question(
        id="06.3",
        title="How large is a score?",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "variance": 72.0,
            "scale": 72.0**-0.5,
            "shifted": 720.0,
            "own_mean": 48.0,
            "own_variance": 96.0,
        },
        parts=[
            Part(
                "variance",
                1,
                "the variance of the score",
                reads=("variance",),
                hints=(
                    "s is a sum of 48 independent terms. What is the variance of one of them?",
                    "For independent factors with mean 0 the variance of a product is the product of the "
                    "variances.",
                ),
            ),
            Part(
                "scale",
                1,
                "the factor that makes it 1",
                reads=("scale",),
                hints=(
                    "What happens to a variance when the variable is multiplied by c?",
                    "It becomes c^2 times as large. Which c takes `variance` to 1?",
                ),
            ),
            Part(
                "shifted",
                1,
                "the variance when the keys have a mean",
                reads=("shifted",),
                hints=(
                    "A product of independent factors has the variance E[q^2] E[k^2] - (E[q] E[k])^2.",
                    "E[k^2] is not the variance of k when k has a mean: add the square of the mean.",
                ),
            ),
            Part(
                "own",
                2,
                "mean and variance of a token's score with itself",
                reads=("own_mean", "own_variance"),
                hints=(
                    "With k = q each term is q^2. Are the mean of a square and the square of the mean the "
                    "same?",
                    "The mean of q^2 is the variance of q. The variance of q^2 is E[q^4] - E[q^2]^2.",
                    "Add up 48 such terms.",
                ),
            ),
        ],
    ),
    Question(
        id="06.4",
        title="What a head can learn from",
        kind="derive",
        difficulty=3,
        minutes=20,
        reference={
            "own": 0.24,
            "other": -0.18,
            "pull": 0.1 * (50 - 17),
            "certain": math.exp(-5) / (1 + math.exp(-5)) ** 2,
        },
        parts=[
            Part(
                "derivatives",
                2,
                "how a weight depends on its own score and on another",
                reads=("own", "other"),
                hints=(
                    "Write alpha_1 as exp(s_1) over a sum of three exponentials, and differentiate. Where "
                    "does s_2 stand?",
                    "Raising s_1 changes numerator and denominator; raising s_2 the denominator alone.",
                    "Both results can be written with the weights alone, without the scores.",
                ),
            ),
            Part(
                "pull",
                1,
                "how the answer depends on a score",
                reads=("pull",),
                hints=(
                    "When s_3 grows, all three weights change, not only the third. What does each change do "
                    "to the answer?",
                    "Add v_j times the derivative of alpha_j for s_3 over all j.",
                    "Simplify: v_3 is compared with an average that you know.",
                ),
            ),
            Part(
                "certain",
                1,
                "what is left when the head is nearly certain",
                digits=5,
                reads=("certain",),
                hints=(
                    "With two keys the softmax is the sigmoid of the difference of the scores.",
                    "The derivative needs both weights, the one near 1 and the one near 0. Compute them "
                    "exactly before you multiply.",
                ),
            ),
        ],
    ),
    Question(
        id="06.5",
        title="Which of these can see order?",
        kind="derive",
        difficulty=3,
        minutes=15,
        hints=(
            "Ask of each: if I renumber the objects, is every sum over the same objects as before, with the "
            "same weights?",
            "A rule that mentions the numbers i and j does not survive renumbering, unless it only asks "
            "whether they are equal. A rule about what stands in x_j does.",
        ),
        reference={
            "without_masks": [True, False, True, True, False],
            "with_masks": [True, False, True, False],
        },
        parts=[
            Part(
                "without masks",
                2,
                "the five functions without a mask",
                give_without_masks,
                hints=(
                    "Ask of each: if I renumber the objects, is every sum over the same objects as before, "
                    "with the same weights?",
                    "Two of the five mention positions or neighbors. For the others write down the output "
                    "of object i, and renumber.",
                    "To be equivariant is not to be useful: a wrong softmax, or the same output for all "
                    "objects, can be equivariant too.",
                ),
            ),
            Part("with masks", 2, "the four masked self-attentions", give_with_masks),
        ],
    ),
    Question(
        id="06.6",
        title="Repair a head",
        kind="repair",
        difficulty=3,
        minutes=25,
        reference={"CausalHead": CausalHead},
        forbids=FUSED,
        exempt={
            "extreme exponents": "the faults are others; the text does not speak of the size of scores",
            "masked after the normalization": "rows divided by their sums are right at ordinary scores",
            "a large negative number for minus infinity": "every object attends to itself",
        },
        parts=[
            Part(
                "rows",
                1,
                "each row of weights sums to 1, from the second on",
                give_row_sums,
                inputs=heads,
                hints=(
                    "Print the weights of a short input, and the sum of each row.",
                    "After the softmax the rows sum to 1. What happens to them later in forward?",
                    "What must not be attended to should be removed before the softmax.",
                ),
            ),
            Part(
                "reach",
                1,
                "each object attends to itself and the past only",
                give_reach,
                inputs=heads_of_any_time,
                hints=(
                    "Which weights are not zero? Compare them with j <= i.",
                    "Look up what triu does to the diagonal, and which diagonal it begins with if none is "
                    "given.",
                    "Object i attends to itself, so the diagonal is not in the future.",
                ),
            ),
            Part(
                "scale",
                2,
                "the scores have the right size: ratios of weights are right",
                give_log_ratios,
                inputs=heads,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "ln(weight 0 / weight 1) is the difference of two scores. By what factor is it off?",
                    "Which size is in the scale, and how many terms does the inner product of q and k have?",
                ),
            ),
            Part(
                "output",
                1,
                "weights and output are those of the note",
                give_output,
                inputs=heads_of_any_time,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won, compare with the note's (1)-(3): which matrix acts on the "
                    "averaged values?",
                ),
            ),
            Part(
                "gradients",
                1,
                "the output's gradient reaches x and all four matrices",
                give_gradients,
                inputs=heads_of_any_time,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "The head is trained through its output. Call backward on output.sum() and look at the "
                    "gradient of each matrix.",
                    "If another part is lost, mend that first. If not: does something in forward cut the "
                    "gradient off, such as detach, no_grad, or a tensor made from plain numbers?",
                ),
            ),
        ],
    ),
    Question(
        id="06.7",
        title="Measure the saturation",
        kind="experiment",
        difficulty=3,
        minutes=25,
        reference={
            "measure": measure,
            "report": {
                "seed": 0,
                "means": [0.1476, 0.08323, 0.04287, 0.02243],
                "medians": [0.1698, 0.0403, 7.135e-4, 1.031e-6],
                "slope": -0.4729,
                "certain": 0.806,
            },
        },
        parts=[
            Part(
                "averages",
                1,
                "on small weights: means and medians",
                call_measure,
                inputs=small_weights,
                atol=1e-12,
                compare=("means", "medians"),
                hints=(
                    "weights * (1 - weights) has one row per query and one column per key. Which entry of a "
                    "row is asked for?",
                    "Take the largest of each row, then the mean and the median over the queries, for each "
                    "width.",
                    "With an even number of queries the median lies halfway between two of them. Does your "
                    "function know that?",
                ),
            ),
            Part(
                "slope",
                1,
                "on small weights: the slope follows from your means",
                call_slope,
                inputs=small_weights,
                compare=(),
                properties=(slope_fits_the_means,),
                hints=(
                    "Take logarithms of the means at the second and the last width. The slope is a ratio of "
                    "two differences.",
                    "Both logarithms are of the same base. If the mean falls while the width grows, what is "
                    "the sign?",
                ),
            ),
            Part(
                "certain",
                1,
                "on small weights: the share of nearly certain queries",
                call_measure,
                inputs=small_weights,
                compare=("certain",),
                hints=(
                    "How large is the largest weight of each query at the last width? Count those above "
                    "0.99.",
                    "A share is a number from 0 to 1: divide by the number of queries, not of weights.",
                ),
            ),
            Part(
                "reported averages",
                1,
                "your run: means and medians are those of your seed, and `averages` above",
                give_reported_averages,
                compare=(),
                properties=(averages_fit_the_run,),
                requires=("averages",),
                hints=(
                    "Do the widths come in the order 16, 64, 256, 1024, and is `seed` the number that you "
                    "passed as seed?",
                    "The cell above draws 2,000 queries and 8 keys, without the scale; leave it so, and give "
                    "each width the same seed.",
                    "The last median is tiny, and needs three digits all the same.",
                ),
            ),
            Part(
                "reported slope",
                1,
                "your run: slope and share are those of your seed, and `slope` and `certain` above",
                give_reported_slope,
                compare=(),
                properties=(slope_fits_the_run,),
                requires=("slope", "certain"),
                hints=(
                    "Do slope and share come from the same call of `measure` as the means?",
                    "The widths are [16, 64, 256, 1024], so the slope is measured between 64 and 1024.",
                ),
            ),
        ],
    ),
    Question(
        id="06.8",
        title="Attention block by block",
        kind="implement",
        difficulty=5,
        minutes=35,
        reference={"log_total": log_total, "merge": merge, "attention_in_blocks": attention_in_blocks},
        needs=("06.1",),
        forbids=FUSED,
        exempt={
            "no gradient": "the text asks for values; the memory for a gradient is another matter",
            "attention_in_blocks: a large negative number for minus infinity": "merged with nothing, an "
            "average of zeros stays",
        },
        parts=[
            Part(
                "log totals",
                1,
                "the log of each query's denominator",
                call_log_total,
                inputs=totals,
                hints=(
                    "Z is a sum of exponentials over the allowed keys. Are the scores those of 06.1, with "
                    "the same scale?",
                    "A forbidden key adds nothing to Z. Which score adds exp(score) = 0?",
                    "The log of a sum of exponentials has a function of its own in PyTorch, which does not "
                    "overflow.",
                ),
            ),
            Part(
                "merge",
                2,
                "two sets of keys together",
                call_merge,
                inputs=merge_cases,
                hints=(
                    "The numerator of a block is a times Z. Write the average over both blocks with these.",
                    "Averages mix in the proportion of the Z, and denominators add up: what is the log of "
                    "the new one?",
                    "A block in which nothing is allowed has Z = 0 and should change nothing.",
                ),
            ),
            Part(
                "extremes",
                1,
                "log totals in the thousands, and nothing on either side",
                call_merge,
                inputs=extreme_merges,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "exp(3000) overflows, and exp(-4000) is zero: do not compute Z itself.",
                    "Only the difference of the two log totals matters for the average. Subtract the larger "
                    "one from both before you take exponentials.",
                    "Where both are minus infinity, their difference is NaN. Find these places first.",
                ),
            ),
            Part(
                "blocks",
                2,
                "attention over all keys",
                call_blocks,
                inputs=block_cases,
                compare=("output",),
                hints=(
                    "Follow one query by hand through two blocks: what is kept after the first?",
                    "Keep an average and a log total, and merge each block's into them. Is your 06.1 right "
                    "where nothing is allowed?",
                    "With one block nothing is merged. With three, does the log total after the second hold "
                    "both?",
                ),
            ),
            Part(
                "long",
                1,
                "hundreds of keys, scores far apart, and no block is kept",
                call_blocks,
                inputs=long_blocks,
                rtol=1e-3,
                atol=1e-3,
                compare=("output",),
                properties=(holds_few,),
                hints=(
                    "Which names still hold a block after your loop has gone on to the next?",
                    "A list of blocks needs as much memory as all keys. Keep the average and the log total "
                    "instead.",
                    "If the numbers are wrong: scores are between 1,000 and 2,100 here, of both signs.",
                ),
            ),
        ],
    ),
]
