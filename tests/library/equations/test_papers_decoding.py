"""What the formulas of decoding must satisfy by themselves."""

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
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


Draw = Callable[[np.ndarray], int]


class Script:
    """A draw that follows a script of choices, and takes the first option where the script has ended."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self.choices, self.chance, self.n, self.others = choices, 1.0, 0, []

    def draw(self, p: np.ndarray) -> int:
        if self.n == len(self.choices):
            first, *rest = np.flatnonzero(p > 0).tolist()
            self.others += [(*self.choices, other) for other in rest]
            self.choices = (*self.choices, first)
        choice = self.choices[self.n]
        self.n, self.chance = self.n + 1, self.chance * float(p[choice])
        return choice


def every_outcome(run: Callable[[Draw], tuple[int, ...]]) -> Counter:
    """The exact distribution of ``run(draw)``: it is run once for each way in which its draws can go."""
    found: Counter = Counter()
    todo: list[tuple[int, ...]] = [()]
    while todo:
        script = Script(todo.pop())
        found[run(script.draw)] += script.chance
        todo += script.others
    return found


def after(seed: int, Y: tuple[int, ...]) -> np.ndarray:
    """A distribution over three tokens that depends on the whole text before."""
    return distribution(seed + 31 * len(Y) + sum(3**t * y for t, y in enumerate(Y)), 3)


def speculate(p_seed: int, q_seed: int, K: int, n: int, draw: Draw) -> tuple[int, ...]:
    """The first ``n`` tokens of a text that is written in speculative steps."""
    Y: tuple[int, ...] = ()
    while len(Y) < n:
        Y = papers_decoding.speculative_step(
            lambda Y: np.array([after(p_seed, Y[:t]) for t in range(len(Y) + 1)]),
            lambda Y: after(q_seed, Y),
            Y,
            K,
            draw,
        )
    return Y[:n]


@pytest.mark.proves("leviathan2023")
@few_examples
@given(seeds, seeds, st.integers(1, 2))
def test_speculative_steps_write_texts_with_exactly_the_target_s_probabilities(
    p_seed: int, q_seed: int, K: int
) -> None:
    found = every_outcome(lambda draw: speculate(p_seed, q_seed, K, 2, draw))
    for Y in itertools.product(range(3), repeat=2):
        expected = after(p_seed, ())[Y[0]] * after(p_seed, Y[:1])[Y[1]]
        assert abs(found[Y] - expected) < 1e-12, (
            f"a step gives {Y} the probability {found[Y]}, the target {expected}: look at what is drawn "
            "where a guess is refused"
        )


@few_examples
@given(seeds, seeds)
def test_a_guess_is_kept_with_the_probability_that_the_two_models_share(p_seed: int, q_seed: int) -> None:
    p, q = distribution(p_seed), distribution(q_seed)
    rows = np.array([p, p])
    found = every_outcome(
        lambda draw: papers_decoding.speculative_step(lambda Y: rows, lambda Y: q, (), 1, draw)
    )
    kept = sum(chance for Y, chance in found.items() if len(Y) == 2)
    assert abs(kept - np.minimum(p, q).sum()) < 1e-12, "a guess is kept with the sum of min(p, q)"


@pytest.mark.parametrize("K", [1, 4])
def test_a_draft_that_is_the_target_is_never_refused_and_one_that_is_impossible_always(K: int) -> None:
    p, impossible = np.array([0.5, 0.5, 0.0]), np.array([0.0, 0.0, 1.0])
    rows = np.tile(p, (K + 1, 1))
    for draft, length in ((p, K + 1), (impossible, 1)):
        found = every_outcome(
            lambda draw, q=draft: papers_decoding.speculative_step(lambda Y: rows, lambda Y: q, (), K, draw)
        )
        assert {len(Y) for Y in found} == {length}, f"{length} new tokens are sure with the draft {draft}"
        assert abs(sum(found.values()) - 1) < 1e-12, "the probabilities of all outcomes sum to 1"
