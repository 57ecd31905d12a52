"""Blocks wired in different ways, and what they do to gradients and to a small language model."""

import math

import pytest
import torch
from block_cases import made_block
from torch.nn.attention import SDPBackend, sdpa_kernel

from transformer_lib.experiments.chapter_10 import wiring
from transformer_lib.experiments.chapter_10.wiring import (
    PLACEMENT,
    PLACEMENT_LONGER,
    WIRING,
    WIRING_LONGER,
    WIRINGS,
    WiredStack,
    gradient_norms,
    train,
)
from transformer_lib.experiments.shared.small_tales import tales

GUESSING = math.log(tales().tokenizer.vocab_size)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_wired_stack_with_the_usual_wiring_is_the_library_s_blocks(norm):
    generator = torch.Generator().manual_seed(0)
    stack = WiredStack(2, 8, wiring=f"{norm}-norm", generator=generator).double()
    x = torch.randn(3, 5, 8, generator=generator, dtype=torch.float64)
    y = x
    for wired in stack.blocks:
        block = made_block(8, 4, norm=norm).double()
        block.attention, block.feed_forward = wired.attention, wired.feed_forward
        y = block(y)
    torch.testing.assert_close(stack(x), y, rtol=1e-12, atol=1e-12)


def test_the_gradient_at_the_top_has_norm_one_and_the_one_below_is_the_jacobian_s():
    found = gradient_norms(0, wiring="pre-norm", n_layers=3, d_model=8, n_objects=4)
    assert {key: len(values) for key, values in found.items()} == dict.fromkeys(found, 4)
    assert found["gradients"][-1] == pytest.approx(1)
    larger = gradient_norms(0, wiring="pre-norm", n_layers=3, d_model=8, n_objects=4, gain=2.0)
    assert larger["gradients"][0] > found["gradients"][0]


def test_the_gradient_of_a_growing_line_grows_as_the_line_does_and_does_not_overflow():
    """The fused kernel's gradients are wrong from activations of millions on, and overflow."""
    found = gradient_norms(0, wiring="residual", gain=1.0)
    assert 1e14 < found["activations"][-1] < 1e17
    assert 1e17 < found["gradients"][0] < 1e20


def test_a_plain_softmax_has_the_gradient_of_finite_differences_where_inputs_reach_millions():
    generator = torch.Generator().manual_seed(0)
    stack = WiredStack(1, 64, wiring="residual", gain=1.0, generator=generator).double()
    x, step, upstream = torch.randn(3, 1, 32, 64, generator=generator, dtype=torch.float64)
    x = (1e7 * x).requires_grad_()
    with sdpa_kernel(SDPBackend.MATH):
        (gradient,) = torch.autograd.grad((stack(x) * upstream).sum(), x)
        with torch.no_grad():
            there, back = ((stack(x + sign * step) * upstream).sum() for sign in (1.0, -1.0))
    assert (gradient * step).sum().item() == pytest.approx((there - back).item() / 2, rel=1e-3)


def test_branches_alone_make_the_objects_equal_and_residual_lines_keep_them_apart():
    alone, residual = (
        gradient_norms(0, wiring=wiring, n_layers=4, d_model=16, gain=0.5)["distinct"][-1]
        for wiring in ("branches alone", "residual")
    )
    assert alone < 1e-6 and residual > 0.5


@pytest.mark.parametrize("wiring", WIRINGS)
def test_every_wiring_trains_without_failing_and_a_seed_gives_the_same_again(wiring):
    options = {"n_layers": 1, "rate": 0.01, "steps": 2, "n_stories": 5, "dropout": 0.1}
    losses = [train(0, wiring=wiring, **options) for _ in range(2)]
    assert losses[0] == losses[1] <= round(GUESSING, 4)
    assert losses[0] != train(1, wiring=wiring, **options)


@pytest.mark.parametrize(
    "experiment", [PLACEMENT, PLACEMENT_LONGER, WIRING, WIRING_LONGER], ids=lambda experiment: experiment.name
)
def test_a_model_is_trained_as_the_record_says(experiment, monkeypatch):
    asked = []
    monkeypatch.setattr(wiring, "train", lambda seed, **options: asked.append(options) or 1.0)
    for condition in experiment.conditions:
        experiment.measure(0, None, **condition)
    said = {"n_stories" if key == "stories" else key: value for key, value in experiment.config.items()}
    shared = {key: said[key] for key in ("n_layers", "steps", "n_stories") if key in said}
    assert asked == [shared | condition for condition in experiment.conditions]
