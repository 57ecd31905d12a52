"""Copies with zeros for the future, and the causal mask: when they agree, and by how much they do not.

The construction is Garcia's matrix of copies and the slides' masked prefix; the library masks scores.
"""

import numpy as np
import pytest
import torch
from block_cases import made_block
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
from loaded_modules import block_module, load_weights

from transformer_lib.equations import garcia, note, slides
from transformer_lib.transformer.attention import MultiHeadAttention, attention
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.note_matrices import load_note_matrices

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
    load_note_matrices(module, np.sqrt(d) * W_Q, W_K, W_V, concatenate)
    output = module(torch.from_numpy(X)[None])[0].detach()
    np.testing.assert_allclose(output, garcia.concatenated_heads(X, W_Q, W_K, W_V), atol=ATOL)


@pytest.mark.proves("G1", "G5", "G6", "G7", "G8")
@few_examples
@given(seeds, lengths, st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_a_language_model_of_attention_only_is_garcia_s_attention_fully_connected_layer_and_softmax(
    seed: int, T: int, h: int, d: int, n_layers: int
) -> None:
    """No residual line, normalization or network. His fully connected layer F is two matrices here.

    Word i + 1 comes from the last row of attention on the words up to i. The output map of the last attention
    and the head together are F; that of an earlier one belongs to the projections of the next.
    """
    shape = {"bias": True, "attention_bias": False, "tie_embeddings": False, "positions": "none"}
    config = TransformerConfig(5, 6, h * d, h, n_layers, attention_only=True, **shape)
    model = DecoderLM(config).double()
    per_layer = [(h, h * d, d), (h, h * d, d), (h, h * d, d), (h, d, h * d)]
    *parts, E, W, b = normal(seed, *per_layer * n_layers, (5, h * d), (h * d, 5), (5,))
    layers = [[0.4 * matrix for matrix in parts[4 * n : 4 * n + 4]] for n in range(n_layers)]
    for block, (W_Q, W_K, W_V, W_O) in zip(model.stack.blocks, layers):
        load_note_matrices(block.attention, np.sqrt(d) * W_Q, W_K, W_V, W_O)
    load_weights(model.token_embedding, E.T)
    load_weights(model.head, W, b)
    tokens = np.random.default_rng(seed).integers(0, 5, T)
    X = E[tokens]
    for W_Q, W_K, W_V, W_O in layers:
        A = np.array([garcia.concatenated_heads(X[: i + 1], W_Q, W_K, W_V)[i] for i in range(T)])
        last, X = np.concatenate(W_O), A @ np.concatenate(W_O)
    expected = [garcia.output_distribution(a, lambda a: a @ (last @ W) + b) for a in A]
    ours = model.logits(torch.from_numpy(tokens)[None])[0].softmax(-1).detach()
    np.testing.assert_allclose(ours, expected, atol=ATOL)
    assert len(list(model.parameters())) == 2 * n_layers + 3


@pytest.mark.proves("G5", "G6")
@few_examples
@given(seeds, lengths, lengths, widths)
def test_a_decoder_s_block_of_attention_only_is_garcia_s_queries_to_what_was_encoded(
    seed: int, T: int, T_out: int, d: int
) -> None:
    """Self-attention gives each word of the output its query, and the keys and values are the input's."""
    h, y, *W = normal(seed, (T, d), (T_out, d), *[(d, d)] * 8)
    block = made_block(d, 1, attention_only=True, cross_attention=True).double()
    load_note_matrices(block.attention, np.sqrt(d) * W[0][None], *(matrix[None] for matrix in W[1:4]))
    load_note_matrices(block.cross_attention, np.sqrt(d) * W[4][None], *(matrix[None] for matrix in W[5:]))
    q = garcia.self_attention(*(garcia.project(y, matrix) for matrix in W[:3])) @ W[3]
    Q, K, V = garcia.project(q, W[4]), garcia.project(h, W[5]), garcia.project(h, W[6])
    ours = block(torch.from_numpy(y)[None], memory=torch.from_numpy(h)[None])[0].detach()
    np.testing.assert_allclose(ours, garcia.self_attention(Q, K, V) @ W[7], rtol=RTOL, atol=ATOL)


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
