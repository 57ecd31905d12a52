"""What today's normalization, gate, shared heads and tiles must satisfy by themselves."""

import numpy as np
import pytest
import torch
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, papers_block
from transformer_lib.transformer.attention import attention
from transformer_lib.transformer.masks import Mask

ATOL = 1e-10
tiles = st.integers(1, 5)


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


@pytest.mark.proves("dao2022")
@few_examples
@given(seeds, st.integers(1, 9), widths, tiles, tiles)
def test_tiles_of_any_size_give_the_output_of_whole_matrices(
    seed: int, N: int, d: int, B_r: int, B_c: int
) -> None:
    Q, K, V = normal(seed, (N, d), (N, d), (N, d + 1))
    tiled = papers_block.flash_attention(Q, K, V, B_r, B_c)
    np.testing.assert_allclose(tiled, papers_block.standard_attention(Q, K, V), atol=ATOL)


@pytest.mark.parametrize("offset", [-900.0, 900.0])
def test_tiles_survive_scores_beyond_the_largest_exponential(offset: float) -> None:
    Q, K, V = np.full((5, 1), offset), np.ones((5, 1)), normal(0, (5, 2))[0]
    tiled = papers_block.flash_attention(Q, K, V, 2, 2)
    np.testing.assert_allclose(tiled, np.cumsum(V, axis=0) / np.arange(1, 6)[:, None], atol=ATOL)


@pytest.mark.proves("dao2022")
@few_examples
@given(seeds, st.integers(1, 9), widths, tiles, tiles)
def test_the_library_s_causal_attention_is_what_the_tiles_compute(
    seed: int, N: int, d: int, B_r: int, B_c: int
) -> None:
    Q, K, V = normal(seed, (N, d), (N, d), (N, d))
    fused = attention(*(torch.from_numpy(x)[None, None] for x in (Q, K, V)), Mask.causal(), scale=1.0)
    tiled = papers_block.flash_attention(Q, K, V, B_r, B_c)
    np.testing.assert_allclose(fused[0, 0].numpy(), tiled, atol=ATOL)


class Counted:
    """An array that counts the numbers that are taken out of it."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape, self.moved = array, array.shape, 0

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        taken = self.array[rows]
        self.moved += taken.size
        return taken


@pytest.mark.proves("dao2022")
@few_examples
@given(seeds, st.integers(1, 9), widths, tiles, tiles)
def test_the_counted_traffic_is_what_the_tiles_take(seed: int, N: int, d: int, B_r: int, B_c: int) -> None:
    Q, K, V = (Counted(x) for x in normal(seed, (N, d), (N, d), (N, d)))
    plain = getattr(papers_block.flash_attention, "__wrapped__", papers_block.flash_attention)
    plain(Q, K, V, B_r, B_c)
    # The queries of a tile stay in the small memory; the loop above takes them again for each tile of keys.
    keys_and_values, queries_and_outputs = K.moved + V.moved, 2 * N * d
    assert papers_block.moved_by_tiles(N, d, B_r, B_c) == queries_and_outputs + keys_and_values


@pytest.mark.proves("dao2022")
def test_one_tile_moves_each_number_once_and_whole_matrices_grow_with_the_square() -> None:
    assert papers_block.moved_by_tiles(8, 4, 8, 8) == 4 * 8 * 4
    assert papers_block.moved_without_tiles(8, 4) == 4 * 8 * 8 + 4 * 8 * 4
    long, twice = (papers_block.moved_without_tiles(n, 64) for n in (10**5, 2 * 10**5))
    assert twice / long == pytest.approx(4, rel=0.01)
