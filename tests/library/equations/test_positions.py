"""What positions must satisfy: the note's and the article's tables, and the papers' relative schemes."""

import numpy as np
import pytest
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, note_positions, papers_attention, tx

ATOL = 1e-10
offsets = st.integers(0, 40)


@few_examples
@given(seeds, lengths, widths)
def test_the_extension_keeps_the_input_and_appends_its_position(seed: int, p: int, d: int) -> None:
    (x,) = normal(seed, (p, d))
    extended = note_positions.one_hot_extension(x)
    np.testing.assert_array_equal(extended[:, :d], x)
    np.testing.assert_array_equal(extended[:, d:], np.eye(p))


@few_examples
@given(seeds, lengths, widths, lengths)
def test_joint_positions_are_a_relu_network_on_the_extension(seed: int, p: int, d: int, m: int) -> None:
    x, W_x, W_e, W_z = normal(seed, (p, d), (d, m), (p, m), (m, d))
    joint = note_positions.joint_positions(x, W_x, W_e, W_z)
    W, extended = np.concatenate([W_x, W_e]), note_positions.one_hot_extension(x)
    expected = np.array([W_z.T @ note.relu(W.T @ x_prime) for x_prime in extended])
    np.testing.assert_allclose(joint, expected, atol=ATOL)


@few_examples
@given(seeds, lengths, widths, lengths)
def test_gehring_s_positions_are_joint_ones_whose_hidden_units_do_not_mix(
    seed: int, p: int, d: int, m: int
) -> None:
    x, W_x, W_e, W_zx, W_ze = normal(seed, (p, d), (d, m), (p, m), (m, d), (m, d))
    apart = note_positions.joint_positions(
        x,
        np.concatenate([W_x, np.zeros((d, m))], axis=1),
        np.concatenate([np.zeros((p, m)), W_e], axis=1),
        np.concatenate([W_zx, W_ze]),
    )
    np.testing.assert_allclose(note_positions.gehring_positions(x, W_x, W_e, W_zx, W_ze), apart, atol=ATOL)


def test_only_joint_positions_let_a_word_mean_something_else_at_another_position() -> None:
    """Gehring's sum treats two words alike at every position; the joint form does not."""
    word, other, W_x, W_e, W_z, W_ze = normal(0, (1, 3), (1, 3), (3, 4), (2, 4), (4, 3), (4, 3))
    twice, other_twice = np.repeat(word, 2, axis=0), np.repeat(other, 2, axis=0)

    def difference(scheme, *weights: np.ndarray) -> np.ndarray:
        return scheme(twice, *weights) - scheme(other_twice, *weights)

    separate = difference(note_positions.gehring_positions, W_x, W_e, W_z, W_ze)
    np.testing.assert_allclose(separate[0], separate[1], atol=ATOL)
    joint = difference(note_positions.joint_positions, W_x, W_e, W_z)
    assert np.abs(joint[0] - joint[1]).max() > 0.1


@few_examples
@given(seeds, lengths, widths, st.integers(2, 6))
def test_on_one_hot_words_the_note_s_relus_can_be_any_lookup(seed: int, p: int, d: int, vocab: int) -> None:
    """With an identity inside, (11) is the sum of two tables, and (12) a table plus the fixed positions."""
    rng = np.random.default_rng(seed)
    E, P = rng.normal(size=(vocab, d)), rng.normal(size=(p, d))
    words = rng.integers(vocab, size=p)
    x = np.eye(vocab)[words]
    m = max(vocab, p)
    W_zx, W_ze = np.zeros((m, d)), np.zeros((m, d))
    W_zx[:vocab], W_ze[:p] = E, P
    by_gehring = note_positions.gehring_positions(x, np.eye(vocab, m), np.eye(p, m), W_zx, W_ze)
    np.testing.assert_allclose(by_gehring, E[words] + P, atol=ATOL)
    by_vaswani = note_positions.fixed_positions(x, np.eye(vocab), E, P)
    np.testing.assert_allclose(by_vaswani, E[words] + P, atol=ATOL)


def test_on_other_inputs_the_note_s_relu_is_no_linear_embedding() -> None:
    x, W_x, W_zx = normal(1, (2, 3), (3, 4), (4, 3))
    nothing = np.zeros((2, 3))
    there = note_positions.fixed_positions(x, W_x, W_zx, nothing)
    back = note_positions.fixed_positions(-x, W_x, W_zx, nothing)
    assert np.abs(there + back).max() > 0.1


def test_x_1_at_every_position_would_repeat_the_first_word() -> None:
    """(12) as printed: all positions get the representation of the first input."""
    x, W_x, W_zx, p = normal(2, (3, 4), (4, 5), (5, 4), (3, 4))
    as_printed = note_positions.fixed_positions(np.repeat(x[:1], 3, axis=0), W_x, W_zx, p) - p
    np.testing.assert_allclose(as_printed, np.repeat(as_printed[:1], 3, axis=0), atol=ATOL)
    as_meant = note_positions.fixed_positions(x, W_x, W_zx, p) - p
    assert np.abs(as_meant[0] - as_meant[1]).max() > 0.1


def test_sinusoids_by_hand() -> None:
    expected = [[0, 1, 0, 1], [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]]
    np.testing.assert_allclose(note_positions.sinusoids(2, 4), expected, atol=ATOL)


@few_examples
@given(st.integers(0, 30), st.integers(1, 9))
def test_the_note_s_sinusoids_are_the_article_s(n: int, d: int) -> None:
    np.testing.assert_array_equal(note_positions.sinusoids(n, d), tx.positional_encoding(n, d))


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
