"""Question 11.4: The gradient of a tied table."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import one_of

AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jvp",
    "torch.autograd.functional.jacobian",
    "torch.autograd.forward_ad.make_dual",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.linearize",
)


def model_of(rng, batch, time, d, vocab, scale=1.0):
    """A model of these sizes, and a batch in which tokens are read many times."""
    tokens = one_of(rng, max(1, vocab // 2), batch, time)
    tokens[:2, :2] = tokens[0, 0]
    return {
        "E": scale * normal(rng, vocab, d),
        "M": normal(rng, time, time).tril() / time**0.5,
        "R": normal(rng, d, d) / d**0.5,
        "tokens": tokens,
        "targets": one_of(rng, vocab, batch, time),
    }


def models(rng):
    """Each token is read once at most."""
    for batch, time, d, vocab in sizes(rng, batch=3, time=4, d=5, vocab=7, far={"vocab": 300}):
        case = model_of(rng, batch, time, d, max(vocab, batch * time))
        vocab = len(case["E"])
        case["tokens"] = torch.from_numpy(rng.permutation(vocab)[: batch * time].reshape(batch, time))
        if vocab > 256:  # a token whose number is no byte
            case["tokens"][0, 0] = next(token for token in range(256, vocab) if token not in case["tokens"])
            case["targets"][0, 0] = int(rng.integers(256, vocab))
        yield case


def repeated_models(rng, far=("time",)):
    for shape in sizes(rng, batch=3, time=4, d=5, vocab=7, far={name: 100 for name in far}):
        yield model_of(rng, *shape)


def sums(rng):
    """Beside ordinary models those with small numbers in one place and large ones in another."""
    yield from repeated_models(rng, far=())
    for small, large in (("E", "M"), ("M", "R"), ("R", "M")):
        case = model_of(rng, 2, 3, 4, 5)
        yield {**case, small: case[small] / 2048, large: case[large] * 2048}


def extreme_models(rng):
    """Scores in the thousands, exact in float32, with one token that is far more probable than all others."""
    for shape in sizes(rng, batch=3, time=4, d=(2, 5), vocab=(2, 7)):
        while True:
            case = model_of(rng, *shape, scale=40.0)
            case |= {"E": case["E"].round(), **{name: (8 * case[name]).round() / 8 for name in ("M", "R")}}
            first, second = scores_of(case).topk(2).values.unbind(-1)
            if (first - second).min() > 50:
                break
        yield case
    while True:  # all scores of each place far below zero
        case = model_of(rng, 2, 3, 4, 5, scale=8.0)
        case |= {"E": case["E"].round(), **{name: (8 * case[name]).round() / 8 for name in ("M", "R")}}
        case["M"] = case["M"].abs()
        case["M"][:, 0] = 1.0
        case["E"][:, -1], case["R"][:, -1], case["R"][-1, -1] = 40.0, 0.0, -8.0
        first, second = scores_of(case).topk(2).values.unbind(-1)
        if (first - second).min() > 50 and first.max() < -1000:
            break
    yield case


def scores_of(case):
    E, M, R = (case[name].double() for name in ("E", "M", "R"))
    return M @ E[case["tokens"]] @ R @ E.T


def call_both(student, inputs):
    names = ("E", "M", "R", "tokens", "targets")
    as_head, as_rows = student.tied_gradient(*(inputs[name] for name in names))
    return {"as_head": as_head, "as_rows": as_rows}


def call_sum(student, inputs):
    given = [inputs[name] for name in ("E", "M", "R")]
    for name in ("tokens", "targets"):  # as they are cut out of longer texts
        given.append(torch.nn.functional.pad(inputs[name], (0, 1))[:, :-1])
    as_head, as_rows = student.tied_gradient(*given)
    return {"sum": torch.as_tensor(as_head) + torch.as_tensor(as_rows)}


def tied_gradient(E, M, R, tokens, targets):
    E, M, R = E.double(), M.double(), R.double()
    as_head, as_rows = torch.zeros_like(E), torch.zeros_like(E)
    for read, wanted in zip(tokens, targets):
        z = M @ E[read] @ R
        error = (z @ E.T).softmax(dim=-1)
        error[torch.arange(len(wanted)), wanted] -= 1
        error /= targets.numel()
        as_head += error.T @ z
        back = M.T @ error @ E @ R.T
        for place, token in enumerate(read.tolist()):
            as_rows[token] += back[place]
    return as_head, as_rows


QUESTION = Question(
    id="11.4",
    title="The gradient of a tied table",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={"tied_gradient": tied_gradient},
    forbids=AUTOGRAD,
    clauses={
        "for the tokens that are read": "each part of the question tests the formulas",
        "may be read many times": ("repeated", "thirty_readings"),
        "Scores may be in the thousands": ("large scores", "overflow"),
    },
    exempt={"no gradient": "it is itself a gradient; nothing trains through it"},
    parts=[
        Part(
            "head",
            3,
            "the part of the scores",
            call_both,
            inputs=models,
            compare=("as_head",),
            rtol=2e-4,
            atol=1e-6,
            hints=(
                (
                    "Take one place: what is the derivative of its loss for its scores, which vector "
                    "multiplies it, and by what is the sum over all places divided?"
                ),
                "It is the probabilities minus the one-hot target. A score is a product of a row and z.",
                "Sum an outer product over all places, and divide as the loss does.",
            ),
        ),
        Part(
            "rows",
            2,
            "the part of the inputs, where each token is read once at most",
            call_both,
            inputs=models,
            compare=("as_rows",),
            rtol=2e-4,
            atol=1e-6,
            hints=(
                "Go back from the scores to z, from z to the mixed inputs, from these to the inputs.",
                "Each matrix on the way forward is on the way back transposed.",
                "What reaches input s comes from all places that M lets read it.",
            ),
        ),
        Part(
            "repeated",
            2,
            "the part of the inputs, where tokens are read many times",
            call_both,
            inputs=repeated_models,
            compare=("as_rows",),
            rtol=2e-4,
            atol=1e-6,
            hints=(
                "What belongs to a row that is read at three places?",
                "Assigning to an index that occurs twice keeps one of the two. They have to add up.",
            ),
        ),
        Part(
            "sum",
            1,
            "the gradient of the tied table",
            call_sum,
            inputs=sums,
            rtol=2e-4,
            atol=1e-6,
            hints=(
                "Here the tokens and targets are cut out of longer texts, so that they do not lie one "
                "behind the "
                "other in memory, and numbers may be thousands or thousandths.",
                "Is anything rounded, cut off or added to a divisor? Compare with automatic "
                "differentiation in a "
                "cell of your own.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores in the thousands",
            call_both,
            inputs=extreme_models,
            rtol=2e-4,
            atol=1e-4,
            hints=(
                (
                    "Print the scores of one place of the case that is named before and after each step "
                    "up to the probabilities. Do their differences stay, and are the exponentials "
                    "numbers?"
                ),
                "The largest score of each place may be subtracted first, or a library softmax used.",
            ),
        ),
    ],
)
