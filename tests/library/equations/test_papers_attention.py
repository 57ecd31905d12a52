"""What the papers' attention, positions and blocks must satisfy by themselves."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, note_positions, papers_attention, papers_block, tx
from transformer_lib.transformer.attention import attention

ATOL = 1e-10
offsets = st.integers(0, 40)


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
@given(seeds, widths, lengths, st.floats(0.1, 4.0))
def test_the_energy_is_minus_the_logarithm_of_a_density_where_patterns_are_equally_long(
    seed: int, d: int, N: int, beta: float
) -> None:
    """The mean of Gaussian kernels around the patterns; an update climbs it."""
    X, xi = normal(seed, (d, N), (d,))
    X /= np.linalg.norm(X, axis=0)
    kernel = papers_block.gaussian_kernel(beta)
    density = np.mean([kernel(xi, X[:, i]) for i in range(N)])
    energy = papers_attention.hopfield_energy(X, xi, beta)
    np.testing.assert_allclose(energy, -np.log(density) / beta, atol=ATOL)


@few_examples
@given(seeds, widths, lengths, st.floats(0.1, 4.0))
def test_an_update_lowers_the_energy_by_half_the_square_of_its_step_at_least(
    seed: int, d: int, N: int, beta: float
) -> None:
    X, xi = normal(seed, (d, N), (d,))
    new = papers_attention.hopfield_update(X, xi, beta)
    fall = papers_attention.hopfield_energy(X, xi, beta) - papers_attention.hopfield_energy(X, new, beta)
    assert fall >= np.sum((new - xi) ** 2) / 2 - 1e-10


@few_examples
@given(seeds, widths, st.integers(2, 6), st.floats(0.1, 4.0))
def test_an_update_misses_a_pattern_by_no_more_than_its_lead_allows(
    seed: int, d: int, N: int, beta: float
) -> None:
    X, xi = normal(seed, (d, N), (d,))
    scores = X.T @ xi
    best = int(np.argmax(scores))
    lead = scores[best] - np.max(np.delete(scores, best))
    longest = np.max(np.linalg.norm(X, axis=0))
    missed = np.linalg.norm(papers_attention.hopfield_update(X, xi, beta) - X[:, best])
    assert missed <= 2 * longest * (N - 1) * np.exp(-beta * lead) + 1e-10


@pytest.mark.parametrize(("d", "K", "c", "exponent"), [(20, 3.0, 3.1546, 1.27), (75, 1.0, 1.3718, -0.94)])
def test_the_patterns_stored_for_certain_are_those_of_the_paper_s_two_examples(
    d: int, K: float, c: float, exponent: float
) -> None:
    """The paper prints c, and the sum of a and ln b, for beta 1 and a probability of 0.001."""
    stored = papers_attention.hopfield_stored(d, K, beta=1.0, p=0.001)
    np.testing.assert_allclose((stored / 0.001**0.5) ** (4 / (d - 1)), c, atol=1e-4)
    b = 2 * K**2 / 5
    a = 2 / (d - 1) * (1 + np.log(2 * K**2 * 0.001 * (d - 1)))
    np.testing.assert_allclose(a + np.log(b), exponent, atol=0.01)


@pytest.mark.proves("nadaraya1964", "watson1964")
@few_examples
@given(seeds, lengths, widths, st.floats(0.1, 4.0))
def test_a_gaussian_smoother_is_attention_whose_keys_know_their_length(
    seed: int, n: int, d: int, beta: float
) -> None:
    """Beside each key stands minus half its square, and beside each query a one."""
    points, y, x = normal(seed, (n, d), (n,), (3, d))
    kernel = papers_block.gaussian_kernel(beta)
    expected = [papers_block.nadaraya_watson(x_i, points, y, kernel) for x_i in x]
    queries = np.column_stack([x, np.ones(3)])
    keys = np.column_stack([points, -np.sum(points**2, axis=1) / 2])
    found = attention(*(torch.from_numpy(a) for a in (queries, keys, y[:, None])), scale=beta)
    np.testing.assert_allclose(found[:, 0], expected, atol=ATOL)


@few_examples
@given(seeds, lengths, widths, st.floats(0.1, 4.0))
def test_with_keys_of_one_length_attention_is_a_gaussian_smoother_as_it_stands(
    seed: int, n: int, d: int, beta: float
) -> None:
    points, y, x = normal(seed, (n, d), (n,), (d,))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    expected = papers_block.nadaraya_watson(x, points, y, papers_block.gaussian_kernel(beta))
    found = note.softmax(beta * (points @ x)) @ y
    np.testing.assert_allclose(found, expected, atol=ATOL)


def rotation(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def splitting_error(step: Callable[..., np.ndarray], is_exact: bool, n_steps: int) -> float:
    """The error after a time of 1 where F shrinks the first coordinate and G turns the plane."""
    A, B = np.diag([-1.0, 0.0]), np.array([[0.0, 1.0], [-1.0, 0.0]])
    truth = np.array([[1.0, 0.5]])
    for _ in range(512):  # the classical method of Runge and Kutta
        h, M = 1 / 512, A + B
        k_1 = truth @ M
        k_2 = (truth + h / 2 * k_1) @ M
        k_3 = (truth + h / 2 * k_2) @ M
        k_4 = (truth + h * k_3) @ M
        truth = truth + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4)

    def flow_F(x: np.ndarray, h: float) -> np.ndarray:
        return x * np.array([np.exp(-h), 1.0]) if is_exact else x + h * x @ A

    def flow_G(x: np.ndarray, h: float) -> np.ndarray:
        return x @ rotation(h) if is_exact else x + h * x @ B

    x = np.array([[1.0, 0.5]])
    for _ in range(n_steps):
        x = step(x, 1 / n_steps, flow_F, flow_G)
    return float(np.linalg.norm(x - truth))


@pytest.mark.parametrize(
    ("step", "is_exact", "order"),
    [
        (papers_attention.lie_trotter_step, True, 1),
        (papers_attention.strang_step, True, 2),
        (papers_attention.lie_trotter_step, False, 1),
        (papers_attention.strang_step, False, 1),
    ],
)
def test_strang_s_splitting_is_of_second_order_only_if_its_parts_are(
    step: Callable[..., np.ndarray], is_exact: bool, order: int
) -> None:
    """With Euler's steps for the parts, as in a residual block, its error falls like Lie and Trotter's."""
    ratio = splitting_error(step, is_exact, 64) / splitting_error(step, is_exact, 128)
    np.testing.assert_allclose(ratio, 2**order, rtol=0.1)


@pytest.mark.proves("lu2019")
@few_examples
@given(seeds, lengths, widths)
def test_a_macaron_block_is_strang_s_step_of_euler_s_parts(seed: int, n: int, d: int) -> None:
    x, F, G = normal(seed, (n, d), (d, d), (d, d))

    def attend(a: np.ndarray) -> np.ndarray:
        return np.tanh(a.mean(axis=0) + a @ F)

    def network(a: np.ndarray) -> np.ndarray:
        return np.maximum(a @ G, 0)

    block = papers_attention.macaron_block(x, network, attend, network)
    flow_F, flow_G = (lambda a, h: a + h * attend(a)), (lambda a, h: a + h * network(a))
    np.testing.assert_allclose(papers_attention.strang_step(x, 1.0, flow_F, flow_G), block, atol=ATOL)
    standard = papers_attention.lie_trotter_step(x, 1.0, flow_F, flow_G)
    attended = x + attend(x)
    np.testing.assert_allclose(standard, attended + network(attended), atol=ATOL)


@few_examples
@given(seeds, lengths, widths)
def test_a_linear_macaron_block_is_the_product_of_its_steps(seed: int, n: int, d: int) -> None:
    x, F, G = normal(seed, (n, d), (d, d), (d, d))
    mix = normal(seed + 1, (n, n))[0]
    block = papers_attention.macaron_block(x, lambda a: a @ F, lambda a: mix @ a, lambda a: a @ G)
    expected = (np.eye(n) + mix) @ x @ (np.eye(d) + F / 2) @ (np.eye(d) + G / 2)
    np.testing.assert_allclose(block, expected, atol=ATOL)


@few_examples
@given(seeds, offsets, offsets, st.integers(1, 5))
def test_rotary_scores_depend_on_the_offset_alone(seed: int, m: int, offset: int, half: int) -> None:
    q, k = normal(seed, (2 * half,), (2 * half,))
    here = np.dot(papers_attention.rotary(q, m + offset), papers_attention.rotary(k, m))
    at_the_start = np.dot(papers_attention.rotary(q, offset), k)
    np.testing.assert_allclose(here, at_the_start, atol=ATOL)


@few_examples
@given(seeds, offsets, st.integers(1, 5))
def test_rotary_positions_turn_by_the_sinusoids_rotation_the_other_way(seed: int, m: int, half: int) -> None:
    (x,) = normal(seed, (2 * half,))
    turned = papers_attention.rotary(x, m)
    np.testing.assert_allclose(turned, tx.offset_map(m, 2 * half).T @ x, atol=ATOL)
    np.testing.assert_allclose(np.linalg.norm(turned), np.linalg.norm(x), atol=ATOL)
    np.testing.assert_array_equal(papers_attention.rotary(x, 0), x)


@few_examples
@given(seeds, lengths, widths, st.integers(0, 3))
def test_shaw_s_scores_of_the_same_words_depend_on_their_distance_up_to_the_clip(
    seed: int, n: int, d: int, k: int
) -> None:
    q, key, w_K = normal(seed, (1, d), (1, d), (2 * k + 1, d))
    e = papers_attention.shaw_scores(np.repeat(q, n, axis=0), np.repeat(key, n, axis=0), w_K)
    for i in range(n):
        for j in range(n):
            clipped = np.clip(j - i, -k, k)
            np.testing.assert_allclose(e[i, j], q[0] @ (key[0] + w_K[clipped + k]) / np.sqrt(d), atol=ATOL)


def test_gehring_s_learned_positions_are_absolute_and_shaw_s_are_relative() -> None:
    """The same word everywhere: Gehring's scores differ along a diagonal, where the distance is the same."""
    words, *theta = normal(0, (1, 3), (3, 4), (5, 4), (4, 6), (4, 6))
    z = note_positions.gehring_positions(words.repeat(5, axis=0), *theta)
    by_place = z @ z.T
    (distances,) = normal(1, (9, 6))
    by_distance = papers_attention.shaw_scores(z[[0] * 5], z[[0] * 5], distances)
    for offset in range(-3, 4):
        assert np.ptp(np.diagonal(by_place, offset)) > 0.1
        assert np.ptp(np.diagonal(by_distance, offset)) < ATOL


@few_examples
@given(seeds, lengths, widths)
def test_skewing_is_gathering_below_the_diagonal(seed: int, L: int, d: int) -> None:
    Q, E_r = normal(seed, (L, d), (L, d))
    skewed = papers_attention.skew(Q @ E_r.T)
    np.testing.assert_allclose(np.tril(skewed), papers_attention.relative_logits(Q, E_r), atol=ATOL)


def test_skewing_by_hand() -> None:
    QE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    np.testing.assert_array_equal(papers_attention.skew(QE), [[3, 0, 4], [5, 6, 0], [7, 8, 9]])


@few_examples
@given(seeds, lengths, widths)
def test_music_transformer_s_scores_are_shaw_s_of_earlier_keys(seed: int, L: int, d: int) -> None:
    Q, K, E_r = normal(seed, (L, d), (L, d), (L, d))
    by_shaw = papers_attention.shaw_scores(Q, K, np.concatenate([E_r, np.zeros((L - 1, d))]))
    by_skewing = papers_attention.music_transformer_scores(Q, K, E_r)
    np.testing.assert_allclose(np.tril(by_skewing), np.tril(by_shaw), atol=ATOL)


def test_the_slopes_of_eight_heads_are_a_half_to_a_256th() -> None:
    np.testing.assert_array_equal(papers_attention.alibi_slopes(8), [1 / 2**h for h in range(1, 9)])


@few_examples
@given(st.integers(1, 40))
def test_slopes_are_geometric_and_end_at_a_256th(n: int) -> None:
    slopes = papers_attention.alibi_slopes(n)
    np.testing.assert_allclose(slopes[1:] / slopes[:-1], np.full(n - 1, slopes[0]), atol=ATOL)
    np.testing.assert_allclose(slopes[-1], 1 / 256, atol=ATOL)


@few_examples
@given(seeds, lengths, widths)
def test_a_penalty_by_distance_gives_the_weights_of_a_reward_by_position(seed: int, L: int, d: int) -> None:
    """Within a row the two differ by a constant, which the softmax does not see."""
    Q, K = normal(seed, (L, d), (L, d))
    scores = tx.causal_scores(tx.scaled_scores(Q, K))
    by_distance = tx.attention_matrix(scores + papers_attention.alibi_bias(L, 0.5))
    by_position = tx.attention_matrix(scores + 0.5 * np.arange(L))
    np.testing.assert_allclose(by_distance, by_position, atol=ATOL)
