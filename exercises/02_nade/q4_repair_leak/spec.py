"""Question 02.4: Repair a NADE that is too good."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import near_zero, tokens_of, with_large_sums


def binary(rng, shapes):
    for batch, time, k in shapes:
        yield {
            "x": tokens_of(rng, 2, batch, time),
            "W": normal(rng, time, k),
            "c": normal(rng, k),
            "V": normal(rng, time, k),
            "b": normal(rng, time),
            "upstream": normal(rng, batch, time),
        }


def binary_without_bias(rng):
    for case in binary(rng, sizes(rng, batch=4, time=6, k=5, far={"time": 110})):
        case["x"][:, 0] = 1
        yield {**case, "c": torch.zeros_like(case["c"])}


def binary_blank(rng):
    for case in binary(rng, sizes(rng, batch=4, time=6, k=5)):
        yield {**case, "x": torch.zeros_like(case["x"])}


def binary_to_train_on(rng):
    """Everything together, with sums in the thousands, log-odds in the hundreds, and numbers near zero."""
    yield from binary(rng, sizes(rng, batch=4, time=6, k=5, far={"time": 100}))
    for case in binary(rng, [(4, 6, 3)]):
        yield with_large_sums(case, "W")
    # log-odds beyond those whose probability rounds to 0 or 1
    for case in binary(rng, [(3, 5, 4)]):
        yield {**case, "b": 100 * case["b"]}
    # what is read is far from zero, and c makes up for it
    for case in binary(rng, [(3, 4, 2)]):
        case["x"][:, 0] = 1
        case["W"][0] -= 30
        yield {**case, "c": case["c"] + 30, "V": 20 * case["V"]}
    # two hidden units of opposite effect, so that log-odds show differences of a thousandth
    for case in binary(rng, [(3, 5, 2), (3, 5, 2)]):
        case |= {name: near_zero(rng, case[name]) for name in ("W", "c", "V", "b")}
        yield case
        column = normal(rng, 5, 1, scale=20.0)
        yield {**case, "V": torch.cat([column, -column], 1)}


def call_log_odds(student, inputs):
    return {"log_odds": student.log_odds(*(inputs[name] for name in ("x", "W", "c", "V", "b")))}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("W", "c", "V", "b")}
    values = torch.as_tensor(student.log_odds(inputs["x"], *leaves.values()))
    if values.requires_grad:
        (values * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    gradients = {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}
    return {"log_odds": values, **gradients}


def log_odds(x, W, c, V, b):
    W, c, V, b = W.double(), c.double(), V.double(), b.double()
    terms = torch.nn.functional.pad(x[..., None] * W, (0, 0, 1, 0))[:, :-1]
    return b + (V * torch.sigmoid(c + terms.cumsum(1))).sum(-1)


QUESTION = Question(
    id="02.4",
    title="Repair a NADE that is too good",
    kind="repair",
    difficulty=3,
    minutes=20,
    reference={"log_odds": log_odds},
    exempt={"x wrapped at 256": "it holds zeros and ones"},
    clauses={
        "Repaired, it should train": ("training", "detached"),
        "given x[:, :t], for every t": "it names what is asked for",
    },
    parts=[
        Part(
            "history",
            3,
            "each position reads the tokens before it, and no other (c is zero here)",
            call_log_odds,
            inputs=binary_without_bias,
            hints=(
                "Change x_t: do the log-odds at t change?",
                "cumsum at t includes the term of t. How many terms has the sum over s < t?",
                "At the first position nothing has been read.",
            ),
        ),
        Part(
            "bias",
            1,
            "blank images, where only the biases count",
            call_log_odds,
            inputs=binary_blank,
            hints=(
                "For a blank image h_t is the sigmoid of c at every position. What is added up in your code?",
                "A constant inside a running sum is counted once more at each position.",
            ),
        ),
        Part(
            "training",
            1,
            "both repaired: the log-odds, and their gradients for W, c, V and b",
            call_backward,
            inputs=binary_to_train_on,
            hints=(
                "Compute the log-odds of x = (1, 1, 0) by hand, with k = 1. Which of the three differs?",
                "Call backward on your answer, each number times one of its own. Which of the parameters "
                "has no gradient?",
                "A gradient ends where a tensor is detached or becomes a NumPy array. It is NaN where "
                "infinity was divided by infinity, and exp(1000) is infinite.",
            ),
        ),
    ],
)
