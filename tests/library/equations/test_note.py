"""What the note's equations (1)-(9) must satisfy by themselves."""

import numpy as np
import pytest
from equation_cases import BlockCase, block_cases, few_examples, lengths, random_theta, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note

ATOL = 1e-10


def test_a_query_by_hand() -> None:
    x = np.array([[1.0, 2.0], [0.0, 3.0]])
    W = np.array([[[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]])
    Q, K, V = note.queries_keys_values(x, W, 2 * W, 3 * W)
    np.testing.assert_array_equal(Q, [[[1.0, 2.0, 4.0], [0.0, 3.0, 3.0]]])
    np.testing.assert_array_equal(K, 2 * Q)
    np.testing.assert_array_equal(V, 3 * Q)


def test_weights_by_hand_are_scaled_by_the_width_of_a_head() -> None:
    Q = np.array([[[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]])
    K = np.array([[[np.log(3.0), 5.0, 0.0, 0.0], [0.0, 7.0, 0.0, 0.0]]])
    np.testing.assert_allclose(note.attention_weights(Q, K), [[[0.75, 0.25], [0.5, 0.5]]], atol=ATOL)


@few_examples
@given(block_cases())
def test_every_row_of_weights_is_a_distribution_over_the_p_inputs(case: BlockCase) -> None:
    Q, K, _ = note.queries_keys_values(case.x, *case.theta[:3])
    alpha = note.attention_weights(Q, K)
    p, H = len(case.x), len(case.theta.W_q)
    assert alpha.shape == (H, p, p)
    assert (alpha > 0).all()
    np.testing.assert_allclose(alpha.sum(axis=2), np.ones((H, p)), atol=ATOL)


@few_examples
@given(block_cases())
def test_equal_keys_get_equal_weights_so_that_the_heads_average_the_values(case: BlockCase) -> None:
    Q, _, V = note.queries_keys_values(case.x, *case.theta[:3])
    alpha = note.attention_weights(Q, np.ones_like(Q))
    combined = note.combined_heads(alpha, V, case.theta.W_c)
    mean = sum(W.T @ values.mean(axis=0) for W, values in zip(case.theta.W_c, V))
    np.testing.assert_allclose(combined, np.tile(mean, (len(case.x), 1)), atol=ATOL)


@few_examples
@given(block_cases())
def test_the_heads_contributions_add_up(case: BlockCase) -> None:
    Q, K, V = note.queries_keys_values(case.x, *case.theta[:3])
    alpha, W_c = note.attention_weights(Q, K), case.theta.W_c
    one_by_one = sum(
        note.combined_heads(alpha[h : h + 1], V[h : h + 1], W_c[h : h + 1]) for h in range(len(W_c))
    )
    np.testing.assert_allclose(note.combined_heads(alpha, V, W_c), one_by_one, atol=ATOL)


def test_sharing_one_head_s_weights_among_all_heads_is_another_function() -> None:
    rng = np.random.default_rng(5)
    x, theta = rng.normal(size=(3, 4)), random_theta(rng, d=4, k=2, m=1, H=2)
    Q, K, V = note.queries_keys_values(x, *theta[:3])
    alpha = note.attention_weights(Q, K)
    own = note.combined_heads(alpha, V, theta.W_c)
    for h in range(2):
        shared = note.combined_heads(alpha[[h, h]], V, theta.W_c)
        assert np.abs(shared - own).max() > 0.01


def test_one_object_already_acts_on_another_s_weights_before_values_are_mixed() -> None:
    rng = np.random.default_rng(6)
    x, theta = rng.normal(size=(3, 4)), random_theta(rng, d=4, k=2, m=1, H=1)
    changed = x.copy()
    changed[2] += 1.0
    x, changed = 0.2 * x, 0.2 * changed
    before, after = (
        note.attention_weights(*note.queries_keys_values(values, *theta[:3])[:2])[0]
        for values in (x, changed)
    )
    assert np.abs(after[0] - before[0]).min() > 1e-3


@few_examples
@given(seeds, widths, st.floats(-3, 3), st.floats(-3, 3))
def test_scalar_gain_and_bias_are_the_output_s_deviation_and_mean(
    seed: int, k: int, gamma: float, beta: float
) -> None:
    z = np.random.default_rng(seed).normal(size=k)
    mean, deviation = note.mean_and_deviation(note.layer_norm(z, gamma, beta))
    assert mean == pytest.approx(beta, abs=1e-8)
    assert deviation == pytest.approx(abs(gamma), abs=1e-8)


def test_vector_gain_and_bias_are_not_the_output_s_deviation_and_mean() -> None:
    z = np.array([1.0, 2.0, 6.0])
    gamma, beta = np.array([1.0, 1.0, 4.0]), np.array([0.0, 0.0, 0.0])
    mean, _ = note.mean_and_deviation(note.layer_norm(z, gamma, beta))
    assert abs(mean - beta.mean()) > 1


@few_examples
@given(seeds, widths, st.floats(0.1, 10), st.floats(-10, 10))
def test_layer_norm_forgets_scale_and_shift_of_its_input(
    seed: int, k: int, scale: float, shift: float
) -> None:
    rng = np.random.default_rng(seed)
    z, gamma, beta = rng.normal(size=k), rng.normal(size=k), rng.normal(size=k)
    expected = note.layer_norm(z, gamma, beta)
    np.testing.assert_allclose(note.layer_norm(scale * z + shift, gamma, beta), expected, atol=1e-6)


def test_the_deviation_is_the_population_s() -> None:
    mean, deviation = note.mean_and_deviation(np.array([1.0, 3.0]))
    assert (mean, deviation) == (2.0, 1.0)


@pytest.mark.parametrize("z", [[5.0], [2.0, 2.0, 2.0]])
def test_layer_norm_of_equal_features_is_refused_in_words(z: list[float]) -> None:
    with pytest.raises(ValueError, match=f"its {len(z)} features are equal"):
        note.layer_norm(np.array(z), 1.0, 0.0)


@few_examples
@given(seeds, lengths, widths)
def test_the_residual_line_normalizes_each_position_by_itself(seed: int, p: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    x, update = rng.normal(size=(p, d)), rng.normal(size=(p, d))
    u = note.residual_layer_norm(x, update, 2.0, -1.0)
    np.testing.assert_allclose(u.mean(axis=1), -np.ones(p), atol=1e-8)
    np.testing.assert_allclose(u.std(axis=1), 2 * np.ones(p), atol=1e-8)


def test_the_relu_network_by_hand() -> None:
    u = np.array([[1.0, -2.0]])
    W_1 = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]])
    W_2 = np.array([[1.0, 2.0], [10.0, 10.0], [100.0, 0.0]])
    np.testing.assert_array_equal(note.feed_forward(u, W_1, W_2), [[101.0, 2.0]])


@few_examples
@given(block_cases(), st.floats(0.1, 10))
def test_the_relu_network_without_biases_scales_with_its_input(case: BlockCase, scale: float) -> None:
    W_1, W_2 = case.theta.W_1, case.theta.W_2
    expected = scale * note.feed_forward(case.x, W_1, W_2)
    np.testing.assert_allclose(note.feed_forward(scale * case.x, W_1, W_2), expected, atol=1e-9)


@few_examples
@given(seeds, widths, st.integers(1, 7))
def test_the_head_gives_log_linear_probabilities_over_all_o_outcomes(seed: int, d: int, o: int) -> None:
    rng = np.random.default_rng(seed)
    z, W_z = rng.normal(size=d), rng.normal(size=(d, o))
    y_hat = note.log_linear_head(z, W_z)
    assert y_hat.sum() == pytest.approx(1.0, abs=ATOL)
    for l in range(o):
        log_odds = np.log(y_hat[l]) - np.log(y_hat[0])
        assert log_odds == pytest.approx(np.dot(W_z[:, l] - W_z[:, 0], z), abs=1e-8)


def test_summing_only_m_of_o_scores_would_not_give_probabilities() -> None:
    scores, m = np.array([0.0, 1.0, 2.0]), 2
    assert (np.exp(scores) / np.exp(scores[:m]).sum()).sum() > 2
    assert note.softmax(scores).sum() == pytest.approx(1.0)


@few_examples
@given(seeds, st.integers(1, 7), st.floats(-5, 5))
def test_softmax_ignores_a_common_shift(seed: int, o: int, shift: float) -> None:
    a = np.random.default_rng(seed).normal(size=o)
    np.testing.assert_allclose(note.softmax(a + shift), note.softmax(a), atol=ATOL)


@few_examples
@given(block_cases(), st.randoms(use_true_random=False))
def test_a_transformer_permutes_its_outputs_as_its_inputs_are_permuted(case: BlockCase, random) -> None:
    order = list(range(len(case.x)))
    random.shuffle(order)
    thetas = [case.theta, case.theta]
    permuted = note.transformer(case.x[order], thetas)
    np.testing.assert_allclose(permuted, note.transformer(case.x, thetas)[order], atol=1e-6)


def test_the_same_block_takes_inputs_of_any_length() -> None:
    rng = np.random.default_rng(0)
    theta = random_theta(rng, d=4, k=3, m=5, H=2)
    for p in (1, 2, 9):
        assert note.transformer_block(rng.normal(size=(p, 4)), theta).shape == (p, 4)


def test_blocks_are_composed_first_parameters_first() -> None:
    rng = np.random.default_rng(1)
    first, second = (random_theta(rng, d=3, k=2, m=4, H=1) for _ in range(2))
    x = rng.normal(size=(4, 3))
    expected = note.transformer_block(note.transformer_block(x, first), second)
    np.testing.assert_array_equal(note.transformer(x, [first, second]), expected)
    assert np.abs(note.transformer(x, [second, first]) - expected).max() > 1e-3
    np.testing.assert_array_equal(note.transformer(x, []), x)
