"""Question 11.2: From outputs to the loss."""

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import one_of

CROSS_ENTROPIES = (
    "torch.nn.functional.cross_entropy",
    "torch.nn.CrossEntropyLoss",
    "torch.nn.functional.nll_loss",
    "torch.nn.NLLLoss",
    # what these call
    "torch._C._nn.cross_entropy_loss",
    "torch._C._nn.nll_loss",
    "torch._C._nn.nll_loss2d",
    "torch._C._nn.nll_loss_nd",
    "torch.ops.aten.cross_entropy_loss",
    "torch.ops.aten.nll_loss",
    "torch.ops.aten.nll_loss2d",
    "torch.ops.aten.nll_loss2d_forward",
    "torch.ops.aten.nll_loss_forward",
    "torch.ops.aten.nll_loss_nd",
)

PADDING = -100

SIZES = [(2, 3, 4, 5), (1, 4, 3, 7), (3, 1, 2, 6), (2, 5, 5, 5), (1, 1, 3, 4), (3, 3, 3, 3), (2, 3, 4, 5)]
LONG = [(1, 103, 3, 4), (104, 2, 2, 5), (2, 2, 2, 105), (1, 2, 106, 3)]


def outputs(rng, scale=1.0):
    """Batch, time, width and vocabulary; each case with an upstream gradient."""
    for batch, time, d, vocab in SIZES + LONG:
        yield {
            "z": scale * normal(rng, batch, time, d) / d**0.5,
            "E": normal(rng, vocab, d),
            "targets": one_of(rng, vocab, batch, time),
            "upstream": 0.5 + float(rng.random()),
        }


def padded(rng, scale=1.0):
    """Some targets are padding, at the ends or in the middle, and one row may have none left."""
    for n, case in enumerate(outputs(rng, scale)):
        batch, time = case["targets"].shape
        hidden = torch.from_numpy(rng.random((batch, time)) < 0.5)
        if n % 3 == 0 and batch > 1:
            hidden[1] = True
        hidden[0, int(rng.integers(time))] = False
        yield {**case, "targets": case["targets"].masked_fill(hidden, PADDING)}


def extreme(rng):
    """Scores in the thousands, in both directions, with another offset at each place.

    In the last cases they are a thousand apart, and one target has the least of them.
    """
    kinds = [(2, 3, 4, 5, 15.0), (1, 4, 3, 6, 15.0), (3, 2, 4, 4, 15.0), (2, 5, 2, 5, 15.0)]
    for batch, time, d, vocab, scale in [*kinds, (2, 3, 3, 5, 600.0), (1, 4, 4, 6, 600.0)]:
        z = scale * normal(rng, batch, time, d)
        offset = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (batch, time, 1))).float()
        table, targets = normal(rng, vocab, d), one_of(rng, vocab, batch, time)
        if scale > 100:
            targets[0, 0] = (table @ z[0, 0]).argmin()
        yield {
            "z": torch.cat([z, offset], dim=2),
            "E": torch.cat([table, torch.ones(vocab, 1)], dim=1),
            "targets": targets,
            "upstream": 0.5 + float(rng.random()),
        }


def extreme_padded(rng):
    for case in extreme(rng):
        targets = case["targets"].clone()
        targets[:, -1] = PADDING
        yield {**case, "targets": targets}
    yield from extreme(rng)
    yield from saturated(rng)


def saturated(rng):
    """Scores that are whole multiples of thousands, exact in every precision."""
    for batch, time, d, vocab in SIZES[:4]:
        yield {
            "z": 2000.0 * (one_of(rng, 9, batch, time, d) - 4).float(),
            "E": (one_of(rng, 5, vocab, d) - 2).float(),
            "targets": one_of(rng, vocab, batch, time),
            "upstream": 0.5 + float(rng.random()),
        }


def all_targets(rng):
    yield from outputs(rng)
    yield from padded(rng)


def call_loss(student, inputs):
    return {"loss": student.next_token_loss(inputs["z"], inputs["E"], inputs["targets"])}


def call_large(student, inputs):
    z, E = (inputs[name].clone().requires_grad_() for name in ("z", "E"))
    loss = student.next_token_loss(z, E, inputs["targets"])
    if loss.requires_grad:
        loss.sum().backward()
    gradients = [leaf.grad for leaf in (z, E) if leaf.grad is not None]
    return {"loss": loss.detach(), "gradients are finite": all(bool(g.isfinite().all()) for g in gradients)}


def call_loss_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "E")}
    loss = student.next_token_loss(leaves["z"], leaves["E"], inputs["targets"])
    (inputs["upstream"] * loss).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def next_token_loss(z, E, targets):
    scores = z.double() @ E.double().T
    log_probs = scores - scores.logsumexp(dim=-1, keepdim=True)
    counts = (targets != PADDING).double()
    chosen = log_probs.gather(2, targets.clamp(min=0)[..., None])[..., 0]
    return -(chosen * counts).sum() / counts.sum()


QUESTION = Question(
    id="11.2",
    title="From outputs to the loss",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"next_token_loss": next_token_loss},
    forbids=CROSS_ENTROPIES,
    parts=[
        Part(
            "values",
            2,
            "every target counts",
            call_loss,
            inputs=outputs,
            hints=(
                "Which shape have the scores, and along which dimension do probabilities sum to 1?",
                "A token's score is the dot product of its row of the table and the output.",
                "The loss is the mean over batch and time of minus the logarithm of the target's "
                "probability.",
            ),
        ),
        Part(
            "padding",
            1,
            "some targets are padding",
            call_loss,
            inputs=padded,
            hints=(
                "By what number is the sum divided if half of the targets do not count?",
                "A row may have more targets than another. Every target that counts weighs the same.",
                "Find the places of the targets that count, and take the mean over them alone.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores in the thousands",
            call_large,
            inputs=extreme_padded,
            rtol=1e-3,
            hints=(
                "What is the exponential of 3,000, and the logarithm of that of -3,000?",
                "Subtract a number from all scores of a place that leaves the probabilities as they are.",
                "There is a form of the logarithm of a softmax that never takes the logarithm of zero.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for the outputs and for the table",
            call_loss_backward,
            inputs=all_targets,
            rtol=1e-3,
            hints=(
                "If the values are wrong, mend them first.",
                "Does something cut the gradient off: item, detach, NumPy, a new tensor?",
            ),
        ),
    ],
)
