"""What today's normalization, gate and shared heads must satisfy by themselves."""

import numpy as np
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, papers_block

ATOL = 1e-10


@few_examples
@given(seeds, widths, st.floats(1e-3, 1e3))
def test_rms_norm_forgets_the_size_of_its_input_and_not_its_mean(seed: int, d: int, size: float) -> None:
    a, g = normal(seed, (d,), (d,))
    np.testing.assert_allclose(papers_block.rms_norm(size * a, g), papers_block.rms_norm(a, g), atol=ATOL)
    np.testing.assert_allclose(np.mean(papers_block.rms_norm(a, np.ones(d)) ** 2), 1.0, atol=ATOL)
    assert not np.allclose(papers_block.rms_norm(a + 1.0, g), papers_block.rms_norm(a, g), atol=1e-6)


@few_examples
@given(seeds, st.integers(3, 6))
def test_on_features_of_mean_zero_rms_norm_is_layer_norm_without_a_bias(seed: int, d: int) -> None:
    a, g = normal(seed, (d,), (d,))
    centered = a - a.mean()
    expected = note.layer_norm(centered, g, np.zeros(d))
    np.testing.assert_allclose(papers_block.rms_norm(centered, g), expected, atol=ATOL)
    np.testing.assert_allclose(note.layer_norm(a, g, np.zeros(d)), expected, atol=1e-8)


@few_examples
@given(seeds, widths, lengths)
def test_a_gate_of_large_swish_is_relu_s(seed: int, d: int, m: int) -> None:
    """The larger beta, the nearer swish is to ReLU; and a gate may be negative, which ReLU's cannot."""
    x, W = normal(seed, (d,), (d, m))
    np.testing.assert_allclose(papers_block.swish(x @ W, 30.0), np.maximum(0, x @ W), atol=0.01)
    assert papers_block.swish(np.array([-1.0]))[0] < 0


@few_examples
@given(seeds, lengths, widths, st.integers(1, 3))
def test_one_group_is_multi_query_attention_of_the_last_position(seed: int, n: int, d: int, H: int) -> None:
    k, v = 3, 2
    x, W_q, W_k, W_v, W_c = normal(seed, (n, d), (H, d, k), (1, d, k), (1, d, v), (H, v, d))
    grouped = papers_block.grouped_query_attention(x, W_q, W_k, W_v, W_c)
    P_o = np.swapaxes(W_c, 1, 2)
    multi_query = papers_block.multi_query_attention(x, x, W_q / np.sqrt(k), W_k[0], W_v[0], P_o)
    np.testing.assert_allclose(grouped[-1], multi_query[-1], atol=ATOL)


@few_examples
@given(seeds, lengths, widths, st.integers(1, 3))
def test_with_a_group_for_each_head_the_last_position_gathers_what_the_note_s_heads_gather(
    seed: int, n: int, d: int, H: int
) -> None:
    x, W_q, W_k, W_v, W_c = normal(seed, (n, d), *[(H, d, 3)] * 3, (H, 3, d))
    Q, K, V = note.queries_keys_values(x, W_q, W_k, W_v)
    expected = note.combined_heads(note.attention_weights(Q, K), V, W_c)
    grouped = papers_block.grouped_query_attention(x, W_q, W_k, W_v, W_c)
    np.testing.assert_allclose(grouped[-1], expected[-1], atol=ATOL)
