"""What Stratos' encoder-decoder and Garcia's heads and copies must satisfy on their own."""

from itertools import product

import numpy as np
import pytest
from equation_cases import (
    few_examples,
    lengths,
    normal,
    random_decoder_layer,
    random_encoder_layer,
    seeds,
    widths,
)
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import garcia, note, stratos, stratos_model, tx

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
@given(seeds, lengths)
def test_without_positions_the_encoder_does_not_see_order(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    E, layers = rng.normal(size=(4, 7)), [random_encoder_layer(rng, 4) for _ in range(2)]
    x, order, nowhere = rng.integers(7, size=n), rng.permutation(n), np.zeros((n, 4))
    z = stratos_model.encode(x, E, nowhere, layers)
    np.testing.assert_allclose(stratos_model.encode(x[order], E, nowhere, layers), z[order], atol=1e-8)


def test_drop_acts_once_on_the_input_and_once_on_every_residual_line() -> None:
    rng = np.random.default_rng(0)
    E, pi, words = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), np.array([1, 4, 2])
    calls: list[int] = []

    def counting(x: np.ndarray) -> np.ndarray:
        calls.append(len(x))
        return x

    z = stratos_model.encode(words, E, pi, [random_encoder_layer(rng, 4) for _ in range(2)], counting)
    assert calls == [3] * (1 + 2 * 2)
    calls.clear()
    layers = [random_decoder_layer(rng, 4) for _ in range(2)]
    stratos_model.decoder_step(words[:2], z, E, pi, layers, counting)
    assert calls == [2] * (1 + 2 * 3)


def test_the_output_distribution_by_hand() -> None:
    E_O = np.array([[0.0, np.log(3.0), 1.0], [1.0, 0.0, 0.0]])
    distribution = stratos_model.output_distribution(np.array([1.0, 0.0]), E_O)
    np.testing.assert_allclose(distribution, np.array([1.0, 3.0, np.e]) / (4.0 + np.e), atol=ATOL)


def test_an_unmasked_step_rewrites_what_earlier_steps_computed() -> None:
    rng = np.random.default_rng(1)
    E, pi, z = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    layers = [random_decoder_layer(rng, 4)]
    shorter = stratos_model.decoder_step(np.array([0, 3]), z, E, pi, layers)
    longer = stratos_model.decoder_step(np.array([0, 3, 2]), z, E, pi, layers)
    assert np.abs(longer[:2] - shorter).max() > 0.01


@pytest.mark.parametrize("n_layers", [1, 2])
def test_the_decoder_is_auto_regressive_whatever_the_encoder_feeds_it(n_layers: int) -> None:
    """Its conditionals make a distribution over sentences with any z, because it reads its own words."""
    rng = np.random.default_rng(5)
    E, pi = rng.normal(size=(4, 3)), rng.normal(size=(3, 4))
    layers = [random_decoder_layer(rng, 4) for _ in range(n_layers)]
    for z in (rng.normal(size=(2, 4)), np.zeros((1, 4))):
        total = 0.0
        for sentence in product(range(3), repeat=2):
            words = np.array([0, *sentence])
            total += np.prod(
                [stratos_model.next_word_distribution(words[:j], z, E, pi, layers)[words[j]] for j in (1, 2)]
            )
        np.testing.assert_allclose(total, 1.0, atol=ATOL)
        after = [
            stratos_model.next_word_distribution(np.array([0, word]), z, E, pi, layers) for word in (1, 2)
        ]
        assert np.abs(after[0] - after[1]).max() > 1e-5


def test_a_prefix_without_bos_has_no_representation_to_predict_the_first_word_from() -> None:
    rng = np.random.default_rng(3)
    E, pi, z = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    nothing = stratos_model.decoder_step(np.array([], dtype=int), z, E, pi, [])
    assert nothing.shape == (0, 4)
    with_bos = stratos_model.next_word_distribution(np.array([0]), z, E, pi, [random_decoder_layer(rng, 4)])
    np.testing.assert_allclose(with_bos.sum(), 1.0, atol=ATOL)


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
