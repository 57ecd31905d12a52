"""Question 19.4: Repair the energy."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import AXES, a_memory, leaning, memories


def states_at_zero(rng):
    """The state is zero and all patterns are equally long, so that their longest is their mean."""
    for batch, states, patterns, d in sizes(rng, **AXES, far={"patterns": 110}):
        case = a_memory(rng, batch, states, patterns, d, float(rng.choice([0.3, 2.5, 4.0])))
        long = case["patterns"].norm(dim=-1, keepdim=True)
        length = 0.5 + torch.from_numpy(rng.random((batch, 1, 1))).float()
        yield {**case, "state": 0 * case["state"], "patterns": case["patterns"] / long * length}


def equally_long(rng):
    """Patterns of one length and a beta of 1, so that only the state's own square can be wrong."""
    for batch, states, patterns, d in sizes(rng, **AXES):
        case = a_memory(rng, batch, states, patterns, d, 1.0, state_scale=1.5)
        yield {**case, "patterns": case["patterns"] / case["patterns"].norm(dim=-1, keepdim=True)}


def of_other_lengths(rng):
    """The state is zero and beta is 1."""
    for shape in sizes(rng, **AXES):
        case = a_memory(rng, *shape, 1.0)
        yield {**case, "state": 0 * case["state"]}


def large(rng):
    """Scores of thousands, at a beta of 1."""
    for shape in sizes(rng, **AXES):
        case = leaning(rng, *shape, beta=1.0)
        yield {**case, "state": 40 * case["state"], "patterns": 30 * case["patterns"]}


def all_memories(rng):
    yield from memories(rng)
    for shape in sizes(rng, **AXES):
        case = leaning(rng, *shape, beta=float(rng.uniform(2.0, 4.0)))
        yield {**case, "state": 30 * case["state"], "patterns": 20 * case["patterns"]}


def sent_back(rng):
    for case in all_memories(rng):
        yield {**case, "upstream": normal(rng, *case["state"].shape[:2])}
    case = a_memory(rng, 2, 33, 3, 2)
    yield {**case, "upstream": normal(rng, 2, 33)}


def call_energy(student, inputs):
    return {"energy": student.energy(inputs["state"], inputs["patterns"], inputs["beta"])}


def call_difference(student, inputs):
    """The energies of a state and of its opposite, which is as long."""
    here = student.energy(inputs["state"], inputs["patterns"], inputs["beta"])
    there = student.energy(-inputs["state"], inputs["patterns"], inputs["beta"])
    return {"energy of the state, minus that of its opposite": here - there}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("state", "patterns")}
    energy = student.energy(leaves["state"], leaves["patterns"], inputs["beta"])
    (energy * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def energy(state, patterns, beta):
    state, patterns = state.double(), patterns.double()
    scores = torch.einsum("bsd,bpd->bsp", state, patterns)
    top = scores.amax(2, keepdim=True).detach()
    mean = (beta * (scores - top)).exp().mean(2)
    longest = (patterns**2).sum(2).amax(1, keepdim=True)
    return (state**2).sum(2) / 2 + longest / 2 - top[:, :, 0] - mean.log() / beta


QUESTION = Question(
    id="19.4",
    title="Repair the energy",
    kind="repair",
    difficulty=3,
    minutes=30,
    reference={"energy": energy},
    clauses={
        "for patterns of any lengths": "the mistakes that take another length lose several parts",
        "its gradient is that of the energy": ("gradients", "detached_longest"),
        "a number above zero": "it is the form of an inverse temperature",
    },
    parts=[
        Part(
            "at zero",
            2,
            "a state of zeros has half the squared length of the patterns, whatever the temperature",
            call_energy,
            inputs=states_at_zero,
            hints=(
                "For a state of zeros all scores are zero. What is left of the four terms, and what should "
                "be?",
                "The logarithm of N has to cancel against the first term, at any beta.",
                "Compare both terms with beta = 1 and with beta = 4.",
            ),
        ),
        Part(
            "square",
            1,
            "the state's own square",
            call_energy,
            inputs=equally_long,
            hints=(
                "Take one pattern x and beta = 1: the energy is then half the squared distance of state "
                "and pattern.",
                "Multiply this square out, and compare term by term.",
            ),
        ),
        Part(
            "longest",
            1,
            "patterns of several lengths",
            call_energy,
            inputs=of_other_lengths,
            hints=(
                "Give a memory one short and one long pattern, and print the last term.",
                "Which pattern's length stands in the last term of the formula?",
                "Each entry of the batch has a longest pattern of its own.",
            ),
        ),
        Part(
            "large scores",
            2,
            "scores of thousands, of both signs",
            call_difference,
            inputs=large,
            rtol=1e-4,
            atol=1e-2,
            hints=(
                "What is exp(1000) in floating point, and what is the logarithm of exp(-1000)?",
                "The largest score of a row can be taken out of the sum, and added behind the logarithm.",
                "PyTorch has one function for the logarithm of a sum of exponentials.",
            ),
        ),
        Part(
            "together",
            1,
            "all of it at once",
            call_energy,
            inputs=all_memories,
            rtol=1e-4,
            atol=5e-3,
            hints=(
                "Try several states, patterns of several lengths, a beta other than 1 and large scores "
                "together.",
                "Compute one energy by hand: d = 1, the state 2, the patterns 1 and 3, beta = 2.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients by the state and by the patterns",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                "The gradient by a state is the state minus its update. Is yours?",
                "Patterns get a gradient in the first term, and the longest of them in the last one.",
                "Does something cut the gradient off, such as detach, or a tensor made from plain numbers?",
            ),
        ),
    ],
)
