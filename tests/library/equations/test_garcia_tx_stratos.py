"""What Garcia's, the TransformerX article's and Stratos' equations must satisfy, alone and together."""

import numpy as np
from equation_cases import BlockCase, block_cases, few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import garcia, note, stratos, tx

ATOL = 1e-10


@few_examples
@given(seeds, lengths, lengths, widths)
def test_garcia_s_columns_are_distributions_and_his_matrix_form_agrees(
    seed: int, T: int, T_out: int, d: int
) -> None:
    h, q = normal(seed, (T, d), (T_out, d))
    alpha = garcia.alignment_scores(h, q)
    np.testing.assert_allclose(alpha.sum(axis=0), np.ones(T_out), atol=ATOL)
    np.testing.assert_allclose(garcia.attention_vectors(h, alpha), garcia.attention_values(q, h), atol=ATOL)


def test_garcia_s_two_softmaxes_normalize_different_axes() -> None:
    h, q = normal(0, (3, 2), (2, 2))
    alpha = garcia.alignment_scores(h, q)
    np.testing.assert_allclose(alpha.T, garcia.softmax_rows(q @ h.T), atol=ATOL)
    assert np.abs(alpha - garcia.softmax_rows(h @ q.T)).max() > 0.01


@few_examples
@given(seeds, lengths, lengths, widths)
def test_self_attention_with_states_as_keys_and_values_is_the_recurrent_decoder_s(
    seed: int, T: int, T_out: int, d: int
) -> None:
    h, q = normal(seed, (T, d), (T_out, d))
    np.testing.assert_array_equal(garcia.self_attention(q, h, h), garcia.attention_values(q, h))


@few_examples
@given(seeds, lengths, widths)
def test_garcia_s_attention_is_the_article_s_with_queries_scaled_up(seed: int, T: int, d: int) -> None:
    Q, K, V = normal(seed, (T, d), (T, d), (T, d + 1))
    expected = tx.scaled_dot_product_attention(np.sqrt(d) * Q, K, V)
    np.testing.assert_allclose(garcia.self_attention(Q, K, V), expected, atol=ATOL)


@few_examples
@given(seeds, lengths, st.integers(1, 5), st.integers(1, 5), st.data())
def test_the_block_matrix_selects_the_first_features_of_every_step(
    seed: int, T: int, d_input: int, d: int, data: st.DataObject
) -> None:
    (X,) = normal(seed, (T, d_input))
    m = data.draw(st.integers(0, min(d_input, d)))
    Q = garcia.project(X, garcia.block_selector(d_input, d, m))
    np.testing.assert_array_equal(Q[:, :m], X[:, :m])
    np.testing.assert_array_equal(Q[:, m:], np.zeros((T, d - m)))


def test_the_output_distribution_is_a_softmax_of_an_affine_map() -> None:
    W, b, q_i = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, np.log(3.0)]), np.array([2.0, 2.0])
    distribution = garcia.output_distribution(q_i, lambda q: W @ q + b)
    np.testing.assert_allclose(distribution, [0.25, 0.75], atol=ATOL)


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
