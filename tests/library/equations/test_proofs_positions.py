"""The library's position schemes are the sources' and the papers', in float64 to 1e-10."""

import math

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer_lib.equations import note_positions, papers_attention, tx
from transformer_lib.transformer.attention import MultiHeadAttention, attention_weights
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.note_matrices import load_note_matrices
from transformer_lib.transformer.position_hooks import LearnedPositions, Positions
from transformer_lib.transformer.positions import (
    AlibiPositions,
    GehringPositions,
    JointPositions,
    OneHotPositions,
    RelativePositions,
    RelativeValuesPositions,
    RotaryPositions,
    SinusoidalPositions,
    alibi_slopes,
    sinusoids,
)

ATOL = 1e-10


def embedded(scheme: Positions, x: np.ndarray, start: int = 0) -> np.ndarray:
    return scheme.double().embed(torch.from_numpy(x)[None], start)[0].detach().numpy()


def load(module: nn.Linear | nn.Embedding, weight: np.ndarray) -> None:
    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(weight))


def heads(*arrays: np.ndarray) -> list[torch.Tensor]:
    """One sequence, one head."""
    return [torch.from_numpy(array)[None, None] for array in arrays]


@pytest.mark.proves("N11a")
@few_examples
@given(seeds, lengths, widths)
def test_one_hot_positions_are_a_linear_map_of_the_note_s_extension(seed: int, p: int, d: int) -> None:
    x, W_x, W_e = normal(seed, (p, d), (d, d), (p, d))
    scheme = OneHotPositions(p, d).double()
    load(scheme.features, W_x.T)
    load(scheme.table, W_e)
    expected = note_positions.one_hot_extension(x) @ np.concatenate([W_x, W_e])
    np.testing.assert_allclose(embedded(scheme, x), expected, atol=ATOL)


@pytest.mark.proves("N10", "S14")
@few_examples
@given(seeds, lengths, widths, lengths)
def test_joint_positions_are_the_note_s(seed: int, p: int, d: int, m: int) -> None:
    x, W_x, W_e, W_z = normal(seed, (p, d), (d, m), (p, m), (m, d))
    scheme = JointPositions(p, d, m).double()
    load(scheme.features, W_x.T)
    load(scheme.table, W_e)
    load(scheme.output, W_z.T)
    expected = note_positions.joint_positions(x, W_x, W_e, W_z)
    np.testing.assert_allclose(embedded(scheme, x), expected, atol=ATOL)


@pytest.mark.proves("N11")
@few_examples
@given(seeds, lengths, widths, lengths)
def test_gehring_s_positions_are_the_note_s(seed: int, p: int, d: int, m: int) -> None:
    x, W_x, W_e, W_zx, W_ze = normal(seed, (p, d), (d, m), (p, m), (m, d), (m, d))
    scheme = GehringPositions(p, d, m).double()
    load(scheme.features, W_x.T)
    load(scheme.feature_output, W_zx.T)
    load(scheme.table, W_e)
    load(scheme.position_output, W_ze.T)
    expected = note_positions.gehring_positions(x, W_x, W_e, W_zx, W_ze)
    np.testing.assert_allclose(embedded(scheme, x), expected, atol=ATOL)


@pytest.mark.proves("N11", "N12")
@few_examples
@given(seeds, lengths, widths, st.integers(1, 6))
def test_added_tables_are_the_note_s_networks_on_one_hot_words(seed: int, p: int, d: int, vocab: int) -> None:
    """(11) and (12) have ReLUs that practice has not: with an identity inside, one-hot words pass them."""
    rng = np.random.default_rng(seed)
    E, P = rng.normal(size=(vocab, d)), rng.normal(size=(p, d))
    words, m = rng.integers(vocab, size=p), max(vocab, p)
    x = np.eye(vocab)[words]
    W_zx, W_ze = np.zeros((m, d)), np.zeros((m, d))
    W_zx[:vocab], W_ze[:p] = E, P
    learned = LearnedPositions(p, d).double()
    load(learned.table, P)
    by_gehring = note_positions.gehring_positions(x, np.eye(vocab, m), np.eye(p, m), W_zx, W_ze)
    np.testing.assert_allclose(embedded(learned, E[words]), by_gehring, atol=ATOL)
    fixed = SinusoidalPositions(p, d)
    by_note = note_positions.fixed_positions(x, np.eye(vocab), E, note_positions.sinusoids(p, d))
    np.testing.assert_allclose(embedded(fixed, E[words]), by_note, atol=ATOL)


@pytest.mark.proves("N12")
@few_examples
@given(seeds, lengths, widths, lengths)
def test_fixed_positions_add_to_whatever_represents_the_inputs(seed: int, p: int, d: int, m: int) -> None:
    """What is expected stands here number by number: the network's sums, and a sine or a cosine."""
    x, W_x, W_zx = normal(seed, (p, d), (d, m), (m, d))
    features, expected = np.zeros((2, p, d))
    for k in range(p):
        inner = [max(0.0, sum(W_x[b, a] * x[k, b] for b in range(d))) for a in range(m)]
        for c in range(d):
            features[k, c] = sum(W_zx[a, c] * inner[a] for a in range(m))
            angle = k / 10000 ** ((c - c % 2) / d)
            expected[k, c] = features[k, c] + (math.cos(angle) if c % 2 else math.sin(angle))
    by_note = note_positions.fixed_positions(x, W_x, W_zx, note_positions.sinusoids(p, d))
    np.testing.assert_allclose(by_note, expected, atol=ATOL)
    np.testing.assert_allclose(embedded(SinusoidalPositions(p, d), features), expected, atol=ATOL)


@pytest.mark.proves("N11b", "T8", "T9")
@few_examples
@given(st.integers(0, 60), st.integers(1, 12))
def test_the_library_s_table_is_the_note_s_and_the_article_s(n: int, d: int) -> None:
    np.testing.assert_allclose(sinusoids(n, d), note_positions.sinusoids(n, d), atol=ATOL)
    np.testing.assert_allclose(sinusoids(n, d), tx.positional_encoding(n, d), atol=ATOL)


@pytest.mark.proves("T8", "T9", "T10")
@few_examples
@given(seeds, lengths, st.integers(0, 30), st.integers(0, 30), st.integers(1, 4))
def test_starting_later_turns_the_module_s_positions_by_the_article_s_rotation(
    seed: int, n: int, start: int, delta: int, half: int
) -> None:
    d = 2 * half
    (x,) = normal(seed, (n, d))
    scheme = SinusoidalPositions(start + delta + n, d)
    here, later = embedded(scheme, x, start) - x, embedded(scheme, x, start + delta) - x
    np.testing.assert_allclose(here, tx.positional_encoding(start + n, d)[start:], atol=ATOL)
    np.testing.assert_allclose(later, here @ tx.offset_map(delta, d).T, atol=ATOL)


@pytest.mark.proves("su2021")
@few_examples
@given(seeds, lengths, st.integers(1, 4), st.integers(0, 9))
def test_rotary_positions_are_su_s(seed: int, n: int, half: int, start: int) -> None:
    Q, K = normal(seed, (n, 2 * half), (n, 2 * half))
    scheme = RotaryPositions(start + n, 2 * half).double()
    for rotated, x in zip(scheme.rotate(*heads(Q, K), start), (Q, K)):
        expected = [papers_attention.rotary(x[i], start + i) for i in range(n)]
        np.testing.assert_allclose(rotated[0, 0], expected, atol=ATOL)


@pytest.mark.proves("shaw2018")
@few_examples
@given(seeds, lengths, widths, st.integers(1, 4))
def test_relative_positions_are_shaw_s(seed: int, n: int, d: int, k: int) -> None:
    Q, K, w_K = normal(seed, (n, d), (n, d), (2 * k + 1, d))
    weights = weights_with(relative(w_K), Q, K)
    expected = tx.attention_matrix(papers_attention.shaw_scores(Q, K, w_K))
    np.testing.assert_allclose(weights, expected, atol=ATOL)


@pytest.mark.proves("shaw2018")
@few_examples
@given(seeds, lengths, widths, widths, st.integers(1, 4), st.booleans())
def test_values_that_carry_their_distance_s_vector_are_shaw_s(
    seed: int, n: int, d: int, d_v: int, k: int, causal: bool
) -> None:
    Q, K, V, w_K, w_V = normal(seed, (n, d), (n, d), (n, d_v), (2 * k + 1, d), (2 * k + 1, d_v))
    scheme = RelativeValuesPositions(1, d, k, d_value=d_v).double()
    with torch.no_grad():
        scheme.vectors.copy_(torch.from_numpy(w_K)[None])
        scheme.value_vectors.copy_(torch.from_numpy(w_V)[None])
    query, key, value = heads(Q, K, V)
    mask, bias = Mask.causal() if causal else None, scheme.score_bias(query, n)
    scores = papers_attention.shaw_scores(Q, K, w_K)
    alpha = tx.attention_matrix(tx.causal_scores(scores) if causal else scores)
    expected = papers_attention.shaw_outputs(alpha, V, w_V)
    gathered = scheme.gather(query, key, value, mask, bias=bias)[0, 0].detach()
    np.testing.assert_allclose(gathered, expected, atol=ATOL)


@pytest.mark.proves("huang2019")
@few_examples
@given(seeds, st.integers(2, 6), widths)
def test_relative_positions_that_reach_all_distances_are_the_music_transformer_s(
    seed: int, L: int, d: int
) -> None:
    Q, K, E_r, unseen = normal(seed, (L, d), (L, d), (L, d), (L - 1, d))
    weights = weights_with(relative(np.concatenate([E_r, unseen])), Q, K, Mask.causal())
    scores = tx.causal_scores(papers_attention.music_transformer_scores(Q, K, E_r))
    np.testing.assert_allclose(weights, tx.attention_matrix(scores), atol=ATOL)


@pytest.mark.proves("press2022")
@few_examples
@given(seeds, lengths, st.sampled_from([1, 2, 4, 8, 16]))
def test_alibi_is_press_s_for_a_power_of_two_heads(seed: int, L: int, n: int) -> None:
    Q, K = normal(seed, (L, 3), (L, 3))
    np.testing.assert_allclose(alibi_slopes(n), papers_attention.alibi_slopes(n), atol=ATOL)
    query, key = (torch.from_numpy(array).expand(1, n, L, 3) for array in (Q, K))
    bias = AlibiPositions(n).double().score_bias(query, L)
    weights = attention_weights(query, key, Mask.causal(), bias=bias)[0]
    for h, slope in enumerate(papers_attention.alibi_slopes(n)):
        scores = tx.scaled_scores(Q, K) + papers_attention.alibi_bias(L, slope)
        np.testing.assert_allclose(weights[h], tx.attention_matrix(scores), atol=ATOL)


def test_for_other_numbers_of_heads_the_slopes_are_not_the_paper_s_one_sequence() -> None:
    """Six heads: those of four, and then two of those of eight, as in the authors' code."""
    expected = [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]
    np.testing.assert_allclose(alibi_slopes(6), expected, atol=ATOL)
    assert np.abs(alibi_slopes(6).numpy() - papers_attention.alibi_slopes(6)).max() > 0.1


@few_examples
@given(seeds, lengths, st.sampled_from(["relative", "rotary", "alibi"]))
def test_the_attention_module_uses_the_scheme_it_is_given(seed: int, n: int, name: str) -> None:
    x, W_q, W_k, W_v, W_c, w_K = normal(seed, (n, 6), (1, 6, 4), (1, 6, 4), (1, 6, 4), (1, 4, 6), (5, 4))
    scheme = {"relative": relative(w_K), "rotary": RotaryPositions(n, 4), "alibi": AlibiPositions(1)}[name]
    module = MultiHeadAttention(6, 1, d_head=4, positions=scheme).double()
    load_note_matrices(module, W_q, W_k, W_v, W_c)
    Q, K = x @ W_q[0], x @ W_k[0]
    if name == "relative":
        scores = papers_attention.shaw_scores(Q, K, w_K)
    elif name == "rotary":
        turned = [np.array([papers_attention.rotary(a[i], i) for i in range(n)]) for a in (Q, K)]
        scores = tx.scaled_scores(*turned)
    else:
        scores = tx.scaled_scores(Q, K) + papers_attention.alibi_bias(n, 2.0**-8)
    expected = tx.attention_matrix(tx.causal_scores(scores)) @ (x @ W_v[0]) @ W_c[0]
    output = module(torch.from_numpy(x)[None], mask=Mask.causal())[0].detach()
    np.testing.assert_allclose(output, expected, atol=ATOL)


def relative(w_K: np.ndarray) -> RelativePositions:
    scheme = RelativePositions(1, w_K.shape[1], (len(w_K) - 1) // 2).double()
    with torch.no_grad():
        scheme.vectors.copy_(torch.from_numpy(w_K)[None])
    return scheme


def weights_with(scheme: Positions, Q: np.ndarray, K: np.ndarray, mask: Mask | None = None) -> np.ndarray:
    query, key = heads(Q, K)
    bias = scheme.score_bias(query, len(K))
    return attention_weights(query, key, mask, bias=bias)[0, 0].detach().numpy()
