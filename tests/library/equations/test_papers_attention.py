"""What the papers' attention, blocks and training formulas must satisfy on their own."""

import numpy as np
import pytest
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import papers_attention, papers_training, tx

ATOL = 1e-10


def xl_parameters(seed: int, n: int, d: int, d_head: int) -> list[np.ndarray]:
    """Distances' encodings R for n positions, W_q, W_kE, W_kR, u, v."""
    return normal(seed + 1, (n, d), (d_head, d), (d_head, d), (d_head, d), (d_head,), (d_head,))


@few_examples
@given(seeds, st.integers(0, 4), lengths, widths, widths)
def test_cutting_a_sequence_into_memory_and_segment_does_not_change_its_scores(
    seed: int, M: int, L: int, d: int, d_head: int
) -> None:
    """Distances do not notice where the segment begins."""
    memory, h = normal(seed, (M, d), (L, d))
    parameters = xl_parameters(seed, M + L, d, d_head)
    whole = papers_attention.transformer_xl_scores(
        papers_attention.remember(memory, h), np.zeros((0, d)), *parameters
    )
    cut = papers_attention.transformer_xl_scores(h, memory, *parameters)
    np.testing.assert_allclose(cut, whole[M:], atol=ATOL)


@few_examples
@given(seeds, st.integers(0, 4), lengths, widths, widths)
def test_the_four_terms_are_two_when_the_biases_join_the_query(
    seed: int, M: int, L: int, d: int, d_head: int
) -> None:
    """(a) + (c) is the query plus u against the content, (b) + (d) the query plus v against the distance."""
    memory, h = normal(seed, (M, d), (L, d))
    R, W_q, W_kE, W_kR, u, v = xl_parameters(seed, M + L, d, d_head)
    A = papers_attention.transformer_xl_scores(h, memory, R, W_q, W_kE, W_kR, u, v)
    content = (h @ W_q.T + u) @ (papers_attention.remember(memory, h) @ W_kE.T).T
    distance = (h @ W_q.T + v) @ (R @ W_kR.T).T
    for i in range(L):
        for j in range(M + L):
            if j <= M + i:
                np.testing.assert_allclose(A[i, j], content[i, j] + distance[i, M + i - j], atol=ATOL)
            else:
                assert A[i, j] == -np.inf


@few_examples
@given(seeds, st.integers(1, 8), st.floats(0.0, 9.0), st.integers(1, 3))
def test_local_weights_are_below_one_inside_the_window_and_nothing_outside(
    seed: int, S: int, p_t: float, D: int
) -> None:
    (scores,) = normal(seed, (S,))
    a_t = papers_attention.local_weights(scores, p_t, D)
    assert a_t.sum() <= 1.0 + ATOL
    for s in range(1, S + 1):
        assert (a_t[s - 1] > 0) == (abs(s - p_t) <= D)


def test_an_indifferent_state_looks_at_the_middle_of_the_source() -> None:
    p_t = papers_attention.predicted_position(np.zeros(2), np.ones((3, 2)), np.ones(3), S=7)
    assert p_t == 3.5
    a_t = papers_attention.local_weights(np.zeros(7), 4.0, D=2)
    bell = np.exp(-np.array([4.0, 1.0, 0.0, 1.0, 4.0]) / 2) / 5
    np.testing.assert_allclose(a_t, [0.0, *bell, 0.0], atol=ATOL)


@few_examples
@given(seeds, widths, lengths, st.floats(0.1, 4.0))
def test_retrieval_never_raises_the_energy(seed: int, d: int, N: int, beta: float) -> None:
    X, xi = normal(seed, (d, N), (d,))
    energy = papers_attention.hopfield_energy(X, xi, beta)
    for _ in range(5):
        xi = papers_attention.hopfield_update(X, xi, beta)
        lower = papers_attention.hopfield_energy(X, xi, beta)
        assert -1e-12 <= lower <= energy + 1e-12
        energy = lower


def test_a_sharp_update_retrieves_the_nearest_pattern_in_one_step() -> None:
    X = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    retrieved = papers_attention.hopfield_update(X, np.array([0.2, 0.9]), beta=60.0)
    np.testing.assert_allclose(retrieved, [0.0, 1.0], atol=ATOL)


@few_examples
@given(seeds, widths, lengths)
def test_retrieval_is_attention_of_a_state_to_the_patterns(seed: int, d: int, N: int) -> None:
    X, xi = normal(seed, (d, N), (d,))
    retrieved = papers_attention.hopfield_update(X, xi, 1 / np.sqrt(d))
    attended = tx.scaled_dot_product_attention(xi[None], X.T, X.T)[0]
    np.testing.assert_allclose(retrieved, attended, atol=ATOL)


@few_examples
@given(seeds, lengths, widths)
def test_a_linear_macaron_block_is_the_product_of_its_steps(seed: int, n: int, d: int) -> None:
    x, F, G = normal(seed, (n, d), (d, d), (d, d))
    mix = normal(seed + 1, (n, n))[0]
    block = papers_attention.macaron_block(x, lambda a: a @ F, lambda a: mix @ a, lambda a: a @ G)
    expected = (np.eye(n) + mix) @ x @ (np.eye(d) + F / 2) @ (np.eye(d) + G / 2)
    np.testing.assert_allclose(block, expected, atol=ATOL)


@few_examples
@given(st.integers(1, 8), st.data(), st.floats(0.0, 1.0))
def test_smoothing_moves_part_of_the_label_to_all(K: int, data: st.DataObject, epsilon: float) -> None:
    y = data.draw(st.integers(0, K - 1))
    q = papers_training.smoothed_labels(y, K, epsilon)
    np.testing.assert_allclose(q.sum(), 1.0, atol=ATOL)
    np.testing.assert_allclose(np.delete(q, y), np.full(K - 1, epsilon / K), atol=ATOL)


@few_examples
@given(seeds, st.integers(2, 6))
def test_the_smoothed_loss_is_least_at_the_smoothed_label(seed: int, K: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(K))
    best = papers_training.smoothed_cross_entropy(0, papers_training.smoothed_labels(0, K, 0.1), 0.1)
    assert papers_training.smoothed_cross_entropy(0, p, 0.1) >= best
    np.testing.assert_allclose(papers_training.smoothed_cross_entropy(0, p, 0.0), -np.log(p[0]), atol=ATOL)


def test_the_rate_rises_to_the_last_step_of_the_warm_up_and_then_falls() -> None:
    rates = [papers_training.warm_up_rate(step, 512, 40) for step in range(1, 101)]
    assert np.argmax(rates) == 39
    np.testing.assert_allclose(np.diff(rates[:40]), np.full(39, rates[0]), atol=ATOL)
    assert rates[99] == pytest.approx(rates[39] * np.sqrt(40 / 100))
    assert papers_training.warm_up_rate(4000, 512, 4000) == pytest.approx(1 / np.sqrt(512 * 4000))


def test_the_penalty_is_none_for_one_word_and_none_without_an_exponent() -> None:
    assert papers_training.length_penalty(1, 0.6) == 1.0
    assert papers_training.length_penalty(7, 0.0) == 1.0
    assert papers_training.length_penalty(7, 1.0) == 2.0


def test_the_penalty_can_put_a_longer_hypothesis_before_a_likelier_one() -> None:
    short, long = (-4.0, 1), (-6.0, 13)
    assert papers_training.penalized_score(*short, 0.0) > papers_training.penalized_score(*long, 0.0)
    assert papers_training.penalized_score(*short, 1.0) < papers_training.penalized_score(*long, 1.0)
