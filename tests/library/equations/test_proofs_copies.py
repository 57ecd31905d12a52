"""Copies with zeros for the future, and the causal mask: when they agree, and by how much they do not.

The construction is Garcia's matrix of copies and the slides' masked prefix; the library masks scores.
"""

import numpy as np
import pytest
import torch
from equation_cases import (
    BlockCase,
    block_cases,
    causal_block,
    few_examples,
    lengths,
    normal,
    random_theta,
    seeds,
    widths,
)
from hypothesis import given
from hypothesis import strategies as st
from loaded_modules import block_module

from transformer_lib.attention import MultiHeadAttention, attention
from transformer_lib.equations import garcia, note, slides
from transformer_lib.layers import TransformerBlock
from transformer_lib.masks import Mask

ATOL = 1e-10
RTOL = 1e-7


def without_zeros(block: TransformerBlock, copies: torch.Tensor) -> torch.Tensor:
    """The block on all copies, where copy i attends to its first i + 1 positions and to no zero."""
    return block(copies, Mask.from_key_lengths(torch.arange(1, len(copies) + 1)))


def diagonal(outputs: torch.Tensor) -> np.ndarray:
    """Row i of copy i."""
    return np.array([outputs[i, i].detach().numpy() for i in range(len(outputs))])


@pytest.mark.proves("G7")
@few_examples
@given(seeds, lengths, st.integers(1, 3), st.integers(1, 3))
def test_garcia_s_heads_are_the_module_s_before_its_output_map(seed: int, T: int, h: int, d: int) -> None:
    """His scores are not divided by the root of d: with queries multiplied by it they are the module's."""
    X, W_Q, W_K, W_V = normal(seed, (T, h * d), (h, h * d, d), (h, h * d, d), (h, h * d, d))
    concatenate = np.eye(h * d).reshape(h, d, h * d)
    module = MultiHeadAttention(h * d, h).double()
    module.load_note_parameters(np.sqrt(d) * W_Q, W_K, W_V, concatenate)
    output = module(torch.from_numpy(X)[None])[0].detach()
    np.testing.assert_allclose(output, garcia.concatenated_heads(X, W_Q, W_K, W_V), atol=ATOL)


@pytest.mark.proves("G8", "S6")
@few_examples
@given(seeds, lengths, widths)
def test_garcia_s_copies_are_the_slides_masked_prefixes(seed: int, p: int, d: int) -> None:
    """His copy i keeps i + 1 vectors, as the mask of the slides' step i + 1 does."""
    (x,) = normal(seed, (p, d))
    copies = garcia.masked_copies(x)
    for i in range(p):
        np.testing.assert_array_equal(slides.masked_prefix(lambda whole: whole, x, i + 1), copies[i])
    keep = Mask.causal().to_dense(p, p, "cpu").numpy()
    np.testing.assert_array_equal(copies, np.where(keep[:, :, None], x, 0.0))


@pytest.mark.proves("G8", "S6")
@few_examples
@given(block_cases())
def test_one_block_on_copies_whose_zeros_leave_the_softmax_is_the_causal_block(case: BlockCase) -> None:
    copies = torch.from_numpy(garcia.masked_copies(case.x))
    ours = diagonal(without_zeros(block_module(case.theta), copies))
    np.testing.assert_allclose(ours, causal_block(case.x, case.theta), rtol=RTOL, atol=ATOL)


@pytest.mark.proves("G8")
@few_examples
@given(seeds, lengths, widths)
def test_every_zero_in_the_softmax_adds_one_to_its_denominator(seed: int, T_out: int, d: int) -> None:
    """A zero's key scores 0 and its value is 0, so the mixture shrinks by S / (S + number of zeros)."""
    y, W_Q, W_K, W_V = normal(seed, (T_out, d), (d, d), (d, d), (d, d))
    Q, K, V = (garcia.project(y, W) for W in (W_Q, W_K, W_V))
    causal = attention(*map(torch.from_numpy, (Q, K, V)), Mask.causal(), scale=1.0).numpy()
    for i, copy in enumerate(garcia.masked_copies(y)):
        row = garcia.self_attention(*(garcia.project(copy, W) for W in (W_Q, W_K, W_V)))[i]
        total = sum(np.exp(np.dot(Q[i], K[j])) for j in range(i + 1))
        np.testing.assert_allclose(row, causal[i] * total / (total + T_out - 1 - i), atol=ATOL)


def test_with_biases_the_zeros_bring_keys_and_values_of_their_own() -> None:
    """Then no shrinking of the causal output gives the copies', not even its direction is right."""
    (y,) = normal(3, (3, 4))
    generator = torch.Generator().manual_seed(0)
    module = MultiHeadAttention(4, 1, bias=True, generator=generator).double()
    with torch.no_grad():
        module.qkv.bias.copy_(torch.from_numpy(normal(4, (12,))[0]))
    causal = module(torch.from_numpy(y)[None], mask=Mask.causal())[0].detach().numpy()
    copied = diagonal(module(torch.from_numpy(garcia.masked_copies(y))))
    ratios = copied[0] / causal[0]
    assert np.ptp(ratios) > 0.1


@pytest.mark.proves("G8")
@few_examples
@given(block_cases(), st.integers(1, 3))
def test_blocks_on_copies_without_zeros_are_the_unmasked_blocks_on_each_prefix(
    case: BlockCase, n_layers: int
) -> None:
    """However many blocks: a copy is what Stratos' decoder reads at its step."""
    block, p = block_module(case.theta), len(case.x)
    copies = torch.from_numpy(garcia.masked_copies(case.x))
    for _ in range(n_layers):
        copies = without_zeros(block, copies)
    last = np.array([note.transformer(case.x[: i + 1], [case.theta] * n_layers)[-1] for i in range(p)])
    np.testing.assert_allclose(diagonal(copies), last, rtol=1e-6, atol=1e-9)


def test_two_blocks_on_copies_are_not_the_causal_blocks() -> None:
    """In the second block row i reads rows that have attended to row i, which the causal mask forbids."""
    rng = np.random.default_rng(0)
    block, x = block_module(random_theta(rng, 4, 3, 5, 2)), rng.normal(size=(4, 4))
    copies = torch.from_numpy(garcia.masked_copies(x))
    causal = torch.from_numpy(x)[None]
    for _ in range(2):
        copies, causal = without_zeros(block, copies), block(causal, Mask.causal())
    apart = np.abs(diagonal(copies) - causal[0].detach().numpy()).max(axis=1)
    assert apart[0] < ATOL
    assert (apart[1:] > 0.001).all()
