"""Question 16.3: A scan."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import gates


def steps(rng):
    """Sizes of every kind, and small and large numbers."""
    names = ("f_1", "u_1", "f_2", "u_2")
    for places, width in sizes(rng, places=6, width=5, far={"places": 110}):
        yield {name: normal(rng, places, width) for name in names}
    for unit in (1e-3, 30.0):
        yield {name: normal(rng, 4, 3, scale=unit) for name in names}


def recurrences(rng):
    """Lengths of every kind: 1, powers of 2, one more and one less, more than a hundred."""
    for number, (time, width) in enumerate(sizes(rng, time=(1, 7), width=5)):
        unit = (1.0, 20.0, 2e-3)[number % 3]
        yield {
            "f": 2 * gates(rng, time, width) - 1,
            "u": normal(rng, time, width, scale=unit),
            "start": normal(rng, width, scale=unit),
        }
    for time in (2, 3, 4, 8, 9, int(rng.integers(101, 127))):
        width = int(rng.integers(1, 4))
        yield {"f": gates(rng, time, width), "u": normal(rng, time, width), "start": normal(rng, width)}
    yield {"f": 1.2 + gates(rng, 4, 2), "u": normal(rng, 4, 2), "start": 20 * normal(rng, 2)}
    yield {"f": 12.0 + gates(rng, 3, 2), "u": normal(rng, 3, 2), "start": 2e-3 * normal(rng, 2)}
    yield {"f": 1e-3 * gates(rng, 3, 2), "u": 1e-3 * normal(rng, 3, 2), "start": 20 * normal(rng, 2)}


def closed(rng):
    """Factors of 0 at the start, at the end and between, and long products of small factors."""
    for time, width in [(5, 3), (5, 3), (2, 1), (9, 2)]:
        f = gates(rng, time, width)
        f[int(rng.integers(0, time - 1))] = 0.0
        f[-1, 0] = 0.0
        yield {"f": f, "u": normal(rng, time, width), "start": normal(rng, width)}
    yield {"f": 0.05 * gates(rng, 130, 2), "u": normal(rng, 130, 2), "start": normal(rng, 2)}


def sent_back(rng):
    cases = [case for case in recurrences(rng) if case["f"].max() < 10]
    for case in [*cases, next(closed(rng))]:
        time, width = case["f"].shape
        yield {**case, "upstream": normal(rng, time, width), "upstream of join": normal(rng, 2, time, width)}


def long_ones(rng):
    for time in (1, 2, 3, 4, 7, 8, 9, 16, 33, int(rng.integers(101, 127)), int(rng.integers(500, 600))):
        yield {"f": gates(rng, time, 1), "u": normal(rng, time, 1), "start": normal(rng, 1)}


def call_join(student, inputs):
    f, u = student.join(*(inputs[name] for name in ("f_1", "u_1", "f_2", "u_2")))
    return {"f": f, "u": u}


def call_scan(student, inputs):
    def join(f_1, u_1, f_2, u_2):
        return f_1.mul(f_2), torch.addcmul(u_2, u_1, f_2)

    return {"c": student.scan(inputs["f"], inputs["u"], inputs["start"], join)}


def count_joins(student, inputs):
    calls = []

    def join(f_1, u_1, f_2, u_2):
        calls.append(1)
        return f_1.mul(f_2), torch.addcmul(u_2, u_1, f_2)

    c = student.scan(inputs["f"], inputs["u"], inputs["start"], join)
    return {"c": c, "calls": len(calls)}


def call_backward(student, inputs):
    def join(f_1, u_1, f_2, u_2):
        return f_1.mul(f_2), torch.addcmul(u_2, u_1, f_2)

    leaves = {name: inputs[name].clone().requires_grad_() for name in ("f", "u", "start")}
    (student.scan(*leaves.values(), join) * inputs["upstream"]).sum().backward()
    first, second = ([part.clone().requires_grad_() for part in (inputs["f"], inputs["u"])] for _ in range(2))
    f, u = student.join(*first, *second)
    (f * inputs["upstream of join"][0] + u * inputs["upstream of join"][1]).sum().backward()
    leaves |= {"f_1": first[0], "u_1": first[1], "f_2": second[0], "u_2": second[1]}
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def few_joins(inputs, outputs):
    time = inputs["f"].shape[0]
    rounds = math.ceil(math.log2(time))
    calls = int(outputs["calls"])
    if calls < rounds:
        return f"it calls join {calls} times, and fewer than {rounds} cannot join {time} steps"
    if calls > 2 * rounds + 2:
        return f"it calls join {calls} times for {time} steps, more than {2 * rounds + 2}"
    return None


def join(f_1, u_1, f_2, u_2):
    f_1, u_1, f_2, u_2 = (part.double() for part in (f_1, u_1, f_2, u_2))
    return f_1 * f_2, u_1 * f_2 + u_2


def scan(f, u, start, join):
    state, states = start.double(), []
    for factor, term in zip(f.double(), u.double(), strict=True):
        state = factor * state + term
        states.append(state)
    for _ in range(math.ceil(math.log2(len(states)))):
        join(f, u, f, u)
    return torch.stack(states)


QUESTION = Question(
    id="16.3",
    title="A scan",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"join": join, "scan": scan},
    clauses={
        "at most $2": ("rounds", "one_by_one"),
        "All states of c_t": "the recurrence itself, which values asks for",
        "from any $": "all of scan's parts have such a start: `from_zero` loses them",
        "may be exactly 0": "closed and gradients have such: `divided` loses them",
        "Models train through both": ("gradients", "detached"),
    },
    parts=[
        Part(
            "join",
            1,
            "two steps in one",
            call_join,
            inputs=steps,
            hints=(
                "Put c' = f_1 c + u_1 into f_2 c' + u_2. What stands before c, and what is left?",
                "Which of the two u meets a factor of the other step?",
            ),
        ),
        Part(
            "values",
            2,
            "all states, of texts of any length",
            call_scan,
            inputs=recurrences,
            hints=(
                "Take four steps and print f and u after each round. Which steps does each place hold?",
                "The first places have nobody before them: they stay as they are. How far apart are the "
                "places that are joined in round two?",
                "The state before the first step meets the factors of all steps up to each place.",
            ),
        ),
        Part(
            "closed",
            1,
            "factors of 0, and long products of small factors",
            call_scan,
            inputs=closed,
            hints=(
                "After a factor of 0, nothing is left of what was before. Is it so, or is there a NaN?",
                "Divide by no product of factors, and take no logarithm of it.",
            ),
        ),
        Part(
            "rounds",
            1,
            "states from a few calls of join",
            count_joins,
            inputs=long_ones,
            compare=("c",),
            properties=(few_joins,),
            hints=(
                "Count the calls of join for a text of 8 steps, and for one of 16. By how much do they grow?",
                "One call of join can take many places at the same time.",
                "Twice the length is one round more.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients reach all factors, all terms and the start",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (states * upstream).sum() with random upstream. Is one of the gradients "
                "None, zero or NaN?",
                "What is given wrong has wrong gradients too. Where it is right, look for detach, no_grad, "
                "or numbers written into a tensor.",
            ),
        ),
    ],
)
