"""What a memory by attention gives back: the theory's numbers and the counts."""

import math

import numpy as np
import pytest

from transformer_lib.experiments.chapter_19.hopfield_capacity import (
    classical_half,
    failing_sizes,
    nearest_half,
    threshold,
)


def entropy(share: float) -> float:
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


@pytest.mark.parametrize("flipped", [0.05, 0.1, 0.25, 0.4])
def test_a_cold_memory_reaches_the_capacity_of_the_channel_and_a_warm_one_does_not(flipped: float) -> None:
    capacity = 1 - entropy(flipped)
    edge = math.atanh(1 - 2 * flipped)
    for beta in (edge, 2 * edge, 50.0):
        assert threshold(beta, flipped) == pytest.approx(capacity)
    warm = [threshold(beta, flipped) for beta in (0.25 * edge, 0.5 * edge, 0.9 * edge)]
    assert 0 < warm[0] < warm[1] < warm[2] < capacity


def test_the_size_at_which_half_are_nearest_grows_by_the_capacity_with_each_dimension() -> None:
    bits = [math.log2(nearest_half(d)) for d in (400, 800)]
    assert (bits[1] - bits[0]) / 400 == pytest.approx(threshold(math.inf), rel=0.02)


def test_a_pattern_fails_when_the_others_have_half_of_the_weight() -> None:
    """Counted again with a softmax over the whole memory."""
    rng = np.random.default_rng(0)
    (sizes,) = failing_sizes(16, 64, (0.5,), rng).values()
    rng = np.random.default_rng(0)
    others = rng.choice(np.float32([-1, 1]), size=(63, 16))
    own = rng.choice(np.float32([-1, 1]), size=(25, 16))
    flip = rng.random((25, 16)).argsort(axis=1) < 4
    for size, pattern, turned in zip(sizes, own, flip):
        state = np.where(turned, -pattern, pattern)
        fails = []
        for n in range(2, 65):
            memory = np.vstack([pattern, others[: n - 1]]).astype(float)
            weights = np.exp(0.5 * memory @ state)
            fails.append(weights[0] / weights.sum() <= 0.5 + 1e-12)
        assert size == (fails.index(True) + 2 if any(fails) else 65)


def test_more_comes_back_from_wider_and_from_colder_memories() -> None:
    found = {d: failing_sizes(d, 2048, (0.2, 2.0), np.random.default_rng(1)) for d in (16, 32)}
    for sizes in found.values():
        assert np.median(sizes[0.2]) < np.median(sizes[2.0])
    assert np.median(found[16][2.0]) < np.median(found[32][2.0])
    ratio = np.median(found[32][2.0]) / nearest_half(32)
    assert 0.7 < ratio < 1.4


def test_the_classical_network_holds_a_fraction_of_its_width() -> None:
    assert 1 <= classical_half(32, np.random.default_rng(0)) < 0.25 * 32
