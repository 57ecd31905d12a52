"""Question 11.4: The gradient of a tied table."""

import torch
from autograder.authoring import Part, Question, normal

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

GRADIENTS = [(2, 3, 4, 5), (1, 4, 3, 7), (3, 1, 2, 6), (2, 5, 3, 9), (1, 1, 3, 4), (3, 3, 3, 3), (2, 3, 4, 5)]
GRADIENTS += [(2, 3, 1, 5)]  # rows of one number
MANY = [(2, 104, 2, 3), (105, 2, 3, 4), (2, 3, 4, 1)]


def models(rng, repeated=False, scale=1.0):
    """Batch, time, width and vocabulary; tokens that are read occur once, or many times."""
    for batch, time, d, vocab in [*GRADIENTS, *(MANY if repeated else [])]:
        vocab = vocab if repeated else max(vocab, batch * time)
        read = one_of(rng, max(1, vocab // 2), batch, time)
        if not repeated:
            read = torch.from_numpy(rng.permutation(vocab)[: batch * time].reshape(batch, time))
        yield {
            "E": scale * normal(rng, vocab, d),
            "M": normal(rng, time, time).tril() / time**0.5,
            "R": normal(rng, d, d) / d**0.5,
            "tokens": read,
            "targets": one_of(rng, vocab, batch, time),
        }


def repeated_models(rng):
    return models(rng, repeated=True)


def extreme_models(rng):
    """Scores in the thousands, exact in float32."""
    for case in models(rng, repeated=True, scale=40.0):
        exact = {name: (8 * case[name]).round() / 8 for name in ("M", "R")}
        yield {**case, "E": case["E"].round(), **exact}


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
            hints=(
                "What is the derivative of the loss at one place for the scores of that place?",
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
            inputs=repeated_models,
            rtol=2e-4,
            hints=(
                "It is the sum of the two parts. Which of them is still wrong?",
                "Compare with automatic differentiation in a cell of your own.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores in the thousands",
            call_both,
            inputs=extreme_models,
            rtol=2e-3,
            atol=2e-3,
            hints=(
                "Which of your steps takes an exponential?",
                "The largest score of each place may be subtracted first, or a library softmax used.",
            ),
        ),
    ],
)
