"""What the slides' dropout must satisfy by itself."""

from itertools import product

import numpy as np
import pytest
from equation_cases import BlockCase, block_cases, few_examples, lengths, normal, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, slides_dropout

ATOL = 1e-10
rates = st.floats(0.05, 0.9)


@few_examples
@given(seeds, lengths, rates)
def test_dropout_keeps_the_mean_over_all_masks(seed: int, n: int, rate: float) -> None:
    (a,) = normal(seed, (n,))
    mean = np.zeros(n)
    for kept in product([0.0, 1.0], repeat=n):
        mask = np.array(kept)
        probability = np.prod(np.where(mask == 1.0, 1.0 - rate, rate))
        mean += probability * slides_dropout.dropout(a, mask, rate)
    np.testing.assert_allclose(mean, a, atol=ATOL)


@few_examples
@given(block_cases())
def test_a_block_that_drops_nothing_is_the_note_s(case: BlockCase) -> None:
    H, p, m = len(case.theta.W_q), len(case.x), case.theta.W_1.shape[1]
    d = case.x.shape[1]
    everything = slides_dropout.BlockMasks(
        np.ones((H, p, p)), np.ones((p, d)), np.ones((p, m)), np.ones((p, d))
    )
    kept = slides_dropout.transformer_block(case.x, case.theta, everything, 0.0)
    np.testing.assert_allclose(kept, note.transformer_block(case.x, case.theta), rtol=1e-9, atol=ATOL)


def test_dropped_weights_no_longer_sum_to_one() -> None:
    Q, K = normal(0, (1, 2, 3), (1, 2, 3))
    mask = np.array([[[1.0, 0.0], [1.0, 1.0]]])
    sums = slides_dropout.dropped_attention_weights(Q, K, mask, 0.5).sum(axis=-1)[0]
    assert sums[0] != pytest.approx(1.0)
    assert sums[1] == pytest.approx(2.0)
