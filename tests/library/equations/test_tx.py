"""What the TransformerX article's equations must satisfy, alone and beside the note's."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from equation_cases import BlockCase, block_cases, few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, tx

ATOL = 1e-10
offsets = st.integers(0, 40)


@few_examples
@given(seeds, lengths, lengths, widths)
def test_the_article_s_attention_is_a_convex_mixture_of_values(seed: int, N: int, M: int, d: int) -> None:
    Q, K, V = normal(seed, (N, d), (M, d), (M, 3))
    A = tx.attention_matrix(tx.scaled_scores(Q, K))
    np.testing.assert_allclose(A.sum(axis=1), np.ones(N), atol=ATOL)
    output = tx.scaled_dot_product_attention(Q, K, V)
    np.testing.assert_allclose(output, A @ V, atol=ATOL)
    assert (output <= V.max(axis=0) + ATOL).all()
    assert (output >= V.min(axis=0) - ATOL).all()


def test_scores_by_hand_are_scaled_by_the_width_of_the_keys() -> None:
    Q, K = np.array([[1.0, 2.0, 0.0, 0.0]]), np.array([[3.0, 1.0, 9.0, 9.0], [0.0, 1.0, 9.0, 9.0]])
    np.testing.assert_array_equal(tx.scaled_scores(Q, K), [[2.5, 1.0]])


@few_examples
@given(seeds, lengths, widths)
def test_causal_weights_are_zero_after_each_position_and_sum_to_one(seed: int, N: int, d: int) -> None:
    Q, K = normal(seed, (N, d), (N, d))
    A = tx.attention_matrix(tx.causal_scores(tx.scaled_scores(Q, K)))
    np.testing.assert_array_equal(np.triu(A, 1), np.zeros((N, N)))
    assert (A[np.tril_indices(N)] > 0).all()
    np.testing.assert_allclose(A.sum(axis=1), np.ones(N), atol=ATOL)


@few_examples
@given(seeds, lengths, widths)
def test_causal_attention_of_a_prefix_is_the_prefix_of_causal_attention(seed: int, N: int, d: int) -> None:
    Q, K, V = normal(seed, (N, d), (N, d), (N, 2))
    whole = tx.masked_self_attention(Q, K, V)
    for t in range(1, N + 1):
        np.testing.assert_allclose(
            tx.scaled_dot_product_attention(Q[:t], K[:t], V[:t])[-1], whole[t - 1], atol=ATOL
        )


def test_minus_infinity_after_the_softmax_would_leave_no_weights() -> None:
    Q, K, V = normal(4, (2, 2), (2, 2), (2, 2))
    A = tx.attention_matrix(tx.scaled_scores(Q, K))
    np.testing.assert_allclose(tx.causal_scores(A).sum(axis=1), [-np.inf, 1.0])
    assert np.isfinite(tx.masked_self_attention(Q, K, V)).all()


@few_examples
@given(block_cases())
def test_concatenating_and_projecting_once_is_summing_projected_heads(case: BlockCase) -> None:
    x, theta = case.x, case.theta
    H, k, d = theta.W_c.shape
    Q, K, V = note.queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    summed = note.combined_heads(note.attention_weights(Q, K), V, theta.W_c)
    W_O = theta.W_c.reshape(H * k, d)
    once = tx.multi_head_attention(x, x, x, theta.W_q, theta.W_k, theta.W_v, W_O)
    np.testing.assert_allclose(once, summed, atol=ATOL)


@few_examples
@given(block_cases(vector_norms=True))
def test_the_article_s_residual_lines_are_the_note_s_block_where_biases_are_zero(case: BlockCase) -> None:
    x, theta = case.x, case.theta
    H, k, d = theta.W_c.shape
    m = theta.W_1.shape[1]

    def self_attention(X: np.ndarray) -> np.ndarray:
        return tx.multi_head_attention(X, X, X, *theta[:3], theta.W_c.reshape(H * k, d))

    def ffn(X: np.ndarray) -> np.ndarray:
        return tx.feed_forward(X, theta.W_1, np.zeros(m), theta.W_2, np.zeros(d))

    x_prime = tx.self_attention_residual(x, self_attention, theta.gamma_1, theta.beta_1)
    output = tx.feed_forward_residual(x_prime, ffn, theta.gamma_2, theta.beta_2)
    np.testing.assert_allclose(output, note.transformer_block(x, theta), atol=1e-6)


def test_the_feed_forward_network_adds_its_biases_inside_and_outside_the_relu() -> None:
    X = np.array([[1.0, -1.0]])
    W_1, b_1 = np.eye(2), np.array([-3.0, 4.0])
    W_2, b_2 = np.eye(2), np.array([-5.0, -5.0])
    np.testing.assert_array_equal(tx.feed_forward(X, W_1, b_1, W_2, b_2), [[-5.0, -2.0]])


@few_examples
@given(st.integers(1, 200), st.integers(1, 16))
def test_every_position_has_the_same_norm(n: int, half: int) -> None:
    norms = np.linalg.norm(tx.positional_encoding(n, 2 * half), axis=1)
    np.testing.assert_allclose(norms, np.full(n, np.sqrt(half)), atol=ATOL)


@few_examples
@given(st.integers(0, 100), offsets, st.integers(1, 8))
def test_one_rotation_moves_every_position_by_the_same_offset(i: int, delta: int, half: int) -> None:
    d = 2 * half
    P, R = tx.positional_encoding(i + delta + 1, d), tx.offset_map(delta, d)
    np.testing.assert_allclose(R @ P[i], P[i + delta], atol=ATOL)
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=ATOL)
    assert np.linalg.det(R) == pytest.approx(1.0)


@few_examples
@given(offsets, offsets, st.integers(1, 4))
def test_offsets_add_up(first: int, second: int, half: int) -> None:
    both = tx.offset_map(first, 2 * half) @ tx.offset_map(second, 2 * half)
    np.testing.assert_allclose(both, tx.offset_map(first + second, 2 * half), atol=ATOL)


@few_examples
@given(st.integers(2, 50), st.integers(1, 8))
def test_counting_positions_from_one_turns_every_row_alike(n: int, half: int) -> None:
    from_zero = tx.positional_encoding(n, 2 * half)
    from_one = tx.positional_encoding(n + 1, 2 * half)[1:]
    np.testing.assert_allclose(from_one, from_zero @ tx.offset_map(1, 2 * half).T, atol=ATOL)
    np.testing.assert_allclose(from_one @ from_one.T, from_zero @ from_zero.T, atol=1e-9)


def test_an_odd_width_has_no_rotation() -> None:
    with pytest.raises(ValueError, match="d = 5 is odd; take an even d"):
        tx.offset_map(1, 5)


@few_examples
@given(seeds, lengths, widths)
def test_the_article_s_network_is_two_convolutions_of_kernel_size_one(seed: int, N: int, d: int) -> None:
    X, W_1, b_1, W_2, b_2 = (torch.from_numpy(a) for a in normal(seed, (N, d), (d, 7), (7,), (7, d), (d,)))
    hidden = F.conv1d(X.mT[None], W_1.mT[..., None], b_1).relu()
    convolved = F.conv1d(hidden, W_2.mT[..., None], b_2)[0].mT
    network = tx.feed_forward(*(a.numpy() for a in (X, W_1, b_1, W_2, b_2)))
    np.testing.assert_allclose(convolved.numpy(), network, atol=ATOL)
