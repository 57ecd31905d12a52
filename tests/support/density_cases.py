"""What the tests of all density models share: all sequences, samples against probabilities, causality."""

import itertools
import math

import torch


def all_sequences(vocab_size: int, length: int) -> torch.Tensor:
    """Every sequence, in lexicographic order."""
    return torch.tensor(list(itertools.product(range(vocab_size), repeat=length)))


def assert_samples_follow(model, length, *, n=4000, log_prob=None):
    """A chi-square test of ``n`` samples against ``exp(log_prob)`` over all sequences.

    The statistic may lie five standard deviations above its mean; sequences expected fewer than five times
    are counted together.
    """
    x = all_sequences(model.vocab_size, length)
    with torch.no_grad():
        expected = n * (log_prob or model.log_prob)(x).double().exp()
    samples = model.sample(n, length, generator=torch.Generator().manual_seed(0))
    place = (samples * model.vocab_size ** torch.arange(length - 1, -1, -1)).sum(1)
    observed = place.bincount(minlength=len(x)).double()
    frequent = expected >= 5
    observed = torch.cat([observed[frequent], observed[~frequent].sum()[None]])
    expected = torch.cat([expected[frequent], expected[~frequent].sum()[None]])
    if expected[-1] < 5:
        assert observed[-1] <= 25
        observed, expected = observed[:-1], expected[:-1]
    statistic = ((observed - expected) ** 2 / expected).sum().item()
    degrees = len(expected) - 1
    assert degrees >= 3
    assert statistic < degrees + 5 * math.sqrt(2 * degrees), (statistic, degrees)


def assert_causal(model, x):
    """Changing any one token leaves the conditionals before it as they were, and changes some after it."""
    before = model.conditional_log_probs(x)
    for t in range(x.shape[1]):
        changed = x.clone()
        changed[:, t] = (changed[:, t] + 1) % model.vocab_size
        after = model.conditional_log_probs(changed)
        torch.testing.assert_close(after[:, :t], before[:, :t], rtol=0, atol=1e-6)
        if t + 1 < x.shape[1]:
            assert not torch.allclose(after[:, t + 1 :], before[:, t + 1 :], atol=1e-6)


def randomize(model, seed=0, scale=1.0):
    """Fill every parameter with normal numbers, biases included."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(scale * torch.randn(parameter.shape, generator=generator))
    return model
