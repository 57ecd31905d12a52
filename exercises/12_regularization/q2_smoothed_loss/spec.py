"""Question 12.2: Smoothed loss."""

import torch
from autograder.authoring import Part, Question

from ..inputs import normal, smoothed_loss, whole


def batches(rng, shapes, *, smoothing, padding=0.0, size=1.0):
    """Logits and targets; with padding, some targets are ignored, but never all."""
    for n, (batch, time, vocab) in enumerate(shapes):
        targets = torch.from_numpy(rng.integers(0, vocab, (batch, time)))
        ignored = int(rng.choice([-100, -1]))
        if padding:
            ignored = [0, -100, vocab - 1, -1, vocab // 2][n % 5]
            hidden = torch.from_numpy(rng.random((batch, time)) < padding)
            hidden[0, 0], hidden[-1, -1] = False, True
            targets[targets == ignored] = (ignored + 1) % vocab
            targets[hidden] = ignored
        yield {
            "logits": size * normal(rng, batch, time, vocab),
            "targets": targets,
            "epsilon": float(rng.uniform(0.05, 0.5)) if smoothing else 0.0,
            "ignored": ignored,
        }


SHAPES = [(2, 3, 5), (1, 4, 3), (4, 1, 6), (3, 3, 3), (2, 7, 4), (2, 3, 5), (1, 1, 2), (2, 2, 120)]
PADDED = [(2, 3, 5), (1, 4, 3), (4, 1, 6), (3, 3, 3), (2, 7, 4), (2, 3, 5), (1, 110, 3)]


def without_smoothing(rng):
    yield from batches(rng, SHAPES, smoothing=False)


def with_smoothing(rng):
    yield from batches(rng, SHAPES, smoothing=True)


def nothing_counts(rng):
    for case in batches(rng, [(2, 3, 4), (1, 1, 3), (1, 5, 2)], smoothing=True):
        yield {**case, "targets": torch.full_like(case["targets"], case["ignored"])}


def with_padding(rng):
    yield from batches(rng, PADDED, smoothing=True, padding=0.4)
    yield from batches(rng, PADDED[:2], smoothing=False, padding=0.6)
    for case in batches(rng, [(2, 3, 4), (1, 5, 3)], smoothing=True):
        beyond = case["logits"].shape[-1] + whole(rng, 0, 3)  # no token has this number
        targets = case["targets"].clone()
        targets[0, 1::2] = beyond
        yield {**case, "targets": targets, "ignored": beyond}
    yield from nothing_counts(rng)


def large(rng):
    for options in ({"smoothing": True}, {"smoothing": True, "padding": 0.3}, {"smoothing": False}):
        for case in batches(rng, PADDED[:5], size=500.0, **options):
            offsets = torch.from_numpy(rng.choice([-2000.0, 2000.0, 0.0], case["targets"].shape))
            offsets.view(-1)[0], offsets.view(-1)[-1] = 2000.0, -2000.0
            yield {**case, "logits": case["logits"] + offsets[..., None]}


def call_loss(student, inputs):
    return {"loss": student.smoothed_loss(**inputs)}


def call_large(student, inputs):
    logits = inputs["logits"].clone().requires_grad_()
    loss = student.smoothed_loss(logits, *(inputs[name] for name in ("targets", "epsilon", "ignored")))
    if loss.requires_grad:
        loss.backward()
    is_finite = logits.grad is None or bool(logits.grad.isfinite().all())
    return {"loss": loss.detach(), "gradient is finite": is_finite}


def with_upstream(rng):
    for case in batches(rng, PADDED, smoothing=True, padding=0.4):
        yield {**case, "upstream": float(rng.uniform(0.5, 2.0))}
    for case in with_smoothing(rng):
        yield {**case, "upstream": -float(rng.uniform(0.5, 2.0))}
    for case in nothing_counts(rng):
        yield {**case, "upstream": 1.0}


def call_gradient(student, inputs):
    inputs = dict(inputs)
    upstream = inputs.pop("upstream")
    logits = inputs.pop("logits").clone().requires_grad_()
    (upstream * student.smoothed_loss(logits, **inputs)).backward()
    return {"gradient": logits.grad}


QUESTION = Question(
    id="12.2",
    title="Smoothed loss",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"smoothed_loss": smoothed_loss},
    forbids=(
        "torch.nn.functional.cross_entropy",
        "torch.nn.functional.nll_loss",
        "torch.nn.functional.kl_div",
        # what these call
        "torch._C._nn.cross_entropy_loss",
        "torch._C._nn.nll_loss",
        "torch._C._nn.nll_loss2d",
        "torch._C._nn.nll_loss_nd",
        "torch.kl_div",
        "torch.ops.aten.cross_entropy_loss",
        "torch.ops.aten.kl_div",
        "torch.ops.aten.nll_loss",
        "torch.ops.aten.nll_loss2d",
        "torch.ops.aten.nll_loss2d_forward",
        "torch.ops.aten.nll_loss_forward",
        "torch.ops.aten.nll_loss_nd",
    ),
    parts=[
        Part(
            "plain",
            1,
            "no smoothing, nothing ignored",
            call_loss,
            inputs=without_smoothing,
            hints=(
                "Without smoothing the cost of a target is minus its log-probability.",
                "The mean runs over batch and time.",
            ),
        ),
        Part(
            "smoothed",
            1,
            "with smoothing, nothing ignored",
            call_loss,
            inputs=with_smoothing,
            hints=(
                "Does your target distribution sum to 1?",
                "All K tokens get a share, the right one as well.",
            ),
        ),
        Part(
            "padding",
            1,
            "some targets are ignored, or all",
            call_loss,
            inputs=with_padding,
            hints=(
                "By how many is the sum divided?",
                "A place that is ignored must cost nothing, its smoothed share included.",
                "The number for ignored places may be that of a token, negative or beyond all tokens.",
                "If nothing counts, the loss is 0. By what does your code divide then?",
            ),
        ),
        Part(
            "large",
            1,
            "logits beyond 1,000 in both directions",
            call_large,
            inputs=large,
            hints=(
                "Which step of your code overflows, or takes the logarithm of 0?",
                "Work with log-probabilities from the start.",
            ),
        ),
        Part(
            "gradient",
            1,
            "the gradient for the logits",
            call_gradient,
            inputs=with_upstream,
            hints=(
                "Is something in your code cut off from the gradient?",
                "`detach`, `item` and NumPy cut it off.",
                "Where nothing counts, the gradient is 0, and `backward` must still run.",
            ),
        ),
    ],
)
