"""Dropout on the slides, and in the library's block when both drop the same."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from equation_cases import BlockCase, block_cases, few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st
from loaded_modules import block_module, load_weights

from transformer_lib.equations import note, slides_dropout
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import FeedForward
from transformer_lib.transformer.note_matrices import load_note_matrices

ATOL = 1e-10
rates = st.floats(0.05, 0.9)


def drawn_mask(*shape: int, rate: float) -> np.ndarray:
    """What PyTorch's next dropout of this shape keeps: 1, and what it drops: 0."""
    return (F.dropout(torch.ones(shape, dtype=torch.float64), rate) != 0).double().numpy()


@pytest.mark.proves("S15")
@few_examples
@given(block_cases(), rates, st.integers(0, 1000))
def test_attention_drops_weights_as_on_the_slides(case: BlockCase, rate: float, seed: int) -> None:
    theta, p = case.theta, len(case.x)
    H, d, k = theta.W_q.shape
    module = MultiHeadAttention(d, H, d_head=k, dropout=rate).double().train()
    load_note_matrices(module, *theta[:4])
    torch.manual_seed(seed)
    ours = module(torch.from_numpy(case.x)[None])[0].detach()
    torch.manual_seed(seed)
    mask = drawn_mask(1, H, p, p, rate=rate)[0]
    Q, K, V = note.queries_keys_values(case.x, *theta[:3])
    alpha = slides_dropout.dropped_attention_weights(Q, K, mask, rate)
    np.testing.assert_allclose(ours, note.combined_heads(alpha, V, theta.W_c), atol=ATOL)


@pytest.mark.proves("S17")
@few_examples
@given(seeds, lengths, widths, lengths, rates)
def test_the_network_drops_inner_activations_as_on_the_slides(
    seed: int, p: int, d: int, m: int, rate: float
) -> None:
    u, W_1, W_2 = normal(seed, (p, d), (d, m), (m, d))
    module = FeedForward(d, m, bias=False, dropout=rate, activation="relu").double().train()
    load_weights(module.up, W_1)
    load_weights(module.down, W_2)
    torch.manual_seed(seed % 1000)
    ours = module(torch.from_numpy(u)).detach()
    torch.manual_seed(seed % 1000)
    mask = drawn_mask(p, m, rate=rate)
    np.testing.assert_allclose(ours, slides_dropout.dropped_feed_forward(u, W_1, W_2, mask, rate), atol=ATOL)


@pytest.mark.proves("S15", "S16", "S17", "S18")
@few_examples
@given(block_cases(), rates, st.integers(0, 1000))
def test_the_block_drops_in_the_slides_four_places(case: BlockCase, rate: float, seed: int) -> None:
    theta, (p, d) = case.theta, case.x.shape
    H, m = len(theta.W_q), theta.W_1.shape[1]
    block = block_module(theta, rate)
    torch.manual_seed(seed)
    ours = block(torch.from_numpy(case.x)[None])[0].detach()
    torch.manual_seed(seed)
    masks = slides_dropout.BlockMasks(
        weights=drawn_mask(1, H, p, p, rate=rate)[0],
        attended=drawn_mask(1, p, d, rate=rate)[0],
        inner=drawn_mask(1, p, m, rate=rate)[0],
        output=drawn_mask(1, p, d, rate=rate)[0],
    )
    expected = slides_dropout.transformer_block(case.x, theta, masks, rate)
    np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=ATOL)


@pytest.mark.proves("S15", "S16", "S17", "S18")
@few_examples
@given(block_cases(), rates)
def test_outside_training_nothing_is_dropped(case: BlockCase, rate: float) -> None:
    ours = block_module(case.theta, rate).eval()(torch.from_numpy(case.x)[None])[0].detach()
    np.testing.assert_allclose(ours, note.transformer_block(case.x, case.theta), rtol=1e-8, atol=ATOL)
