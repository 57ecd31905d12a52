"""Question 19.6: Particles in Macaron's order."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED


def particles(rng, batch, n, d, beta=None, scale=1.0, away=0.0):
    """`turn` and `shift` make the network."""
    return {
        "x": normal(rng, batch, n, d, scale=scale) + away,
        "turn": normal(rng, d, d) / (scale * d**0.5),
        "shift": normal(rng, d),
        "size": scale,
        "beta": float(rng.uniform(0.5, 2.0)) if beta is None else beta,
    }


def crowds(rng):
    """At last crowds that are tiny, large, far apart and far from zero."""
    for shape in sizes(rng, batch=3, n=5, d=5, far={"n": 104}):
        yield particles(rng, *shape)
    yield particles(rng, 2, 4, 3, 4e5, 2e-3)
    yield particles(rng, 2, 4, 3, 5e-4, 50.0)
    yield particles(rng, 2, 4, 3, 1.0, 60.0)
    yield particles(rng, 2, 4, 3, away=30.0)


def single_steps(rng):
    """Steps of several sizes, tiny and large ones too."""
    for number, case in enumerate(crowds(rng)):
        yield {**case, "h": (0.5, 1.0, 0.3, 1.5, 0.7)[number % 5], "steps": 1}
    for h in (6e-4, 13.0):
        case = particles(rng, 2, 4, 3, 2e-4, 90.0)
        yield {**case, "shift": 3 * case["shift"], "h": h, "steps": 1}


def many_steps(rng):
    """From none to forty steps."""
    for batch, n, d, steps in sizes(rng, batch=3, n=5, d=5, steps=(1, 6)):
        yield {**particles(rng, batch, n, d), "h": float(rng.uniform(0.2, 0.6)), "steps": steps}
    yield {**particles(rng, 2, 3, 4), "h": 0.5, "steps": 0}
    yield {**particles(rng, 2, 4, 2), "h": 0.1, "steps": 40}
    yield {**particles(rng, 2, 104, 2), "h": 0.3, "steps": 2}


def steps_sent_back(rng):
    for batch, n, d, steps in sizes(rng, batch=3, n=5, d=5, steps=(1, 3), far={"n": 33}):
        case = {**particles(rng, batch, n, d), "h": float(rng.uniform(0.3, 0.8)), "steps": steps}
        yield {**case, "upstream": normal(rng, steps + 1, batch, n, d)}
    for case in (particles(rng, 2, 4, 3, 4e5, 2e-3), particles(rng, 2, 4, 3, 1.0, 60.0)):
        yield {**case, "h": 0.5, "steps": 2, "upstream": normal(rng, 3, 2, 4, 3)}


def call_attract(student, inputs):
    return {"force": student.attract(inputs["x"], inputs["beta"]) / inputs["size"]}


def call_path(student, inputs):
    turn, shift, size = inputs["turn"], inputs["shift"], inputs["size"]

    def network(x):
        return size * torch.tanh(x @ turn.to(x.dtype) + shift.to(x.dtype))

    places = student.path(inputs["x"], network, inputs["beta"], inputs["h"], inputs["steps"])
    return {"places": places / size}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", "turn", "shift")}
    size = inputs["size"]

    def network(x):
        return size * torch.tanh(x @ leaves["turn"].to(x.dtype) + leaves["shift"].to(x.dtype))

    places = student.path(leaves["x"], network, inputs["beta"], inputs["h"], inputs["steps"])
    (places * inputs["upstream"] / size).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    found = {name: unused.get(name, leaf.grad) for name, leaf in leaves.items()}
    # what a start or a matrix is worth, in the units of the crowd
    units = {"x": size, "turn": 1 / size, "shift": 1.0}
    return {f"gradient of {name}": found[name] * units[name] for name in found}


def attract(x, beta):
    x = x.double()
    moved = []
    for i in range(x.shape[1]):
        scores = -beta / 2 * ((x - x[:, i : i + 1]) ** 2).sum(2)
        powers = (scores - scores.amax(1, keepdim=True).detach()).exp()
        weights = powers / powers.sum(1, keepdim=True)
        moved.append((weights[:, :, None] * (x - x[:, i : i + 1])).sum(1))
    return torch.stack(moved, 1)


def path(x, network, beta, h, steps):
    def force(x):
        x = x.double()
        moved = []
        for i in range(x.shape[1]):
            scores = -beta / 2 * ((x - x[:, i : i + 1]) ** 2).sum(2)
            weights = scores.softmax(1)
            moved.append((weights[:, :, None] * (x - x[:, i : i + 1])).sum(1))
        return torch.stack(moved, 1)

    places = [x.double()]
    while len(places) <= steps:
        first = places[-1] + 0.5 * h * network(places[-1])
        second = first + h * force(first)
        places.append(second + 0.5 * h * network(second))
    return torch.stack(places)


QUESTION = Question(
    id="19.6",
    title="Particles in Macaron's order",
    kind="implement",
    difficulty=4,
    minutes=30,
    reference={"attract": attract, "path": path},
    forbids=FUSED,
    exempt={
        "extreme exponents": "a particle's distance to itself is zero, so the largest exponent always is",
    },
    clauses={
        "each of the three begins where": "mistakes with stale places lose several parts",
        "With no steps, the path": ("path", "one_step_at_least"),
        "A Transformer that consists of such steps": ("gradients", "detached_weights"),
        "a number above zero": "it is the form of an inverse temperature and of a time",
        "a whole number from 0 on": ("path", "one_step_at_least"),
        "(steps + 1, batch, n, d)": ("path", "one_step_at_least"),
        "Where each particle is drawn": "it says what is returned",
    },
    parts=[
        Part(
            "attraction",
            2,
            "each particle is drawn to the average of those near it",
            call_attract,
            inputs=crowds,
            hints=(
                "Two particles at 0 and 1 with beta = 1: the first has the weights of a softmax of 0 and "
                "-1/2. Where is it drawn?",
                "Squared distances have the shape (batch, n, n), with zeros on the diagonal. Which axis "
                "counts those that draw?",
                "The force is the average minus the particle's own place, so a single particle feels none.",
            ),
        ),
        Part(
            "step",
            3,
            "one step: half of the network, all of the attraction, half of the network",
            call_path,
            inputs=single_steps,
            hints=(
                "Write the three lines one below the other. What does each of them read, and what does it "
                "add to?",
                "Give a network that returns ones, and one particle: how far should it move in one step?",
                "h stands in all three lines, and it is halved in two of them.",
            ),
        ),
        Part(
            "path",
            2,
            "all places of many steps, or of none",
            call_path,
            inputs=many_steps,
            hints=(
                "How many places has a path of no steps, and which?",
                "Does the second step begin where the first has ended, with a network that reads this place?",
                "torch.stack puts the places into one tensor, along a new first axis.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients reach the start and the network's parameters",
            call_backward,
            inputs=steps_sent_back,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Call backward on (places * upstream).sum() with random upstream: which gradients are "
                "missing, NaN or too small?",
                "The weights depend on the particles' places, too.",
                "A distance has no gradient at zero, and its square has one: do not take roots.",
            ),
        ),
    ],
)
