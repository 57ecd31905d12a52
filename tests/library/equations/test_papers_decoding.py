"""What the formulas of decoding must satisfy by themselves."""

import itertools

import numpy as np
from equation_cases import few_examples, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import papers_decoding


def distribution(seed: int, V: int = 5) -> np.ndarray:
    return papers_decoding.tempered(np.random.default_rng(seed).normal(size=V), 1.0)


@few_examples
@given(seeds, st.floats(0.2, 5.0))
def test_a_temperature_keeps_the_order_and_raises_ratios_to_a_power(seed: int, T: float) -> None:
    p = distribution(seed)
    q = papers_decoding.tempered(np.log(p), T)
    np.testing.assert_allclose(q[0] / q[1], (p[0] / p[1]) ** (1 / T))
    assert (np.argsort(p) == np.argsort(q)).all()


@few_examples
@given(seeds, st.integers(1, 5))
def test_top_k_keeps_k_tokens_and_the_ratios_among_them(seed: int, k: int) -> None:
    p = distribution(seed)
    q = papers_decoding.top_k(p, k)
    assert (q > 0).sum() == k and q[q > 0].min() > 0
    np.testing.assert_allclose(q.sum(), 1.0)
    assert p[q > 0].min() > max([*p[q == 0], 0.0])


@few_examples
@given(seeds, st.floats(0.05, 1.0))
def test_a_nucleus_reaches_its_threshold_and_would_not_without_its_last_token(
    seed: int, threshold: float
) -> None:
    p = distribution(seed)
    kept = papers_decoding.nucleus(p, threshold) > 0
    assert p[kept].sum() >= threshold - 1e-12
    assert p[kept].sum() - p[kept].min() < threshold


@few_examples
@given(seeds)
def test_a_beam_for_every_prefix_finds_the_most_probable_text(seed: int) -> None:
    def log_p(prefix: tuple[int, ...]) -> np.ndarray:
        return np.log(distribution(seed + sum(prefix) * 7 + len(prefix), 3))

    def total(Y: tuple[int, ...]) -> float:
        return sum(log_p(Y[:t])[y] for t, y in enumerate(Y))

    texts = [
        Y
        for n in (1, 2, 3)
        for Y in itertools.product(range(3), repeat=n)
        if 0 not in Y[:-1] and (Y[-1] == 0 or n == 3)
    ]
    found, score = papers_decoding.beam_search(log_p, 27, 0, 3)
    assert found == max(texts, key=total)
    np.testing.assert_allclose(score, total(found))
