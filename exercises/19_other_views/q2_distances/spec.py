"""Question 19.2: Distances from inner products."""

import torch
from autograder.authoring import Part, Question, normal, sizes

AXES = {"batch": 3, "places": 4, "n": 5, "d": 5}


def a_smoother(rng, batch, places, n, d, beta=None, scale=1.0, away=0.0):
    """Places among points, around a center of their own in each batch entry."""
    center = away * (2 * torch.from_numpy(rng.integers(0, 2, (batch, 1, d))).float() - 1)
    center = center * (0.5 + torch.from_numpy(rng.random((batch, 1, d))).float())
    return {
        "x": center + normal(rng, batch, places, d, scale=scale),
        "points": center + normal(rng, batch, n, d, scale=scale),
        "beta": float(rng.uniform(0.5, 2.0)) if beta is None else beta,
    }


def smoothers(rng):
    """At last tiny distances and large ones, with a bandwidth that fits."""
    for shape in sizes(rng, **AXES, far={"n": 110}):
        yield a_smoother(rng, *shape)
    yield a_smoother(rng, 2, 3, 4, 5, 5e5, 1e-3)
    yield a_smoother(rng, 2, 3, 4, 5, 5e-4, 40.0)


def far_smoothers(rng):
    """The same, hundreds away from zero."""
    for shape in sizes(rng, **AXES):
        yield a_smoother(rng, *shape, away=400.0)


def smoothers_sent_back(rng):
    for case in smoothers(rng):
        yield {**case, "upstream": normal(rng, *case["x"].shape[:2], case["points"].shape[1])}


def call_weights(student, inputs):
    query, key = student.query_and_key(inputs["x"], inputs["points"], inputs["beta"])
    query, key = (torch.as_tensor(side).double() for side in (query, key))
    (batch, places), n = inputs["x"].shape[:2], inputs["points"].shape[1]
    if query.shape[:-1] != (batch, places) or key.shape[:-1] != (batch, n):
        return {"shapes": [list(query.shape[:-1]), list(key.shape[:-1])]}
    weights = (query @ key.mT).softmax(-1)
    return {"shapes": [[batch, places], [batch, n]], "weights": weights}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", "points")}
    query, key = student.query_and_key(leaves["x"], leaves["points"], inputs["beta"])
    weights = (query.double() @ key.double().mT).softmax(-1)
    # gradients are as large as the root of beta
    ((weights * inputs["upstream"]).sum() / inputs["beta"] ** 0.5).backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def query_and_key(x, points, beta):
    x, points = x.double(), points.double()
    center = points.mean(1, keepdim=True).detach()
    x, points = x - center, points - center
    query = torch.cat([beta * x, torch.full_like(x[..., :1], -beta / 2)], -1)
    return query, torch.cat([points, (points**2).sum(-1, keepdim=True)], -1)


QUESTION = Question(
    id="19.2",
    title="Distances from inner products",
    kind="implement",
    difficulty=2,
    minutes=15,
    reference={"query_and_key": query_and_key},
    exempt={"n is 1": "a single point has all of the weight, whatever its key"},
    clauses={
        "Queries and keys may be as wide": "their softmax is compared, and not they themselves",
        "hundreds away from zero": ("far", "uncentered"),
        "the square of 300": ("far", "uncentered"),
        "The smoother is part of a model": ("gradients", "detached_squares"),
        "a number above zero": "it is the form of an inverse temperature",
        "of any one width": "their softmax is compared, and not they themselves",
    },
    parts=[
        Part(
            "weights",
            2,
            "the softmax of the inner products is the smoother's weights",
            call_weights,
            inputs=smoothers,
            hints=(
                "Multiply the squared distance out. Which of the three terms is the same for all points, so "
                "that the softmax does not see it?",
                "A term that belongs to the point alone can stand in a further feature of the key, beside "
                "which the query has a constant.",
                "With one place x = 2, points 1 and 4 and beta = 1, the two inner products must differ by "
                "1.5.",
            ),
        ),
        Part(
            "far",
            1,
            "places and points hundreds away from zero",
            call_weights,
            inputs=far_smoothers,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Print the two inner products for a place and two points around 300: their difference is "
                "small, and they are not.",
                "What can you take away from all places and all points without any change of a distance?",
                "Each entry of the batch lies somewhere else.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients reach the places and the points",
            call_backward,
            inputs=smoothers_sent_back,
            rtol=1e-2,
            atol=2e-3,
            hints=(
                "Call backward on (weights * upstream).sum() with random upstream, and print the gradients "
                "of x and of points. Which is zero, or too small?",
                "Points get a gradient on two ways: by the inner product, and by their squares.",
                "Does something cut the gradient off, such as detach, or a tensor made from plain numbers?",
            ),
        ),
    ],
)
