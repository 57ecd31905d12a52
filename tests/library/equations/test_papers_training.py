"""What the papers' training and decoding formulas must satisfy by themselves."""

import numpy as np
import pytest
import torch
from equation_cases import few_examples, normal, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.decoding.quantized_cache import absmax_codes
from transformer_lib.equations import papers_training

ATOL = 1e-10
rates = st.floats(0.05, 0.9)


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


def test_a_block_of_the_usual_widths_has_twelve_squares_of_the_width() -> None:
    assert papers_training.non_embedding_parameters(64, 64, 256, 3) == 3 * 12 * 64**2


def test_the_work_per_token_grows_in_a_line_with_the_length() -> None:
    work = [papers_training.forward_flops_per_token(1000, 2, n, 8) for n in (0, 10, 20)]
    assert work == [2000, 2320, 2640]


def test_each_stage_shards_more_and_the_last_everything() -> None:
    found = [papers_training.zero_bytes(100, 4, 12, stage) for stage in range(4)]
    assert found == [1600.0, 700.0, 550.0, 400.0]
    assert len({papers_training.zero_bytes(100, 1, 12, stage) for stage in range(4)}) == 1


@few_examples
@given(seeds, st.integers(1, 8), st.integers(2, 8))
def test_what_is_read_back_is_off_by_half_a_step_at_most(seed: int, d: int, bits: int) -> None:
    (x,) = normal(seed, (d,))
    codes, step = papers_training.absmax_codes(x, bits)
    most = 2 ** (bits - 1) - 1
    assert np.abs(codes).max() == most
    assert np.abs(step * codes - x).max() <= step / 2 + 1e-12


def test_a_vector_of_zeros_has_codes_of_zero() -> None:
    codes, step = papers_training.absmax_codes(np.zeros(3), 8)
    assert step == 0 and not codes.any()


@pytest.mark.proves("dettmers2022")
@few_examples
@given(seeds, st.integers(1, 8), st.integers(2, 8))
def test_the_library_s_codes_are_the_paper_s(seed: int, d: int, bits: int) -> None:
    (x,) = normal(seed, (d,))
    codes, step = papers_training.absmax_codes(x, bits)
    made, step_made = absmax_codes(torch.from_numpy(x), bits)
    np.testing.assert_allclose(step_made.numpy(), [step], atol=ATOL)
    np.testing.assert_array_equal(made.numpy(), codes)
