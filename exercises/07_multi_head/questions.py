"""Exercises of chapter 7: split and join, what heads cost, gates, a repair, narrow heads, shared heads."""

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
    (2, 3, 2, 4),
    (1, 4, 3, 2),
    (3, 1, 2, 5),
    (1, 2, 1, 3),
    (2, 3, 3, 3),
    (2, 6, 4, 2),
    (2, 3, 2, 4),
    (1, 4, 2, 2),
    (2, 4, 2, 2),
    (3, 2, 1, 4),
    (1, 110, 2, 1),
]


def packed(rng):
    for batch, time, heads, width in SHAPES:
        yield {"x": normal(rng, batch, time, heads * width), "n_heads": heads}


def apart(rng):
    for batch, time, heads, width in SHAPES:
        yield {"x": normal(rng, batch, heads, time, width)}


def both_ways(rng):
    for batch, time, heads, width in SHAPES:
        yield {
            "x": normal(rng, batch, time, heads * width),
            "n_heads": heads,
            "upstream": normal(rng, batch, heads, time, width),
            "found": normal(rng, batch, heads, time, width),
            "joined_upstream": normal(rng, batch, time, heads * width),
        }


def call_split(student, inputs):
    return {"split": student.split_heads(inputs["x"], inputs["n_heads"])}


def call_join(student, inputs):
    return {"joined": student.join_heads(inputs["x"])}


def call_both_backward(student, inputs):
    x, found = inputs["x"].clone().requires_grad_(), inputs["found"].clone().requires_grad_()
    (student.split_heads(x, inputs["n_heads"]) * inputs["upstream"]).sum().backward()
    (student.join_heads(found) * inputs["joined_upstream"]).sum().backward()
    return {"gradient through split_heads": x.grad, "gradient through join_heads": found.grad}


def split_heads(x, n_heads):
    width = x.shape[2] // n_heads
    return torch.stack([x[..., h * width : (h + 1) * width] for h in range(n_heads)], 1)


def join_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], -1)


def heads_of(rng, batch, time, d_model, heads, d_head, d_value):
    return {
        "x": normal(rng, batch, time, d_model),
        "W_q": normal(rng, d_model, heads * d_head) * 1.5 * d_model**-0.5,
        "W_k": normal(rng, d_model, heads * d_head) * 1.5 * d_model**-0.5,
        "W_v": normal(rng, d_model, heads * d_value) * d_model**-0.5,
        "W_o": normal(rng, heads * d_value, d_model) * (heads * d_value) ** -0.5,
        "n_heads": heads,
    }


def one_head(rng):
    for batch, time, d_model, d_head, d_value in [(2, 4, 5, 3, 2), (1, 3, 3, 3, 3), (2, 5, 4, 6, 3)]:
        yield heads_of(rng, batch, time, d_model, 1, d_head, d_value)


MANY = [
    (2, 4, 6, 2, 3, 4),
    (1, 3, 5, 3, 2, 1),
    (3, 1, 4, 2, 2, 3),
    (2, 4, 4, 2, 2, 2),
    (2, 4, 4, 4, 4, 4),
    (1, 5, 3, 4, 2, 2),
    (2, 4, 6, 2, 3, 4),
    (1, 110, 3, 2, 2, 1),
]


def several_heads(rng):
    for shape in MANY:
        yield heads_of(rng, *shape)


def gated_heads(rng):
    for case in several_heads(rng):
        gate = torch.from_numpy(rng.uniform(0.3, 2.5, case["n_heads"])).float()
        if case["n_heads"] > 1:
            gate[-1] = 0.0
        yield {**case, "gate": gate}
    yield {**heads_of(rng, 2, 3, 4, 2, 3, 2), "gate": torch.zeros(2)}


def in_double(case):
    """With scores of thousands, gradients that cancel need the digits."""
    return {name: value.double() if torch.is_tensor(value) else value for name, value in case.items()}


def far_scores(rng):
    """Rows whose scores are all near 1500, or all near -1500, and differ by a few."""
    for shape in [(2, 4, 6, 2, 3, 4), (1, 6, 5, 3, 2, 3), (2, 5, 5, 2, 4, 2)]:
        for gated in (False, True):
            case = heads_of(rng, *shape)
            heads, d_head = shape[3], shape[4]
            side = torch.from_numpy(np.resize([1.0, -1.0], shape[1])).float()
            case["x"][..., 0], case["x"][..., 1] = side, 1.0
            for name in ("W_q", "W_k"):
                case[name][:2] = 0.0
                case[name][2:, ::d_head] = 0.0
            case["W_q"][0, ::d_head] = 1500.0 * d_head**0.5
            case["W_k"][1, ::d_head] = 1.0
            if gated:
                case["gate"] = torch.from_numpy(rng.uniform(0.3, 2.5, heads)).float()
            yield in_double(case)


def gated_and_not(rng):
    """Ordinary scores without and with gates, scores in the thousands, and what comes from above."""
    for cases in (several_heads, gated_heads, far_scores):
        for case in cases(rng):
            yield {**case, "upstream": normal(rng, *case["x"].shape).to(case["x"].dtype)}


def call_multi_head(student, inputs):
    names = ("x", "W_q", "W_k", "W_v", "W_o", "n_heads")
    gate = (inputs["gate"],) if "gate" in inputs else ()
    return {"output": student.multi_head(*(inputs[name] for name in names), *gate)}


def call_multi_head_backward(student, inputs):
    names = [name for name in ("x", "W_q", "W_k", "W_v", "W_o", "gate") if name in inputs]
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    given = [leaves[name] for name in ("x", "W_q", "W_k", "W_v", "W_o")]
    gate = (leaves["gate"],) if "gate" in leaves else ()
    output = student.multi_head(*given, inputs["n_heads"], *gate)
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    x, W_q, W_k, W_v, W_o = (z.double() for z in (x, W_q, W_k, W_v, W_o))
    total = 0.0
    for h in range(n_heads):
        q, k, v = (x @ W.chunk(n_heads, 1)[h] for W in (W_q, W_k, W_v))
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[2]), -1)
        message = weights @ v @ W_o.chunk(n_heads, 0)[h]
        total = total + (message if gate is None else gate[h].double() * message)
    return total


MODULES = [
    (2, 5, 6, 2, 4),
    (1, 4, 9, 3, 2),
    (3, 3, 5, 3, 3),
    (2, 4, 6, 1, 3),
    (2, 4, 4, 2, 4),
    (2, 4, 4, 4, 4),
    (2, 5, 6, 2, 4),
    (1, 110, 3, 2, 1),
]


def modules(rng, shapes=MODULES):
    for batch, time, d_model, heads, d_head in shapes:
        yield {
            "x": normal(rng, batch, time, d_model),
            "upstream": normal(rng, batch, time, d_model),
            "upstream of the weights": normal(rng, batch, heads, time, time),
            "n_heads": heads,
            "query": normal(rng, heads * d_head, d_model) * 1.5 * d_model**-0.5,
            "key": normal(rng, heads * d_head, d_model) * 1.5 * d_model**-0.5,
            "value": normal(rng, heads * d_head, d_model) * d_model**-0.5,
            "output": normal(rng, d_model, heads * d_head) * (heads * d_head) ** -0.5,
        }


def modules_of_any_time(rng):
    yield from modules(rng)
    yield from modules(rng, [(3, 1, 3, 2, 2)])


def several_in_modules(rng):
    """At least two heads and two objects, so that differences of differences exist."""
    yield from (case for case in modules(rng) if case["n_heads"] > 1)


def as_many_objects_as_heads(rng):
    """Queries of zeros, and as many objects as heads: all weights are one over this number, on any axis."""
    for batch, n, d_model, d_head in [(2, 2, 6, 4), (1, 3, 4, 2), (3, 4, 5, 3), (2, 3, 3, 3)]:
        (case,) = modules(rng, [(batch, n, d_model, n, d_head)])
        yield {**case, "query": torch.zeros_like(case["query"])}


def give_row_sums(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        return {"sums of the rows of weights": module(inputs["x"])[1].sum(-1)}


def give_contrasts(student, inputs):
    """By how much two heads differ in ln(weight 0 / weight 1), whatever weights are divided by."""
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        logs = module(inputs["x"])[1].log()
        ratios = logs[..., 0] - logs[..., 1]
        return {"head 1 minus head 2, ln(weight 0 / weight 1)": ratios[:, 0] - ratios[:, 1]}


def give_output_alone(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        return {"output": module(inputs["x"])[0]}


def give_all(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    with torch.no_grad():
        for name in ("query", "key", "value", "output"):
            getattr(module, name).weight.copy_(inputs[name])
        output, weights = module(inputs["x"])
        names = sorted(name for name, _ in module.named_parameters())
        return {"output": output, "weights": weights, "parameters": names}


def give_gradients(student, inputs):
    heads = inputs["n_heads"]
    module = student.MultiHead(inputs["x"].shape[2], heads, inputs["query"].shape[0] // heads)
    x = inputs["x"].clone().requires_grad_()
    names = ("query", "key", "value", "output")
    with torch.no_grad():
        for name in names:
            getattr(module, name).weight.copy_(inputs[name])
    output, weights = module(x)
    ((output * inputs["upstream"]).sum() + (weights * inputs["upstream of the weights"]).sum()).backward()
    found = {name: getattr(module, name).weight.grad for name in names} | {"x": x.grad}
    return {
        f"gradient of {name}": torch.zeros_like(inputs[name]) if gradient is None else gradient
        for name, gradient in found.items()
    }


class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads = n_heads
        self.query, self.key, self.value = (
            nn.Linear(d_model, n_heads * d_head, bias=False) for _ in range(3)
        )
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        parts = [layer(x).chunk(self.n_heads, -1) for layer in (self.query, self.key, self.value)]
        total, kept = 0.0, []
        for q, k, v, W in zip(*parts, self.output.weight.chunk(self.n_heads, 1)):
            kept.append(torch.softmax(q @ k.mT / math.sqrt(q.shape[2]), 2))
            total = total + kept[-1] @ v @ W.T
        return total, torch.stack(kept, 1)


def whole(rng, low, high):
    return int(rng.integers(low, high))


def small_keys(rng):
    """Some objects have half of another's key at one width, so that all but one are found there."""
    for objects, widths in [(6, (1, 2, 5)), (9, (2, 3, 4)), (4, (1,)), (12, (2, 40, 48)), (10, (3, 40, 44))]:
        keys = [rng.standard_normal((objects, width)) for width in widths]
        if widths[-1] > 40:
            keys[1][0] = 0.5 * keys[1][1]
        yield {"keys": keys}
    # enough at the first width, not at the second, enough again at the third
    keys = [rng.standard_normal((10, width)) for width in (40, 44, 48)]
    keys[1][0], keys[1][2] = 0.5 * keys[1][1], 0.5 * keys[1][3]
    yield {"keys": keys}
    # whole numbers, so that equal keys have equal scores: neither of two is found
    keys = [rng.integers(-3, 4, (12, width)).astype(float) for width in (2, 9, 30)]
    for key in keys:
        key[5] = key[whole(rng, 0, 5)]
    yield {"keys": keys}


def long_keys(rng):
    """Keys so long that their exponentials overflow."""
    for objects, widths in [(6, (2, 3, 5)), (5, (1, 4, 7))]:
        yield {"keys": [40.0 * rng.standard_normal((objects, width)) for width in widths]}


def any_keys(rng):
    yield from small_keys(rng)
    yield from long_keys(rng)


def call_measure(student, inputs):
    measured = student.measure(inputs["keys"])
    found = {name: measured[name] for name in ("found", "weights")}
    enough = measured["enough"]
    return found | {"a width is enough": enough is not None, "enough": 0 if enough is None else enough}


def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        objects, width = key.shape
        scores = [[math.fsum(a * b for a, b in zip(one, other)) for other in key] for one in key]
        right = sum(
            all(row[i] > other for j, other in enumerate(row) if j != i) for i, row in enumerate(scores)
        )
        found.append(right / objects)
        root = math.sqrt(width)
        shares = [
            1 / math.fsum(math.exp(min((other - row[i]) / root, 700.0)) for other in row)
            for i, row in enumerate(scores)
        ]
        weights.append(math.fsum(shares) / objects)
        if enough is None and right / objects >= 0.9:
            enough = width
    return {"found": found, "weights": weights, "enough": enough}


def give_report(student, inputs):
    found = {name: student.report[name] for name in ("seed", "found", "weights", "enough")}
    listed = all(isinstance(found[name], list | tuple) for name in ("found", "weights"))
    unanswered = listed and any(value is ... for name in ("found", "weights") for value in found[name])
    return {"found": ...} if unanswered else {name: "none" if v is None else v for name, v in found.items()}


def report_fits_the_run(inputs, outputs):
    """Draws the keys of the reported seed again, and compares to three digits."""
    seed = outputs["seed"].item() if isinstance(outputs["seed"], np.ndarray) else outputs["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        return "seed should be a whole number, 0 or larger"
    reported = {name: np.asarray(outputs[name]) for name in ("found", "weights")}
    for name, values in reported.items():
        if values.shape != (6,) or values.dtype.kind not in "iuf":
            return f"{name} should be a list of six numbers"
    enough = None
    for n, width in enumerate((1, 2, 4, 8, 16, 32)):
        keys = np.random.default_rng(seed).standard_normal((64, width))
        scores = keys @ keys.T / math.sqrt(width)
        others = np.where(np.eye(64, dtype=bool), -np.inf, scores).max(1)
        share = float((np.diag(scores) > others).mean())
        powers = np.exp(scores - scores.max(1, keepdims=True))
        weight = float((np.diag(powers) / powers.sum(1)).mean())
        enough = width if enough is None and share >= 0.9 else enough
        for name, value in (("found", share), ("weights", weight)):
            if not abs(reported[name][n] - value) <= 6e-4 * max(value, 0.02):
                return f"{name}[{n}] is not what 64 keys of width {width} give with seed {seed}"
    given = outputs["enough"].item() if isinstance(outputs["enough"], np.ndarray) else outputs["enough"]
    if isinstance(given, bool) or given != ("none" if enough is None else enough):
        return f"enough is not what the keys give with seed {seed}"
    return None


def matrices(rng):
    for d_model, width, heads, shared in [
        (5, 3, 4, 2),
        (4, 2, 6, 2),
        (3, 4, 6, 3),
        (6, 2, 3, 1),
        (4, 1, 3, 3),
        (4, 4, 4, 2),
        (2, 3, 1, 1),
        (5, 3, 4, 2),
        (110, 1, 2, 1),
        (1, 3, 4, 2),
        (3, 1, 1, 1),
    ]:
        yield {"W": normal(rng, d_model, heads * width), "n_heads": heads, "n_shared": shared}


def groups(rng, shapes):
    for batch, heads, shared, queries, keys, d_head, d_value in shapes:
        yield {
            "query": normal(rng, batch, heads, queries, d_head),
            "key": normal(rng, batch, shared, keys, d_head),
            "value": normal(rng, batch, shared, keys, d_value),
        }


WRITING = [(2, 4, 2, 1, 5, 3, 2), (1, 6, 2, 1, 4, 2, 3), (3, 6, 3, 1, 3, 4, 4), (2, 2, 2, 1, 1, 3, 3)]
TRAINING = [
    (2, 4, 2, 5, 5, 3, 2),
    (1, 3, 1, 4, 4, 2, 3),
    (2, 4, 4, 4, 4, 4, 4),
    (3, 1, 1, 2, 2, 5, 1),
    (2, 4, 2, 5, 5, 3, 2),
    (1, 4, 2, 110, 110, 1, 1),
]
PIECES = [(2, 4, 2, 3, 7, 3, 2), (1, 6, 2, 2, 5, 2, 2), (2, 2, 1, 4, 6, 4, 3), (1, 4, 4, 3, 4, 3, 3)]


def one_query(rng):
    yield from groups(rng, WRITING)


def as_many_queries_as_keys(rng):
    yield from groups(rng, TRAINING)


def fewer_queries_than_keys(rng):
    yield from groups(rng, PIECES)


def far_groups(rng):
    """Scores all near 1500 or all near -1500 in a row; those of later positions are larger by hundreds."""
    for batch, heads, shared, queries, keys, d_head, d_value in [
        (2, 4, 2, 4, 4, 3, 2),
        (1, 6, 3, 3, 6, 2, 2),
        (2, 2, 1, 2, 3, 4, 4),
    ]:
        (case,) = groups(rng, [(batch, heads, shared, queries, keys, d_head, d_value)])
        side = torch.from_numpy(np.resize([1.0, -1.0], queries)).float() * 1500.0
        ramp = torch.arange(keys).float() * torch.from_numpy(rng.choice([2.0, 400.0], keys)).float()
        ramp[-1] += 15_000.0 * (queries < keys)
        root = (d_head + 2) ** 0.5
        query = torch.cat(
            [
                case["query"] * 0.3,
                (side * root).expand(batch, heads, -1)[..., None],
                torch.full((batch, heads, queries, 1), root),
            ],
            -1,
        )
        key = torch.cat(
            [
                case["key"],
                torch.ones(batch, shared, keys, 1),
                ramp.expand(batch, shared, -1)[..., None],
            ],
            -1,
        )
        yield in_double({"query": query, "key": key, "value": case["value"]})


def sent_back(rng):
    for cases in (one_query, as_many_queries_as_keys, fewer_queries_than_keys, far_groups):
        for case in cases(rng):
            upstream = normal(rng, *case["query"].shape[:3], case["value"].shape[3])
            yield {**case, "upstream": upstream.to(case["query"].dtype)}


def call_pool(student, inputs):
    return {"pooled": student.pool_heads(inputs["W"], inputs["n_heads"], inputs["n_shared"])}


def call_grouped(student, inputs):
    return {"output": student.grouped_attention(inputs["query"], inputs["key"], inputs["value"])}


def call_grouped_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.grouped_attention(leaves["query"], leaves["key"], leaves["value"])
    (output * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def pool_heads(W, n_heads, n_shared):
    pieces, each = W.double().chunk(n_heads, 1), n_heads // n_shared
    means = [torch.stack(pieces[g * each : (g + 1) * each]).mean(0) for g in range(n_shared)]
    return torch.cat(means, 1)


def grouped_attention(query, key, value):
    heads, shared = query.shape[1], key.shape[1]
    queries, keys = query.shape[2], key.shape[2]
    outputs = []
    for h in range(heads):
        g = h * shared // heads
        q, k, v = query[:, h].double(), key[:, g].double(), value[:, g].double()
        rows = []
        for i in range(queries):
            seen = keys - queries + i + 1
            scores = (k[:, :seen] @ q[:, i, :, None])[..., 0] / math.sqrt(q.shape[2])
            rows.append((torch.softmax(scores, 1)[:, None] @ v[:, :seen])[:, 0])
        outputs.append(torch.stack(rows, 1))
    return torch.stack(outputs, 1)


QUESTIONS = [
    Question(
        id="07.1",
        title="Split and join",
        kind="implement",
        difficulty=1,
        minutes=15,
        reference={"split_heads": split_heads, "join_heads": join_heads},
        parts=[
            Part(
                "split",
                1,
                "each head has its own columns, and heads stand before time",
                call_split,
                inputs=packed,
                hints=(
                    "Give a tensor whose entries say where they are, like torch.arange(12.).view(1, 2, 6), "
                    "and print what each head gets.",
                    "First cut the last dimension into heads and width, in this order. Which two dimensions "
                    "are then in the wrong order?",
                    "A reshape alone never changes the order of numbers in memory; here it has to change.",
                ),
            ),
            Part(
                "join",
                2,
                "the heads' results stand side by side, the first head's first",
                call_join,
                inputs=apart,
                hints=(
                    "Joining undoes splitting: try both on the same small tensor.",
                    "Time has to stand before the heads again before heads and width become one dimension.",
                    "If the shape is right and the numbers are not, look whether an object gets what another "
                    "has found.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients pass through both",
                call_both_backward,
                inputs=both_ways,
                hints=(
                    "If one of the parts above is lost, mend that first.",
                    "Does something in your functions make a new tensor from numbers, or detach the old one?",
                ),
            ),
        ],
    ),
    Question(
        id="07.2",
        title="What heads cost",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "parameters": 589_824,
            "more_heads": 786_432,
            "weights": 240_000,
            "causal_weights": 120_600,
            "score_rank": 64,
            "message_rank": 256,
            "redundant": 4096,
            "learned": 384,
            "fully_connected": 384_000,
        },
        parts=[
            Part(
                "parameters",
                1,
                "the parameters of six and of eight heads",
                reads=("parameters", "more_heads"),
                hints=(
                    "How many matrices does one head have, and what are their shapes?",
                    "Each head has three matrices that read objects and one that writes. The widths of all "
                    "heads need not add up to d.",
                ),
            ),
            Part(
                "weights",
                1,
                "how many attention weights there are",
                reads=("weights", "causal_weights"),
                hints=(
                    "One head has one weight for every pair of a query and a key.",
                    "Under the causal mask object i has i weights, itself included. Add up over the objects, "
                    "then over the heads.",
                ),
            ),
            Part(
                "ranks",
                1,
                "what one head and four heads can do",
                reads=("score_rank", "message_rank"),
                hints=(
                    "A product of a d x k and a k x d matrix has at most which rank?",
                    "The rank of a sum is at most the sum of the ranks, and it can reach it as long as this "
                    "does not exceed d.",
                ),
            ),
            Part(
                "redundant",
                1,
                "how many parameters of the scores are redundant",
                reads=("redundant",),
                hints=(
                    "Write down the scores with W_q M in place of W_q, and find out what happens to M.",
                    "The different choices that give the same scores are as many as there are invertible M. "
                    "How many entries can you choose in M?",
                ),
            ),
            Part(
                "growth",
                1,
                "what one more object brings",
                reads=("learned", "fully_connected"),
                hints=(
                    "With learned positions there is one more row in a table. How long is a row?",
                    "In the fully connected network each hidden unit has a weight for each feature of each "
                    "object.",
                ),
            ),
        ],
    ),
    Question(
        id="07.3",
        title="Heads that can be silenced",
        kind="implement",
        difficulty=3,
        minutes=30,
        reference={"multi_head": multi_head},
        needs=("07.1",),
        forbids=FUSED,
        parts=[
            Part(
                "one head",
                1,
                "with one head it is attention with four matrices",
                call_multi_head,
                inputs=one_head,
                hints=(
                    "With one head nothing is split. Write attention as in chapter 6; queries are x @ W_q.",
                    "The scale is that of the width of a query, which is neither d_model nor the width of a "
                    "value.",
                ),
            ),
            Part(
                "several heads",
                2,
                "each head has its own columns, its own softmax and its own rows of W_o",
                call_multi_head,
                inputs=several_heads,
                hints=(
                    "With one head it works? Then look at what is cut where. Are all parts of 07.1 won?",
                    "Scores have the shape (batch, heads, time, time). Which of the two times counts keys?",
                    "The width under the root is that of one head, not of all of them together.",
                ),
            ),
            Part(
                "gate",
                2,
                "the gate multiplies what each head has found",
                call_multi_head,
                inputs=gated_heads,
                hints=(
                    "Silence all heads with a gate of zeros: is the output zero?",
                    "The gate has one number for each head. Along which dimension of (batch, heads, time, "
                    "width) must it stand?",
                    "It acts after the softmax and before the join. Inside the softmax it changes where a "
                    "head looks.",
                ),
            ),
            Part(
                "large scores",
                1,
                "rows of scores near 1,500 and near -1,500",
                call_multi_head,
                inputs=far_scores,
                hints=(
                    "What is exp(1500), and what is the sum of a row of exp(-1500)?",
                    "Subtracting one number from all scores of a row does not change its softmax. Every row "
                    "needs a number of its own.",
                ),
            ),
            Part(
                "gradients",
                1,
                "the gradients of x, all matrices and the gate",
                call_multi_head_backward,
                inputs=gated_and_not,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If one of the parts above is lost, mend that first: this part needs all of them.",
                    "A gate that is turned into Python numbers, or tested for zero, has no gradient.",
                ),
            ),
        ],
    ),
    Question(
        id="07.4",
        title="Repair the heads",
        kind="repair",
        difficulty=3,
        minutes=25,
        reference={"MultiHead": MultiHead},
        forbids=FUSED,
        exempt={
            "extreme exponents": "the faults are others; the text does not speak of the size of scores",
        },
        parts=[
            Part(
                "rows",
                1,
                "in each head, the weights of an object sum to 1",
                give_row_sums,
                inputs=modules_of_any_time,
                hints=(
                    "Print weights.sum(dim) for each dimension of the weights. Which sums are 1?",
                    "The scores have the shape (batch, heads, queries, keys). An object shares its weight "
                    "out among the keys.",
                ),
            ),
            Part(
                "scale",
                2,
                "the scores have the right size",
                give_contrasts,
                inputs=several_in_modules,
                rtol=2e-3,
                atol=2e-3,
                hints=(
                    "ln(weight 0 / weight 1) is a difference of two scores. By what factor is it off, and "
                    "how does the factor change with d_model and d_head?",
                    "An inner product of a query and a key has how many terms?",
                ),
            ),
            Part(
                "join",
                1,
                "each object gets what the heads have found for it",
                give_output_alone,
                inputs=as_many_objects_as_heads,
                hints=(
                    "Let all queries be zero, so that every object finds the same. Are the rows of the "
                    "output equal?",
                    "found has the shape (batch, heads, time, width). What is next to what in memory, and "
                    "what should be?",
                    "Splitting transposed heads and time; joining has to do it again before the reshape.",
                ),
            ),
            Part(
                "output",
                1,
                "output and weights are those of the note",
                give_all,
                inputs=modules_of_any_time,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won, compare with the note's (1)-(3): which columns belong to which "
                    "head?",
                ),
            ),
            Part(
                "gradients",
                1,
                "the gradients of output and weights reach x and all four matrices",
                give_gradients,
                inputs=modules_of_any_time,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If not: does something in forward cut the gradient off, such as detach, no_grad, or a "
                    "tensor made from plain numbers?",
                ),
            ),
        ],
    ),
    Question(
        id="07.5",
        title="How narrow may a head be?",
        kind="experiment",
        difficulty=4,
        minutes=30,
        reference={
            "measure": measure,
            "report": {
                "seed": 0,
                "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
                "weights": [0.036851, 0.052635, 0.101075, 0.183472, 0.345779, 0.696177],
                "enough": 16,
            },
        },
        parts=[
            Part(
                "found",
                1,
                "on small keys: the share of objects that are found",
                call_measure,
                inputs=any_keys,
                compare=("found",),
                hints=(
                    "Row i of the scores belongs to the query of object i. Which entry of it is its own?",
                    "Compare it with the largest of the others, and count over the objects.",
                ),
            ),
            Part(
                "weights",
                1,
                "on small and on long keys: the mean weight on the object looked for",
                call_measure,
                inputs=any_keys,
                compare=("weights",),
                atol=1e-7,
                hints=(
                    "The weights are a softmax of each row of the scores. Which scale stands in the text?",
                    "If numbers are NaN: subtract the largest score of each row before taking exponentials.",
                    "The weights looked for stand on the diagonal, and the mean is over the objects.",
                ),
            ),
            Part(
                "enough",
                1,
                "on small keys: the smallest sufficient width",
                call_measure,
                inputs=any_keys,
                compare=("a width is enough", "enough"),
                hints=(
                    "Go through the widths from the smallest on. Is nine tenths itself enough?",
                    "If no width suffices, the answer is None.",
                ),
            ),
            Part(
                "report",
                2,
                "your run: the numbers are those of your seed, and all parts above",
                give_report,
                compare=(),
                properties=(report_fits_the_run,),
                requires=("found", "weights", "enough"),
                hints=(
                    "Do the widths come in the order 1, 2, 4, 8, 16, 32, each drawn with the seed that you "
                    "report?",
                    "There are 64 objects. Copy four significant digits or more.",
                ),
            ),
        ],
    ),
    Question(
        id="07.6",
        title="Heads that share",
        kind="implement",
        difficulty=5,
        minutes=35,
        reference={"pool_heads": pool_heads, "grouped_attention": grouped_attention},
        forbids=FUSED,
        exempt={
            "pool_heads: no gradient": "it makes a model from a trained one; nothing trains through it",
            "pool_heads: return of argument W": "where the shape is that of W, so are the numbers",
            "grouped_attention: a large negative number for minus infinity": "scores are in the thousands, "
            "and every query may attend to a key: -1e9 is as good",
        },
        parts=[
            Part(
                "pool",
                1,
                "the mean of the heads that will share",
                call_pool,
                inputs=matrices,
                hints=(
                    "Four heads, two shared: which heads of queries share the first, by the text?",
                    "The columns stand head after head. Cut them into groups, heads of a group and width, in "
                    "this order.",
                    "A mean, not a sum: with all heads equal, nothing changes.",
                ),
            ),
            Part(
                "groups",
                1,
                "one query: neighboring heads share",
                call_grouped,
                inputs=one_query,
                hints=(
                    "With one query nothing is masked. Which head of keys does each head of queries read?",
                    "The first H/G heads of queries read the first head of keys: it is repeated in place, "
                    "not the whole row of heads one after the other.",
                    "The scale is that of the width of a query.",
                ),
            ),
            Part(
                "causal",
                1,
                "as many queries as keys: no object sees a later one",
                call_grouped,
                inputs=as_many_queries_as_keys,
                hints=(
                    "Query i may attend to the keys up to i, itself included.",
                    "Forbidden scores become minus infinity before the softmax. Is the diagonal allowed?",
                ),
            ),
            Part(
                "pieces",
                2,
                "fewer queries than keys: the queries are the last ones",
                call_grouped,
                inputs=fewer_queries_than_keys,
                hints=(
                    "With 7 keys and 3 queries, at which position does the first query stand, and how many "
                    "keys may it see?",
                    "The first query sees keys - queries + 1 keys. By how much is the triangle of the mask "
                    "shifted?",
                ),
            ),
            Part(
                "large scores",
                1,
                "rows of scores near 1,500 and near -1,500, later ones larger still",
                call_grouped,
                inputs=far_groups,
                hints=(
                    "exp(1500) overflows, and a row of exp(-1500) sums to zero.",
                    "Mask before the largest score of a row is subtracted: a later one may be larger by "
                    "hundreds.",
                ),
            ),
            Part(
                "gradients",
                1,
                "all of this together: the gradients are right",
                call_grouped_backward,
                inputs=sent_back,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If one of the parts above is lost, mend that first: this part needs all of them.",
                    "Keys that several heads share receive the sum of their gradients. Is one cut off?",
                ),
            ),
        ],
    ),
]
