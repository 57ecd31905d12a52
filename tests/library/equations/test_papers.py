"""What the formulas taken from papers must satisfy by themselves."""

import itertools

import numpy as np
import pytest
from equation_cases import few_examples, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import papers, slides

ATOL = 1e-10


def all_bits(p: int) -> list[np.ndarray]:
    return [np.array(bits) for bits in itertools.product((0, 1), repeat=p)]


@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 3))
def test_the_classic_nade_s_probabilities_sum_to_one(seed: int, p: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    V, c, W, b = rng.normal(size=(k, p)), rng.normal(size=k), rng.normal(size=(p, k)), rng.normal(size=p)
    log_probs = [papers.bernoulli_log_prob(x, papers.nade_probabilities(x, V, c, W, b)) for x in all_bits(p)]
    assert np.exp(log_probs).sum() == pytest.approx(1.0, abs=ATOL)


@few_examples
@given(seeds, st.integers(1, 5))
def test_the_belief_net_s_probabilities_sum_to_one_and_read_nothing_later(seed: int, p: int) -> None:
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(p, p)), rng.normal(size=p)
    log_probs = [papers.bernoulli_log_prob(x, papers.belief_net_probabilities(x, W, b)) for x in all_bits(p)]
    assert np.exp(log_probs).sum() == pytest.approx(1.0, abs=ATOL)
    x = rng.integers(2, size=p)
    same = papers.belief_net_probabilities(x, np.tril(W, -1), b)
    np.testing.assert_array_equal(papers.belief_net_probabilities(x, W, b), same)


def test_the_slides_nade_adds_all_earlier_layers_to_the_classic_log_odds() -> None:
    """Given the classic's parameters, the sum over s <= t adds what layers s < t say about x_s."""
    rng = np.random.default_rng(8)
    p, k = 3, 4
    V, c, W, b = rng.normal(size=(k, p)), rng.normal(size=k), rng.normal(size=(p, k)), rng.normal(size=p)
    x = np.array([1, 0, 1])
    h = papers.nade_hidden(x, V, c)
    V_slides = np.zeros((p, k, 2))
    V_slides[:, :, 1] = V.T
    h_slides = slides.nade_hidden(slides.one_hot(x, 2), V_slides, np.tile(c, (p, 1)))
    np.testing.assert_allclose(h_slides, h, atol=ATOL)
    W_slides, b_slides = np.zeros((p, 2, k)), np.zeros((p, 2))
    W_slides[:, 1], b_slides[:, 1] = W, b
    f = slides.nade_logits(h_slides, W_slides, b_slides)
    classic = np.log(papers.nade_probabilities(x, V, c, W, b))
    log_odds = classic - np.log1p(-np.exp(classic))
    assert f[0, 1] - f[0, 0] == pytest.approx(log_odds[0], abs=ATOL)
    for t in range(1, p):
        earlier = sum(np.dot(W[s], h[s]) for s in range(t))
        assert f[t, 1] - f[t, 0] == pytest.approx(log_odds[t] + earlier, abs=ATOL)
        assert abs(earlier) > 0.01


def test_a_causal_convolution_by_hand() -> None:
    x, W = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[[1.0]], [[10.0]]])
    assert papers.causal_convolution(x, W, 1)[:, 0].tolist() == [1, 12, 23, 34]
    assert papers.causal_convolution(x, W, 2)[:, 0].tolist() == [1, 2, 13, 24]
    assert papers.causal_convolution(x, W, 9)[:, 0].tolist() == [1, 2, 3, 4]


def test_a_gate_shut_lets_nothing_through_and_one_half_open_half() -> None:
    x, W = np.array([[1.0], [2.0]]), np.array([[[1.0]]])
    np.testing.assert_allclose(papers.gated_activation(x, W, -40 * W, 1), 0, atol=ATOL)
    np.testing.assert_allclose(papers.gated_activation(x, W, 0 * W, 1), np.tanh(x) / 2, atol=ATOL)


@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 3))
def test_the_sum_of_wavenet_s_skips_is_what_its_residual_line_has_gained(
    seed: int, time: int, layers: int
) -> None:
    """So the head reads the last x less the first, and one map for both makes skips no second path."""
    rng = np.random.default_rng(seed)
    d, dilations = 3, [2**layer for layer in range(layers)]
    x, U_1, U_2 = rng.normal(size=(time, d)), rng.normal(size=(d, d)), rng.normal(size=(d, 2))
    W_f, W_g = rng.normal(size=(2, layers, 2, d, d))
    V = rng.normal(size=(layers, d, d))
    line = x
    for layer, dilation in enumerate(dilations):
        line = line + papers.gated_activation(line, W_f[layer], W_g[layer], dilation) @ V[layer]
    logits = papers.wavenet_logits(x, W_f, W_g, V, dilations, U_1, U_2)
    np.testing.assert_allclose(logits, np.maximum(0, np.maximum(0, line - x) @ U_1) @ U_2, atol=ATOL)


def test_the_nearest_code_by_hand_and_the_first_among_equals() -> None:
    e = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
    z_e = np.array([[1.0, 1.0], [3.0, 1.0], [2.0, 0.0]])
    assert papers.vq_posterior(z_e, e).tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert papers.vq_quantize(z_e, e).tolist() == [[0, 0], [4, 0], [0, 0]]
    assert papers.vqvae_loss_terms(-5.0, z_e, e, 0.25) == pytest.approx((5.0, 8 / 3, 2 / 3))


def test_the_encoder_s_code_says_all_only_where_no_other_code_explains_x() -> None:
    log_likelihoods, log_priors = np.log([0.5, 0.25]), np.log([0.5, 0.5])
    assert papers.vqvae_bound(log_likelihoods, log_priors, 0) == pytest.approx((np.log(1 / 4), np.log(3 / 8)))
    alone = papers.vqvae_bound(np.array([np.log(0.5), -1000.0]), log_priors, 0)
    assert alone[0] == pytest.approx(alone[1], abs=ATOL)


def test_an_additive_score_by_hand() -> None:
    score = papers.additive_score(
        np.array([1.0]), np.array([2.0, 0.0]), np.array([[1.0]]), np.array([[0.5, 7.0]]), np.array([3.0])
    )
    assert score == pytest.approx(3 * np.tanh(2.0))


def test_kneser_ney_counts_occurrences_at_the_top_and_left_neighbors_below() -> None:
    unigrams, bigrams = papers.kneser_ney_counts([[1, 2, 1, 2, 3, 2]], 2, start=0)
    assert bigrams == {(0, 1): 1, (1, 2): 2, (2, 1): 1, (2, 3): 1, (3, 2): 1, (2, 0): 1}
    assert unigrams == {(1,): 2, (2,): 2, (3,): 1, (0,): 1}
    assert papers.kneser_ney_discount(bigrams) == 5 / 7
    assert papers.kneser_ney_discount(unigrams) == 2 / 6


def test_what_begins_a_document_is_counted_by_its_occurrences_at_every_order() -> None:
    _, bigrams, trigrams = papers.kneser_ney_counts([[1, 2], [1, 2]], 3, start=0)
    assert bigrams == {(0, 1): 2, (1, 2): 1, (2, 0): 1}
    assert trigrams == {(0, 1, 2): 2, (1, 2, 0): 2}


def test_kneser_ney_by_hand() -> None:
    counts = papers.kneser_ney_counts([[1, 2, 1, 2, 3, 2]], 2, start=0)
    after_nothing = (2 - 1 / 3) / 6 + 1 / 3 * 4 / 6 / 5
    assert papers.kneser_ney_probability(2, (), counts, 5) == pytest.approx(after_nothing, abs=ATOL)
    after_one = (2 - 5 / 7) / 2 + 5 / 7 * 1 / 2 * after_nothing
    assert papers.kneser_ney_probability(2, (1,), counts, 5) == pytest.approx(after_one, abs=ATOL)


@few_examples
@given(st.lists(st.lists(st.integers(1, 3), max_size=12), min_size=1, max_size=3), st.integers(1, 3))
def test_kneser_ney_s_probabilities_are_positive_and_sum_to_one_after_every_history(
    documents: list[list[int]], order: int
) -> None:
    counts = papers.kneser_ney_counts(documents, order, start=0)
    for length in range(order):
        for history in itertools.product(range(5), repeat=length):
            p = [papers.kneser_ney_probability(w, history, counts, 5) for w in range(5)]
            assert min(p) > 0
            assert sum(p) == pytest.approx(1.0, abs=ATOL)


def test_a_history_never_seen_leaves_the_decision_to_the_shorter_one() -> None:
    counts = papers.kneser_ney_counts([[1, 2, 1, 3], [2, 1, 1]], 3, start=0)
    for w in range(4):
        unseen = papers.kneser_ney_probability(w, (3, 1), counts, 4)
        assert unseen == papers.kneser_ney_probability(w, (1,), counts, 4)
