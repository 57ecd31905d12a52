"""Exercises of chapter 6: attention, a smoother, scores and gradients, order, a repair, saturation."""

import math

import torch
from autograder.authoring import Interval, Part, Question, normal
from torch import nn

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)
SHAPES = [(2, 3, 4, 5, 6), (1, 1, 3, 2, 4), (3, 2, 1, 4, 1), (2, 4, 4, 3, 2)]


def triples(rng, scale=1.0):
    for batch, queries, keys, d_key, d_value in SHAPES:
        yield {
            "query": normal(rng, batch, queries, d_key, scale=scale),
            "key": normal(rng, batch, keys, d_key, scale=scale),
            "value": normal(rng, batch, keys, d_value),
        }


def large_triples(rng):
    """Scores of several hundred that differ by a few: a common feature is added to all keys."""
    for case in triples(rng):
        common = torch.full_like(case["query"][..., :1], 30.0)
        case["query"] = torch.cat([case["query"], common], -1)
        case["key"] = torch.cat([case["key"], torch.full_like(case["key"][..., :1], 40.0)], -1)
        yield case


def masked_triples(rng):
    """Every query may attend to something; where there are two keys or more, not to everything."""
    for case in triples(rng):
        shape = (*case["query"].shape[:2], case["key"].shape[1])
        allowed = torch.from_numpy(rng.random(shape) < 0.5)
        allowed[..., 0] = ~allowed[..., 1:].any(-1)
        yield {**case, "allowed": allowed}


def blind_triples(rng):
    """One query of each case may attend to nothing, and others to something."""
    for case in masked_triples(rng):
        if case["query"].shape[1] > 1:
            case["allowed"][0, 0] = False
            yield case


def call_attention(student, inputs):
    allowed = (inputs["allowed"],) if "allowed" in inputs else ()
    return {"output": student.attention(inputs["query"], inputs["key"], inputs["value"], *allowed)}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("query", "key", "value")}
    output = student.attention(leaves["query"], leaves["key"], leaves["value"], inputs["allowed"])
    output.square().sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def attention(query, key, value, allowed=None):
    rows = []
    for n in range(len(query)):
        for i in range(query.shape[1]):
            inside = [j for j in range(key.shape[1]) if allowed is None or bool(allowed[n, i, j])]
            if not inside:
                rows.append(0.0 * value[n, 0].double() + 0.0 * query[n, i].double().sum())
                continue
            scores = torch.stack([query[n, i].double() @ key[n, j].double() for j in inside])
            weights = torch.softmax(scores / math.sqrt(query.shape[2]), 0)
            rows.append(sum(w * value[n, j].double() for w, j in zip(weights, inside)))
    return torch.stack(rows).unflatten(0, query.shape[:2])


def points_anywhere(rng):
    for n, m, d, c in [(4, 6, 2, 3), (1, 5, 3, 1), (3, 1, 1, 2)]:
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


def far_places(rng):
    """Points close together, seen from some twenty bandwidths away."""
    for n, m, d, c in [(3, 4, 2, 2), (2, 6, 1, 1)]:
        yield {
            "places": 20.0 + normal(rng, n, d),
            "points": normal(rng, m, d, scale=0.1),
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.9, 1.1)),
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


def heads(rng):
    for batch, time, d_model, d_head in [(2, 5, 6, 2), (1, 4, 9, 4), (3, 3, 5, 7)]:
        yield {
            "x": normal(rng, batch, time, d_model),
            "query": normal(rng, d_head, d_model) * d_model**-0.5,
            "key": normal(rng, d_head, d_model) * d_model**-0.5,
            "value": normal(rng, d_head, d_model) * d_model**-0.5,
            "output": normal(rng, d_model, d_head) * d_head**-0.5,
        }


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
        return {"attends": head(inputs["x"])[1] != 0}


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
        return {"output": output, "weights": weights}


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


def give_means(student, inputs):
    return {f"mean at width {w}": float(v) for w, v in zip((16, 64, 256, 1024), student.means)}


def give_medians(student, inputs):
    return {f"median at width {w}": float(v) for w, v in zip((16, 64, 256, 1024), student.medians)}


def give_share(student, inputs):
    return {"certain": float(student.certain)}


def give_slope(student, inputs):
    return {"means": [float(v) for v in student.means], "slope": float(student.slope)}


def measured_means(inputs):
    middle = {16: 0.148, 64: 0.083, 256: 0.0425, 1024: 0.0216}
    return {f"mean at width {w}": Interval(0.93 * v, 1.07 * v) for w, v in middle.items()}


def measured_medians(inputs):
    return {
        "median at width 16": Interval(0.165, 0.181),
        "median at width 64": Interval(0.028, 0.042),
        "median at width 256": Interval(5e-4, 1.7e-3),
        "median at width 1024": Interval(2e-7, 5e-6),
    }


def measured_share(inputs):
    return {"certain": Interval(0.785, 0.835)}


def measured_slope(inputs):
    return {"slope": Interval(-0.53, -0.43)}


def slope_follows(inputs, outputs):
    means = list(outputs["means"])
    if len(means) != 4 or min(means) <= 0:
        return "means needs four positive numbers"
    if abs(math.log(means[3] / means[1]) / math.log(1024 / 64) - outputs["slope"]) > 5e-3:
        return "slope is not the change of ln(mean) between the widths 64 and 1024, per unit of ln(width)"
    return None


QUESTIONS = [
    Question(
        id="06.1",
        title="Scaled dot-product attention",
        kind="implement",
        difficulty=2,
        minutes=25,
        hint="Forbidden scores become minus infinity before the softmax over the last dimension. A row"
        " of nothing but minus infinity is NaN, forward and backward: let such a row see "
        "everything first, and put zeros in its place at the end.",
        reference={"attention": attention},
        forbids=FUSED,
        parts=[
            Part(
                "values",
                2,
                "without a mask each row is the weighted average of the values",
                call_attention,
                inputs=triples,
            ),
            Part(
                "large scores",
                1,
                "scores of a thousand give a finite answer",
                call_attention,
                inputs=large_triples,
                rtol=1e-3,
                atol=1e-3,
            ),
            Part(
                "mask",
                2,
                "the average runs over the allowed keys only",
                call_attention,
                inputs=masked_triples,
            ),
            Part(
                "nothing allowed",
                1,
                "a query that may attend to nothing gets zeros",
                call_attention,
                inputs=blind_triples,
            ),
            Part(
                "gradients",
                1,
                "the gradients are right, also where nothing is allowed",
                call_backward,
                inputs=blind_triples,
                rtol=1e-3,
                atol=1e-4,
            ),
        ],
    ),
    Question(
        id="06.2",
        title="A smoother out of attention",
        kind="implement",
        difficulty=3,
        minutes=25,
        hint="|x - y|^2 = |x|^2 - 2<x, y> + |y|^2. The first term is the same for all points; the last"
        " has to enter the score. Remember that attention divides by the root of the length of "
        "your query.",
        reference={"smooth": smooth},
        needs=("06.1",),
        forbids=FUSED,
        parts=[
            Part(
                "one length",
                1,
                "points of equal length, where an inner product is enough",
                call_smooth,
                inputs=points_of_one_length,
            ),
            Part(
                "anywhere",
                2,
                "points anywhere",
                call_smooth,
                inputs=points_anywhere,
                rtol=1e-3,
                atol=1e-4,
            ),
            Part(
                "far away",
                1,
                "places far from all points follow the nearest",
                call_smooth,
                inputs=far_places,
                rtol=1e-2,
                atol=2e-3,
            ),
        ],
    ),
    Question(
        id="06.3",
        title="How large is a score?",
        kind="derive",
        difficulty=2,
        minutes=20,
        hint="The variance of one product of independent factors is E[q^2] E[k^2] - (E[q] E[k])^2, and"
        " E[k^2] is variance plus squared mean. With k = q a term is q^2, whose variance is "
        "E[q^4] - E[q^2]^2.",
        reference={
            "variance": 96.0,
            "scale": 96.0**-0.5,
            "shifted": 240.0,
            "own_mean": 48.0,
            "own_variance": 96.0,
        },
        parts=[
            Part("variance", 1, "the variance of the score", reads=("variance",)),
            Part("scale", 1, "the factor that makes it 1", reads=("scale",)),
            Part("shifted", 1, "the variance when the keys have a mean", reads=("shifted",)),
            Part(
                "own",
                2,
                "mean and variance of a token's score with itself",
                reads=("own_mean", "own_variance"),
            ),
        ],
    ),
    Question(
        id="06.4",
        title="What a head can learn from",
        kind="derive",
        difficulty=3,
        minutes=20,
        hint="The derivative of weight j for score l is alpha_j (1 - alpha_j) if j = l and -alpha_j "
        "alpha_l if not. For the answer, add v_j times that over all j: all three weights move "
        "when one score does.",
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
            ),
            Part("pull", 1, "how the answer depends on a score", reads=("pull",)),
            Part("certain", 1, "what is left when the head is nearly certain", digits=5, reads=("certain",)),
        ],
    ),
    Question(
        id="06.5",
        title="Which of these can see order?",
        kind="derive",
        difficulty=3,
        minutes=15,
        hint="Ask of each: if I renumber the objects, is every sum over the same objects as before, "
        "with the same weights? A rule that mentions the numbers i and j does not survive "
        "renumbering, unless it only asks whether they are equal.",
        reference={
            "without_masks": [True, False, True, True, False],
            "with_masks": [True, False, True, False],
        },
        parts=[
            Part("without masks", 2, "the five functions without a mask", give_without_masks),
            Part("with masks", 2, "the four masked self-attentions", give_with_masks),
        ],
    ),
    Question(
        id="06.6",
        title="Repair a head",
        kind="repair",
        difficulty=3,
        minutes=25,
        hint="Print the weights of a short input. Do the rows sum to 1? Does object i attend to "
        "itself, as j <= i says? And how many terms has the inner product whose size the scale is"
        " to undo?",
        reference={"CausalHead": CausalHead},
        forbids=FUSED,
        parts=[
            Part("rows", 1, "each row of weights sums to 1, from the second on", give_row_sums, inputs=heads),
            Part("reach", 1, "each object attends to itself and the past only", give_reach, inputs=heads),
            Part(
                "scale",
                2,
                "the scores have the right size: ratios of weights are right",
                give_log_ratios,
                inputs=heads,
                rtol=1e-3,
                atol=1e-3,
            ),
            Part("output", 2, "weights and output are those of the note", give_output, inputs=heads),
        ],
    ),
    Question(
        id="06.7",
        title="Measure the saturation",
        kind="experiment",
        difficulty=3,
        minutes=25,
        hint="weights * (1 - weights) has one column a key: take the largest of each row first, then "
        "mean and median over the rows. ln(1024) - ln(64) is ln(16).",
        reference={
            "means": [0.1479, 0.0830, 0.0427, 0.0216],
            "medians": [0.1723, 0.0379, 8.85e-4, 1.19e-6],
            "slope": -0.486,
            "certain": 0.8085,
        },
        parts=[
            Part("means", 1, "the means at the four widths", give_means, expected=measured_means),
            Part("medians", 1, "the medians at the four widths", give_medians, expected=measured_medians),
            Part("certain", 1, "the share of nearly certain queries", give_share, expected=measured_share),
            Part(
                "slope",
                2,
                "the slope is in the expected range and follows from the means",
                give_slope,
                compare=("slope",),
                expected=measured_slope,
                properties=(slope_follows,),
            ),
        ],
    ),
]
