"""Attention over long texts: tiles change nothing but the traffic, and codes are off by half a step."""

import numpy as np
import pytest
import torch
from equation_cases import few_examples, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import papers_context
from transformer_lib.transformer.attention import attention
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.quantized_cache import absmax_codes

ATOL = 1e-10
lengths, tiles = st.integers(1, 9), st.integers(1, 5)


@pytest.mark.proves("dao2022")
@few_examples
@given(seeds, lengths, widths, tiles, tiles)
def test_tiles_of_any_size_give_the_output_of_whole_matrices(
    seed: int, N: int, d: int, B_r: int, B_c: int
) -> None:
    Q, K, V = normal(seed, (N, d), (N, d), (N, d + 1))
    tiled = papers_context.flash_attention(Q, K, V, B_r, B_c)
    np.testing.assert_allclose(tiled, papers_context.standard_attention(Q, K, V), atol=ATOL)


@pytest.mark.parametrize("offset", [-900.0, 900.0])
def test_tiles_survive_scores_beyond_the_largest_exponential(offset: float) -> None:
    Q, K, V = np.full((5, 1), offset), np.ones((5, 1)), normal(0, (5, 2))[0]
    tiled = papers_context.flash_attention(Q, K, V, 2, 2)
    np.testing.assert_allclose(tiled, np.cumsum(V, axis=0) / np.arange(1, 6)[:, None], atol=ATOL)


@pytest.mark.proves("dao2022")
@few_examples
@given(seeds, lengths, widths, tiles, tiles)
def test_the_library_s_causal_attention_is_what_the_tiles_compute(
    seed: int, N: int, d: int, B_r: int, B_c: int
) -> None:
    Q, K, V = normal(seed, (N, d), (N, d), (N, d))
    fused = attention(*(torch.from_numpy(x)[None, None] for x in (Q, K, V)), Mask.causal(), scale=1.0)
    tiled = papers_context.flash_attention(Q, K, V, B_r, B_c)
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
@given(seeds, lengths, widths, tiles, tiles)
def test_the_counted_traffic_is_what_the_tiles_take(seed: int, N: int, d: int, B_r: int, B_c: int) -> None:
    Q, K, V = (Counted(x) for x in normal(seed, (N, d), (N, d), (N, d)))
    plain = getattr(papers_context.flash_attention, "__wrapped__", papers_context.flash_attention)
    plain(Q, K, V, B_r, B_c)
    # The queries of a tile stay in the small memory; the loop above takes them again for each tile of keys.
    keys_and_values, queries_and_outputs = K.moved + V.moved, 2 * N * d
    assert papers_context.moved_by_tiles(N, d, B_r, B_c) == queries_and_outputs + keys_and_values


@pytest.mark.proves("dao2022")
def test_one_tile_moves_each_number_once_and_whole_matrices_grow_with_the_square() -> None:
    assert papers_context.moved_by_tiles(8, 4, 8, 8) == 4 * 8 * 4
    assert papers_context.moved_without_tiles(8, 4) == 4 * 8 * 8 + 4 * 8 * 4
    long, twice = (papers_context.moved_without_tiles(n, 64) for n in (10**5, 2 * 10**5))
    assert twice / long == pytest.approx(4, rel=0.01)


@few_examples
@given(seeds, st.integers(1, 8), st.integers(2, 8))
def test_what_is_read_back_is_off_by_half_a_step_at_most(seed: int, d: int, bits: int) -> None:
    (x,) = normal(seed, (d,))
    codes, step = papers_context.absmax_codes(x, bits)
    most = 2 ** (bits - 1) - 1
    assert np.abs(codes).max() == most
    assert np.abs(step * codes - x).max() <= step / 2 + 1e-12


def test_a_vector_of_zeros_has_codes_of_zero() -> None:
    codes, step = papers_context.absmax_codes(np.zeros(3), 8)
    assert step == 0 and not codes.any()


@pytest.mark.proves("dettmers2022")
@few_examples
@given(seeds, st.integers(1, 8), st.integers(2, 8))
def test_the_library_s_codes_are_the_paper_s(seed: int, d: int, bits: int) -> None:
    (x,) = normal(seed, (d,))
    codes, step = papers_context.absmax_codes(x, bits)
    made, step_made = absmax_codes(torch.from_numpy(x), bits)
    np.testing.assert_allclose(step_made.numpy(), [step], atol=ATOL)
    np.testing.assert_array_equal(made.numpy(), codes)
