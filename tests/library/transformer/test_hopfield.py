"""Retrieval is attention, lowers the energy, and finds a stored pattern behind noise."""

import math

import numpy as np
import pytest
import torch
from drawn import exactly as assert_close
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.equations import papers_attention
from transformer_lib.transformer.attention import attention, attention_weights
from transformer_lib.transformer.hopfield import hopfield_energy, hopfield_retrieve

betas = st.floats(0.05, 20.0)


def tensors(seed, *shapes):
    return [torch.from_numpy(array) for array in normal(seed, *shapes)]


def signs(n, d, seed):
    """Patterns of -1 and 1."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(2, (n, d), generator=generator).double() * 2 - 1


def flip(patterns, n_flipped, seed):
    """The patterns with some signs, others in each, turned round."""
    noise = torch.rand(patterns.shape, generator=torch.Generator().manual_seed(1000 + seed))
    return torch.where(noise.argsort(dim=1) < n_flipped, -patterns, patterns)


@pytest.mark.proves("ramsauer2021")
@few_examples
@given(seeds, st.integers(0, 3), lengths, widths, betas)
def test_update_and_energy_are_ramsauer_s(seed: int, S: int, N: int, d: int, beta: float) -> None:
    xi, X = normal(seed, (S, d), (N, d))
    state, patterns = torch.from_numpy(xi), torch.from_numpy(X)
    new, energy = hopfield_retrieve(state, patterns, beta), hopfield_energy(state, patterns, beta)
    assert new.shape == (S, d) and energy.shape == (S,)
    for s in range(S):
        np.testing.assert_allclose(new[s], papers_attention.hopfield_update(X.T, xi[s], beta), atol=1e-10)
        np.testing.assert_allclose(energy[s], papers_attention.hopfield_energy(X.T, xi[s], beta), atol=1e-10)


@few_examples
@given(seeds, st.integers(1, 3), lengths, lengths, widths, betas)
def test_one_update_is_attention_with_the_patterns_as_keys_and_values(seed, batch, states, n, d, beta):
    state, patterns = tensors(seed, (batch, states, d), (batch, n, d))
    updated = hopfield_retrieve(state, patterns, beta)
    assert_close(updated, attention(state, patterns, patterns, scale=beta))
    assert_close(updated, attention_weights(state, patterns, scale=beta) @ patterns)


@few_examples
@given(seeds, lengths, widths, betas)
def test_no_update_raises_the_energy_and_none_makes_it_negative(seed, n, d, beta):
    state, patterns = tensors(seed, (4, d), (n, d))
    energy = hopfield_energy(3 * state, patterns, beta)
    for steps in range(1, 6):
        lower = hopfield_energy(hopfield_retrieve(3 * state, patterns, beta, steps), patterns, beta)
        assert (lower <= energy + 1e-10).all() and (lower >= -1e-10).all()
        energy = lower


@few_examples
@given(seeds, lengths, widths, betas)
def test_the_energy_s_gradient_is_what_an_update_takes_away(seed, n, d, beta):
    state, patterns = tensors(seed, (3, d), (n, d))
    state.requires_grad_()
    (gradient,) = torch.autograd.grad(hopfield_energy(state, patterns, beta).sum(), state)
    assert_close(gradient, state - hopfield_retrieve(state, patterns, beta))


@pytest.mark.parametrize("seed", range(5))
def test_updates_settle_at_a_fixed_point_where_the_energy_is_flat(seed):
    state, patterns = tensors(seed, (6, 4), (5, 4))
    settled = hopfield_retrieve(state, patterns, 1.0, 1000).requires_grad_()
    assert_close(hopfield_retrieve(settled, patterns, 1.0), settled)
    (gradient,) = torch.autograd.grad(hopfield_energy(settled, patterns, 1.0).sum(), settled)
    assert gradient.abs().max() < 1e-10


def test_as_many_steps_as_asked_for_are_steps_one_after_the_other():
    state, patterns = tensors(0, (2, 3), (4, 3))
    assert hopfield_retrieve(state, patterns, 2.0, 0) is state
    one_by_one = state
    for _ in range(3):
        one_by_one = hopfield_retrieve(one_by_one, patterns, 2.0)
    assert_close(hopfield_retrieve(state, patterns, 2.0, 3), one_by_one)


def test_a_low_temperature_finds_the_nearest_pattern_and_a_high_one_the_mean_of_all():
    patterns = torch.eye(3, dtype=torch.float64)
    state = torch.tensor([[0.2, 0.5, 0.1]], dtype=torch.float64)
    assert_close(hopfield_retrieve(state, patterns, 200.0), patterns[1:2])
    torch.testing.assert_close(
        hopfield_retrieve(state, patterns, 1e-9), patterns.mean(0, keepdim=True), rtol=0, atol=1e-8
    )


@pytest.mark.parametrize("seed", range(5))
def test_separated_patterns_come_back_in_one_step_from_a_quarter_of_wrong_signs(seed):
    patterns = signs(50, 128, seed)
    retrieved = hopfield_retrieve(flip(patterns, 32, seed), patterns, beta=1.0)
    assert torch.equal(retrieved.sign(), patterns)
    assert (retrieved - patterns).abs().max() < 0.1


def correlation_retrieve(state, patterns):
    """The classical network's update of all signs at once, each unit without a connection to itself."""
    weights = patterns.T @ patterns
    return (state @ (weights - weights.diag().diag())).sign()


@pytest.mark.parametrize("seed", range(3))
def test_many_more_patterns_than_dimensions_are_all_fixed_where_the_classical_network_keeps_none(seed):
    """Ramsauer's capacity grows as an exponential of the dimension, Hopfield's as a seventh of it."""
    patterns = signs(1024, 32, seed).unique(dim=0)
    assert len(patterns) > 1000
    retrieved = hopfield_retrieve(patterns, patterns, beta=2.0)
    assert (retrieved.sign() == patterns).all(1).double().mean() > 0.99
    classical = correlation_retrieve(patterns, patterns)
    assert (classical == patterns).all(1).double().mean() < 0.01


def share_retrieved(n, d, seed):
    """How many of n patterns come back from one tenth of wrong signs."""
    patterns = signs(n, d, seed)
    retrieved = hopfield_retrieve(flip(patterns, d // 10, seed), patterns, beta=2.0)
    return (retrieved.sign() == patterns).all(1).double().mean().item()


@pytest.mark.parametrize("seed", range(3))
def test_capacity_multiplies_when_dimensions_are_added(seed):
    """Ten dimensions more carry eight times as many patterns, at least as well."""
    shares = [share_retrieved(n, d, seed) for n, d in ((32, 20), (256, 30), (2048, 40))]
    assert min(shares) > 0.98
    assert share_retrieved(2048, 20, seed) < 0.75


@pytest.mark.parametrize("beta", [0.0, -1.0, math.inf, math.nan])
@pytest.mark.parametrize("function", [hopfield_retrieve, hopfield_energy])
def test_what_cannot_be_retrieved_from_is_refused(function, beta):
    state, patterns = tensors(0, (2, 3), (4, 3))
    with pytest.raises(ValueError, match="beta must be a finite number above 0"):
        function(state, patterns, beta)
    with pytest.raises(ValueError, match="no pattern to retrieve"):
        function(state, patterns[:0], 1.0)
    with pytest.raises(ValueError, match="n_steps must be at least 0; got -1"):
        hopfield_retrieve(state, patterns, 1.0, -1)
