"""Smoothed targets cost what they should."""

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_lib.losses import IGNORED_TARGET, smoothed_cross_entropy


def literal(logits: torch.Tensor, targets: torch.Tensor, smoothing: float) -> float:
    """The mean of -sum_v q_v log p_v over the targets, one at a time."""
    vocab = logits.shape[-1]
    log_p = logits.log_softmax(-1).reshape(-1, vocab)
    costs = []
    for row, target in zip(log_p, targets.flatten().tolist(), strict=True):
        if target != IGNORED_TARGET:
            q = [(1 - smoothing) * (v == target) + smoothing / vocab for v in range(vocab)]
            costs.append(-sum(q_v * log_p_v.item() for q_v, log_p_v in zip(q, row, strict=True)))
    return sum(costs) / len(costs) if costs else 0.0


@given(
    batch=st.integers(0, 3),
    time=st.integers(0, 4),
    vocab=st.integers(1, 5),
    smoothing=st.sampled_from([0.0, 0.1, 0.9]),
    padded=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_smoothed_cross_entropy_is_its_formula_and_pytorchs(batch, time, vocab, smoothing, padded):
    generator = torch.Generator().manual_seed(batch + 10 * time)
    logits = torch.randn(batch, time, vocab, generator=generator, dtype=torch.float64)
    targets = torch.randint(vocab, (batch, time), generator=generator)
    targets[torch.rand(batch, time, generator=generator) < padded] = IGNORED_TARGET
    cost = smoothed_cross_entropy(logits, targets, smoothing)
    assert cost.item() == pytest.approx(literal(logits, targets, smoothing), abs=1e-10)
    if (targets != IGNORED_TARGET).any():
        theirs = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=smoothing)
        assert_close(cost, theirs, rtol=0, atol=1e-12)


def test_the_best_prediction_of_a_smoothed_target_is_the_smoothed_target():
    q = torch.tensor([0.1 / 4, 0.9 + 0.1 / 4, 0.1 / 4, 0.1 / 4], dtype=torch.float64)
    logits = q.log().requires_grad_()
    cost = smoothed_cross_entropy(logits[None], torch.tensor([1]), 0.1)
    cost.backward()
    assert_close(logits.grad, torch.zeros_like(q), rtol=0, atol=1e-12)
    assert cost.item() == pytest.approx(-(q * q.log()).sum().item(), abs=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_loss_of_logits_in_half_precision_is_summed_in_float32(dtype):
    logits = (3 * torch.randn(2000, 500, generator=torch.Generator().manual_seed(0))).to(dtype)
    targets = torch.randint(500, (2000,), generator=torch.Generator().manual_seed(1))
    loss = smoothed_cross_entropy(logits, targets)
    assert loss.dtype == torch.float32
    assert torch.equal(loss, smoothed_cross_entropy(logits.float(), targets))
    large = smoothed_cross_entropy(torch.zeros(8192, 50, dtype=dtype), torch.zeros(8192, dtype=torch.long))
    assert_close(large, torch.tensor(50.0).log())
