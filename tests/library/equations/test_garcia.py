"""What Garcia's equations must satisfy by themselves."""

import numpy as np
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import garcia, tx

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
@given(seeds, lengths, st.integers(1, 3), st.integers(1, 3))
def test_h_heads_of_a_fraction_of_the_width_give_back_the_whole(seed: int, T: int, h: int, d: int) -> None:
    X, W_Q, W_K, W_V = normal(seed, (T, h * d), (h, h * d, d), (h, h * d, d), (h, h * d, d))
    A = garcia.concatenated_heads(X, W_Q, W_K, W_V)
    assert A.shape == X.shape
    for i in range(h):
        head = garcia.self_attention(X @ W_Q[i], X @ W_K[i], X @ W_V[i])
        np.testing.assert_allclose(A[:, i * d : (i + 1) * d], head, atol=ATOL)


@few_examples
@given(seeds, lengths, widths)
def test_copy_i_holds_the_first_words_and_zeros(seed: int, T_out: int, d: int) -> None:
    (y,) = normal(seed, (T_out, d))
    copies = garcia.masked_copies(y)
    for i in range(T_out):
        np.testing.assert_array_equal(copies[i, : i + 1], y[: i + 1])
        np.testing.assert_array_equal(copies[i, i + 1 :], np.zeros((T_out - i - 1, d)))


def test_the_matrix_of_copies_has_a_row_for_every_word_to_predict() -> None:
    """Of T' words, T' - 1 copies would leave one without an input, the last one: the only unmasked copy."""
    (y,) = normal(4, (5, 2))
    copies = garcia.masked_copies(y)
    assert len(copies) == 5
    assert [not np.array_equal(copy, y) for copy in copies] == [True] * 4 + [False]
