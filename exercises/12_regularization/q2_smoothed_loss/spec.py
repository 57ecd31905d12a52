"""Question 12.2: Smoothed loss."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import normal, smoothed_loss, whole


def batches(rng, shapes, *, smoothing=0.5, padding=0.0, size=1.0):
    """Logits and targets; with padding, some are ignored, in one row more than in another, never all."""
    for n, (batch, time, vocab) in enumerate(shapes):
        targets = torch.from_numpy(rng.integers(0, vocab, (batch, time)))
        ignored = int(rng.choice([-100, -1]))
        if padding and vocab > 1:
            ignored = [0, -100, vocab - 1, -1, vocab // 2][n % 5]
        if padding:
            hidden = torch.from_numpy(rng.random((batch, time)) < padding)
            hidden[0, : time if batch > 1 else 1], hidden[-1, -1] = False, True
            targets[targets == ignored] = (ignored + 1) % vocab
            targets[hidden] = ignored
        yield {
            "logits": size * normal(rng, batch, time, vocab),
            "targets": targets,
            "epsilon": float(rng.uniform(0.05, smoothing)) if smoothing else 0.0,
            "ignored": ignored,
        }


def shapes(rng, low=1, **far):
    return sizes(rng, batch=(low, 4), time=(low, 5), vocab=(low, 7), far=far)


def without_smoothing(rng):
    yield from batches(rng, shapes(rng, time=100), smoothing=0.0)


def with_smoothing(rng):
    yield from batches(rng, shapes(rng, batch=100))
    for case in batches(rng, [(2, 3, 4), (1, 2, 300 + whole(rng, 0, 20))]):
        most = torch.tensor(case["logits"].shape[-1] - 1)  # in the second case no number of a byte
        case["targets"][0, :2] = most
        yield {**case, "epsilon": float(rng.uniform(0.6, 0.99))}


def nothing_counts(rng):
    for case in batches(rng, [(2, 3, 4), (1, 1, 3), (1, 5, 2)]):
        yield {**case, "targets": torch.full_like(case["targets"], case["ignored"])}


def with_padding(rng):
    yield from batches(rng, shapes(rng, time=100), padding=0.4)
    yield from batches(rng, [(2, 3, 5)], smoothing=0.0, padding=0.6)
    for case in batches(rng, [(2, 3, 4), (1, 5, 3)]):
        beyond = case["logits"].shape[-1] + whole(rng, 0, 3)  # no token has this number
        targets = case["targets"].clone()
        targets[0, 1::2] = beyond
        yield {**case, "targets": targets, "ignored": beyond}
    yield from nothing_counts(rng)


def large(rng):
    for options in ({}, {"padding": 0.3}, {"smoothing": 0.0}):
        drawn = [*shapes(rng, low=2)][1:4]
        for case in batches(rng, [*drawn, (1, 2, 3)], size=500.0, **options):
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
    """The gradient from above is as large as there are targets, with another sign each time."""
    sign = 1
    for case in (*batches(rng, shapes(rng, time=100), padding=0.4), *batches(rng, [(2, 3, 4), (1, 4, 5)])):
        sign = -sign
        yield {**case, "upstream": sign * case["targets"].numel() * float(rng.uniform(0.5, 2.0))}
    for case in batches(rng, [(2, 3, 4)], size=2e-3):  # logits that hardly differ
        yield {**case, "upstream": 1e4}
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
    clauses={
        "With $K$ tokens": "others_only and sum_over_tokens lose every part with smoothing",
        "0 if there are none": ("padding", "nan"),
        "Logits may be large": ("large", "exponentials"),
        "of padding alone": ("gradient", "nan_gradient"),
        "at least 0 and below 1": ("smoothed", "half_at_most"),
        "may be a token's number or not": ("padding", "beyond_counts"),
    },
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
                "Write down the distribution of the targets for three tokens and a smoothing of 0.3. "
                "Does it sum "
                "to 1, and does your code weigh the log-probabilities with it?",
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
                "Compare a place that counts with one that is ignored: what does each add to your sum, "
                "and what "
                "to the number that divides it?",
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
                "Which step of your code, or of its gradient, overflows or takes the logarithm of 0?",
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
