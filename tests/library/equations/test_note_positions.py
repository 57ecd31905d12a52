"""What the note's positions must satisfy by themselves."""

import numpy as np
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, note_positions, tx

ATOL = 1e-10


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
