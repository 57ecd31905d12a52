"""Question 11.2: From outputs to the loss."""

import torch
from autograder.authoring import Part, Question, normal, sizes

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


def case_of(rng, batch, time, d, vocab):
    """Scores of the size of one; the upstream gradient is as large as there are targets."""
    return {
        "z": normal(rng, batch, time, d) / d**0.5,
        "E": normal(rng, vocab, d),
        "targets": one_of(rng, vocab, batch, time),
        "upstream": batch * time * (0.5 + float(rng.random())),
    }


def outputs(rng):
    for shape in sizes(rng, batch=4, time=5, d=6, vocab=7, far={"batch": 100}):
        yield case_of(rng, *shape)
    many = case_of(rng, 2, 3, 2, 300 + int(rng.integers(20)))  # tokens whose numbers are no bytes
    many["targets"][0] = torch.tensor([256, 299, int(rng.integers(257, 299))])
    yield many
    yield from scaled(rng)


def scaled(rng):
    """Small outputs beside a large table, and a small table beside large outputs."""
    for factor in (2000.0, 1 / 2000.0):
        case = case_of(rng, 2, 3, 4, 5)
        more = {"z": factor * case["z"], "E": case["E"] / factor, "upstream": 2000.0 * case["upstream"]}
        yield {**case, **more}


def padded(rng, far="time"):
    """Some targets are padding; rows keep all of theirs, one or none."""
    for n, shape in enumerate(sizes(rng, batch=(1, 4), time=(1, 5), d=6, vocab=7, far={far: 100})):
        case = case_of(rng, *shape)
        batch, time = case["targets"].shape
        hidden = torch.from_numpy(rng.random((batch, time)) < 0.4)
        hidden[0] = False
        hidden[-1, int(rng.integers(time))] = True
        if batch > 1 and n % 2 == 0:
            hidden[1] = torch.arange(time) != int(rng.integers(time))
        elif batch > 1:
            hidden[1] = True
        hidden &= bool((~hidden).sum() > 1)  # two targets count at least
        yield {**case, "targets": case["targets"].masked_fill(hidden, PADDING)}


def with_padding(rng):
    yield from padded(rng, far="d")
    case = case_of(rng, 2, 3, 4, 5)  # one target alone counts
    hidden = torch.arange(6).view(2, 3) != int(rng.integers(6))
    yield {**case, "targets": case["targets"].masked_fill(hidden, PADDING)}


def extreme(rng, padding):
    """Scores in the thousands, in both directions, with another offset at each place.

    In the last case they are a thousand apart, and one target has the least of them.
    """
    for n, (batch, time, d, vocab) in enumerate(sizes(rng, batch=(2, 4), time=(2, 5), d=6, vocab=(2, 7))):
        scale = 600.0 if n == 6 else 15.0
        if n in (2, 3):  # the least sizes of the batch and of time are tried elsewhere
            continue
        z = scale * normal(rng, batch, time, d)
        offset = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (batch, time, 1))).float()
        offset[0, 0], offset[-1, 0] = 3000.0, -3000.0
        table, targets = normal(rng, vocab, d), one_of(rng, vocab, batch, time)
        if scale > 100:
            targets[0, 0] = (table @ z[0, 0]).argmin()
        if padding:
            targets[:, -1] = PADDING
        yield {
            "z": torch.cat([z, offset], dim=2),
            "E": torch.cat([table, torch.ones(vocab, 1)], dim=1),
            "targets": targets,
            "upstream": 0.5 + float(rng.random()),
        }


def extremes(rng):
    yield from extreme(rng, padding=True)
    yield from extreme(rng, padding=False)
    yield from saturated(rng)


def saturated(rng):
    """Scores that are whole multiples of thousands, exact in every precision."""
    for batch, time, d, vocab in [(2, 3, 4, 5), (1, 4, 3, 7), (3, 1, 2, 6)]:
        yield {
            "z": 2000.0 * (one_of(rng, 9, batch, time, d) - 4).float(),
            "E": (one_of(rng, 5, vocab, d) - 2).float(),
            "targets": one_of(rng, vocab, batch, time),
            "upstream": 0.5 + float(rng.random()),
        }


def all_targets(rng):
    yield from padded(rng)
    yield from scaled(rng)


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
    clauses={
        "at least one target does": ("padding", "two_at_least"),
        "Scores may be in the thousands": ("large scores", "overflow"),
        "-100 for padding": "the docstring repeats the text",
    },
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
            inputs=with_padding,
            hints=(
                "What does a place with padding add to your sum, and what to the number that divides it?",
                "A row may have more targets than another. Every target that counts weighs the same.",
                "Find the places of the targets that count, and take the mean over them alone.",
            ),
        ),
        Part(
            "large scores",
            1,
            "scores in the thousands",
            call_large,
            inputs=extremes,
            rtol=1e-3,
            hints=(
                "Which numbers come between a score of 3,000 or -3,000 and your loss? None may be infinite, "
                "rounded to 0 under a logarithm, or cut off, and the gradient has to be finite as well.",
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
                "Both the outputs and the table have a gradient. Follow each on its way to the loss.",
                "Does something cut the gradient off: item, detach, NumPy, a new tensor?",
            ),
        ),
    ],
)
