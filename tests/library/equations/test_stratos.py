"""What Stratos' attention, normalization and Fat-ReLU (his appendix) must satisfy by themselves."""

import numpy as np
from equation_cases import BlockCase, block_cases, few_examples, lengths, normal, seeds, widths
from hypothesis import given

from transformer_lib.equations import note, stratos, tx

ATOL = 1e-10


@few_examples
@given(seeds, widths)
def test_stratos_normalization_is_the_note_s_shrunk_by_his_constant(seed: int, d: int) -> None:
    x, g, b = normal(seed, (d,), (d,), (d,))
    _, sigma = note.mean_and_deviation(x)
    shrunk = (note.layer_norm(x, g, b) - b) * sigma / (sigma + 0.001) + b
    np.testing.assert_allclose(stratos.layer_normalization(x, g, b), shrunk, atol=ATOL)


def test_stratos_normalization_of_equal_features_is_the_bias() -> None:
    b = np.array([1.0, -2.0, 0.5])
    np.testing.assert_array_equal(stratos.layer_normalization(np.full(3, 7.0), np.ones(3), b), b)


def test_the_deviation_s_denominator_and_the_constant_s_place_both_matter() -> None:
    """With 1/(n - 1), or with the constant under the root, other numbers come out."""
    x = np.array([0.1, 0.2, 0.3, 0.6])
    ours = stratos.layer_normalization(x, np.ones(4), np.zeros(4))
    sample = (x - x.mean()) / (x.std(ddof=1) + 0.001)
    under_the_root = (x - x.mean()) / np.sqrt(x.var() + 0.001)
    assert np.abs(ours - sample).max() > 0.1
    assert np.abs(ours - under_the_root).max() > 0.005


@few_examples
@given(seeds, lengths, widths, lengths)
def test_fat_relu_is_the_article_s_network_with_transposed_matrices(
    seed: int, n: int, d: int, d_ff: int
) -> None:
    x, F_1, b_1, F_2, b_2 = normal(seed, (n, d), (d_ff, d), (d_ff,), (d, d_ff), (d,))
    expected = tx.feed_forward(x, F_1.T, b_1, F_2.T, b_2)
    np.testing.assert_allclose(stratos.fat_relu(x, F_1, b_1, F_2, b_2), expected, atol=ATOL)


@few_examples
@given(block_cases())
def test_stratos_matrices_are_the_note_s_transposed(case: BlockCase) -> None:
    x, theta = case.x, case.theta
    Q, K, V = note.queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    expected = note.combined_heads(note.attention_weights(Q, K), V, theta.W_c)
    transposed = [W.transpose(0, 2, 1) for W in theta[:4]]
    np.testing.assert_allclose(stratos.multi_head_attention(x, x, *transposed), expected, atol=ATOL)


@few_examples
@given(block_cases(), seeds, lengths)
def test_cross_attention_takes_sequences_of_different_lengths(case: BlockCase, seed: int, m: int) -> None:
    x, theta = case.x, case.theta
    H, k, d = theta.W_c.shape
    (y,) = normal(seed, (m, d))
    by_stratos = stratos.multi_head_attention(x, y, *(W.transpose(0, 2, 1) for W in theta[:4]))
    by_tx = tx.multi_head_attention(x, y, y, *theta[:3], theta.W_c.reshape(H * k, d))
    np.testing.assert_allclose(by_stratos, by_tx, atol=ATOL)
