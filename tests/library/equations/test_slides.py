"""What the slides' factorization and NADE (S1-S6) must satisfy by themselves."""

import itertools

import numpy as np
import pytest
from equation_cases import block_cases, few_examples, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import note, slides

ATOL = 1e-10


def table_conditional(seed: int, d: int) -> slides.Conditional:
    """An arbitrary distribution over d tokens for each history, whatever its length."""

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        rng = np.random.default_rng([seed, len(history), *history])
        return float(rng.dirichlet(np.ones(d))[x_t])

    return conditional


def all_sequences(d: int, T: int) -> list[tuple[int, ...]]:
    return list(itertools.product(range(d), repeat=T))


def random_nade(seed: int, p: int, k: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(p, k, d)),
        rng.normal(size=(p, k)),
        rng.normal(size=(p, d, k)),
        rng.normal(size=(p, d)),
    )


def test_the_chain_rule_by_hand() -> None:
    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        return {(): 0.5, (1,): 0.25, (1, 0): 0.1}[history]

    assert slides.chain_rule_log_prob(conditional, (1, 0, 1)) == pytest.approx(np.log(0.5 * 0.25 * 0.1))


@few_examples
@given(seeds, st.integers(1, 3), st.integers(0, 4))
def test_the_chain_rule_gives_probabilities_that_sum_to_one(seed: int, d: int, T: int) -> None:
    conditional = table_conditional(seed, d)
    total = sum(np.exp(slides.chain_rule_log_prob(conditional, x)) for x in all_sequences(d, T))
    assert total == pytest.approx(1.0, abs=ATOL)


def test_the_chain_rule_recovers_any_joint_distribution() -> None:
    joint = np.random.default_rng(3).dirichlet(np.ones(8)).reshape(2, 2, 2)

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        return float(joint[(*history, x_t)].sum() / joint[history].sum())

    for x in all_sequences(2, 3):
        assert slides.chain_rule_log_prob(conditional, x) == pytest.approx(np.log(joint[x]), abs=ATOL)


def test_an_impossible_sequence_has_log_probability_minus_infinity() -> None:
    assert slides.chain_rule_log_prob(lambda x_t, history: 0.0, (1,)) == -np.inf


@few_examples
@given(seeds, st.integers(0, 4), st.integers(1, 5))
def test_a_history_as_long_as_the_sequence_is_the_chain_rule(seed: int, T: int, p: int) -> None:
    conditional = table_conditional(seed, 3)
    x = tuple(np.random.default_rng(seed).integers(3, size=T).tolist())
    finite = slides.finite_history_log_prob(conditional, x, max(p, T - 1))
    assert finite == pytest.approx(slides.chain_rule_log_prob(conditional, x), abs=ATOL)


@pytest.mark.parametrize("p", [0, 1, 2])
def test_a_finite_history_gives_probabilities_that_sum_to_one_whether_padded_or_not(p: int) -> None:
    conditional, sequences = table_conditional(5, 3), all_sequences(3, 4)
    marginals = [slides.finite_history_log_prob(conditional, x, p) for x in sequences]
    padded = [slides.padded_history_log_prob(conditional, x, p, start=0) for x in sequences]
    assert np.exp(marginals).sum() == pytest.approx(1.0, abs=ATOL)
    assert np.exp(padded).sum() == pytest.approx(1.0, abs=ATOL)


def test_a_finite_history_holds_the_last_p_tokens_and_all_of_the_first_ones() -> None:
    histories = []

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        histories.append(history)
        return 1.0

    slides.finite_history_log_prob(conditional, (5, 6, 7, 8), 2)
    assert histories == [(), (5,), (5, 6), (6, 7)]
    histories.clear()
    slides.padded_history_log_prob(conditional, (5, 6, 7, 8), 2, start=0)
    assert histories == [(0, 0), (0, 5), (5, 6), (6, 7)]


@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_nade_gives_probabilities_that_sum_to_one(seed: int, p: int, k: int, d: int) -> None:
    parameters = random_nade(seed, p, k, d)
    total = sum(np.exp(slides.nade_log_prob(np.array(x), *parameters)) for x in all_sequences(d, p))
    assert total == pytest.approx(1.0, abs=ATOL)


@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 3), st.integers(2, 3))
def test_nade_s_scores_at_t_read_only_the_tokens_before_t(seed: int, p: int, k: int, d: int) -> None:
    V, c, W, b = random_nade(seed, p, k, d)
    tokens = np.random.default_rng(seed).integers(d, size=p)
    f = slides.nade_logits(slides.nade_hidden(slides.one_hot(tokens, d), V, c), W, b)
    for t in range(p):
        changed = tokens.copy()
        changed[t] = (changed[t] + 1) % d
        g = slides.nade_logits(slides.nade_hidden(slides.one_hot(changed, d), V, c), W, b)
        np.testing.assert_array_equal(g[: t + 1], f[: t + 1])
        if t + 1 < p:
            assert np.abs(g[t + 1] - f[t + 1]).max() > 0


def test_nade_s_sums_by_brute_force_over_every_pair_of_steps() -> None:
    p, k, d = 4, 3, 2
    V, c, W, b = random_nade(11, p, k, d)
    tokens = np.array([1, 0, 0, 1])
    f = slides.nade_logits(slides.nade_hidden(slides.one_hot(tokens, d), V, c), W, b)
    for t in range(p):
        for value in range(d):
            score = b[t, value]
            for s in range(p):
                if s <= t:
                    for unit in range(k):
                        read = sum(V[r, unit, tokens[r]] for r in range(p) if r < s)
                        score += W[s, value, unit] / (1 + np.exp(-c[s, unit] - read))
            assert f[t, value] == pytest.approx(score, abs=ATOL)


def test_categorical_turns_scores_into_probabilities() -> None:
    np.testing.assert_allclose(slides.categorical(np.log([1.0, 3.0])), [0.25, 0.75], atol=ATOL)


def test_the_prefix_mask_keeps_what_comes_before() -> None:
    np.testing.assert_array_equal(slides.prefix_mask(0, 3), [0, 0, 0])
    np.testing.assert_array_equal(slides.prefix_mask(2, 3), [1, 1, 0])


@few_examples
@given(block_cases(), st.data())
def test_a_masked_prefix_cannot_see_the_masked_positions(case, data) -> None:
    t = data.draw(st.integers(0, len(case.x) - 1))

    def f(x: np.ndarray) -> np.ndarray:
        return note.combined_heads(
            *_weights_and_values(x, case.theta),
            case.theta.W_c,
        )

    changed = case.x.copy()
    changed[t:] += 1.0
    np.testing.assert_array_equal(slides.masked_prefix(f, changed, t), slides.masked_prefix(f, case.x, t))
    assert slides.masked_prefix(f, case.x, t).shape == case.x.shape


def test_the_zeros_of_a_masked_prefix_still_draw_attention() -> None:
    rng = np.random.default_rng(2)
    x, W = rng.normal(size=(3, 2)), rng.normal(size=(1, 2, 2))
    masked = slides.prefix_mask(1, 3)[:, None] * x
    Q, K, _ = note.queries_keys_values(masked, W, W, W)
    to_zeros = note.attention_weights(Q, K)[0, 0, 1:]
    assert (to_zeros > 0).all()


def _weights_and_values(x: np.ndarray, theta: note.BlockParameters) -> tuple[np.ndarray, np.ndarray]:
    Q, K, V = note.queries_keys_values(x, theta.W_q, theta.W_k, theta.W_v)
    return note.attention_weights(Q, K), V
