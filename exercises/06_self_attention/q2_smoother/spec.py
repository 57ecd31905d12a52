"""Question 06.2: A smoother out of attention."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED


def points_anywhere(rng):
    """Points near and far: tiny coordinates, large ones, and one point eight bandwidths from every place."""
    for n, m, d, c in sizes(rng, n=5, m=6, d=4, c=3, far={"m": 110}):
        case = {
            "places": normal(rng, n, d),
            "points": normal(rng, m, d),
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.4, 0.9)),
        }
        if m == 1:
            away = 8.0 * d**-0.5 + normal(rng, n, d, scale=0.1)
            case["places"] = case["points"] + case["bandwidth"] * away
        yield case
    n, m, d, c = next(sizes(rng, n=4, m=5, d=3, c=3))
    for unit, bandwidth, size in ((1e-3, 7e-4, 8e-4), (30.0, 20, 50.0)):
        yield {
            "places": normal(rng, n, d, scale=unit),
            "points": normal(rng, m, d, scale=unit),
            "observed": normal(rng, m, c, scale=size),
            "bandwidth": bandwidth,
        }


def points_of_one_length(rng):
    for n, m, d, c in sizes(rng, n=4, m=6, d=4, c=3):
        points = normal(rng, m, d)
        yield {
            "places": normal(rng, n, d).clamp(-2, 2),
            "points": points / points.norm(dim=1, keepdim=True),
            "observed": normal(rng, m, c),
            "bandwidth": float(rng.uniform(0.9, 1.4)),
        }


def points_apart(rng):
    """Points whose distances from each place differ, and bandwidths at which no weight vanishes."""
    for n, m, d in sizes(rng, n=4, m=5, d=3):
        gap = 0.0
        while gap < 0.03:
            places, points = normal(rng, n, d).clamp(-2, 2), normal(rng, m, d)
            gaps = (places[:, None] - points).square().sum(-1).sort(-1).values.diff(dim=-1)
            gap = float(gaps.min()) if m > 1 else 1.0
        yield {
            "places": places,
            "points": points,
            "observed": torch.eye(m),
            "bandwidth": float(rng.uniform(1.2, 1.9)),
        }


def far_places(rng):
    """Places some sixty bandwidths away from all points, one of which is nearer than the others."""
    for least in (2, 1):
        n, m, d, c = (int(rng.integers(low, high)) for low, high in ((2, 5), (3, 6), (least, 3), (1, 4)))
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
    for _ in range(2):
        n, m, d, c = (int(rng.integers(low, high)) for low, high in ((2, 5), (5, 7), (2, 4), (2, 5)))
        gap = 0.0
        while not 0.05 < gap < 0.12:
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


def at_the_limit(rng):
    """Places a hundred bandwidths from the origin, one of them with points around it, and a bit less."""
    for stretch in (1.0, 0.95):
        yield {
            "places": stretch * torch.tensor([[30.0, 40.0], [-40.0, 30.0], [40.0, -30.0]]),
            "points": stretch * torch.tensor([[29.5, 39.5], [33.0, 43.0], [-39.0, 29.0], [0.0, 0.0]]),
            "observed": torch.tensor([[1.0], [3.0], [-2.0], [5.0]]),
            "bandwidth": 0.5,
        }


def between_two(rng):
    """A place that two points are equally near, far away, one that they nearly are, and two others."""
    yield {
        "places": torch.tensor([[40.0, 0.0], [40.0, 0.05], [-40.0, 0.0], [0.0, 45.0]]),
        "points": torch.tensor([[3.0, 4.0], [3.0, -4.0], [-20.0, 1.0]]),
        "observed": torch.tensor([[1.0], [3.0], [-2.0]]),
        "bandwidth": 0.5,
    }


def places_far_from_any_kernel(rng):
    yield from far_places(rng)
    yield from sharp_kernels(rng)
    yield from at_the_limit(rng)
    yield from between_two(rng)


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


QUESTION = Question(
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
    clauses={
        "/ 2h^2": "one length and anywhere: `half` and `bandwidth` lose them",
        "`attention` of 06.1": "a way to do it: any other is accepted",
        "if all keys have the same length": "it says what the chapter shows; part one length draws such keys",
        "up to a hundred bandwidths": ("far away", "underflow"),
        "one entry longer": "a way to do it: any other is accepted",
        "must still get": ("far away", "underflow"),
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
            3,
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
)
