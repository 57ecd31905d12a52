"""The baselines are fitted as they say, and compute what their formulas say."""

import math

import pytest
import torch
from density_cases import randomize

from transformer_lib.density import baselines, ngram
from transformer_lib.density.baselines import BernoulliPixels, FeedforwardHistory, FullyVisibleSigmoid

FIXED = {"pixels": BernoulliPixels, "regressions": FullyVisibleSigmoid}
MODELS = {
    "pixels": lambda: BernoulliPixels(4),
    "regressions": lambda: FullyVisibleSigmoid(4),
    "history of 2": lambda: FeedforwardHistory(3, 2, 5),
    "history of 4": lambda: FeedforwardHistory(3, 4, 5),
    "start token 0": lambda: FeedforwardHistory(3, 2, 5, start_token=0),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
fixed_length = pytest.mark.parametrize("kind", FIXED.values(), ids=FIXED)


def random_tokens(model, *shape):
    return torch.randint(model.vocab_size, shape, generator=torch.Generator().manual_seed(0))


@every_model
def test_every_parameter_gets_a_finite_gradient(make):
    model = make()
    model.log_prob(random_tokens(model, 20, 4)).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


@fixed_length
def test_a_sequence_longer_than_the_model_is_refused(kind):
    with pytest.raises(ValueError, match="at most 4 tokens; got 5"):
        kind(4).log_prob(torch.zeros(1, 5, dtype=torch.long))
    with pytest.raises(ValueError, match="from 0 to 4 here; got 5"):
        kind(4).sample(1, 5)
    with pytest.raises(ValueError, match="n_positions must be at least 1; got 0"):
        kind(0)


def test_pixels_are_fitted_by_their_smoothed_frequency():
    x = torch.tensor([[1, 0, 0], [1, 0, 1], [1, 0, 1]])
    model = BernoulliPixels(3).fit(x, smoothing=0.5)
    torch.testing.assert_close(model.b.sigmoid(), torch.tensor([3.5 / 4, 0.5 / 4, 2.5 / 4]))
    ones = model.conditional_log_probs(torch.ones(1, 3, dtype=torch.long))
    torch.testing.assert_close(ones[0].exp(), torch.tensor([3.5 / 4, 0.5 / 4, 2.5 / 4]))


def test_without_smoothing_to_speak_of_the_fit_is_the_maximum_of_the_likelihood():
    frequencies = torch.tensor([0.2, 0.5, 0.9]).expand(50, 3)
    x = torch.bernoulli(frequencies, generator=torch.Generator().manual_seed(0)).long()
    model = BernoulliPixels(3).fit(x, smoothing=1e-9)
    model.log_prob(x).mean().backward()
    torch.testing.assert_close(model.b.grad, torch.zeros(3), atol=1e-6, rtol=0)


def test_no_images_at_all_leave_pixels_even():
    model = BernoulliPixels(2).fit(torch.zeros(0, 2, dtype=torch.long))
    assert model.log_prob(torch.tensor([[0, 1]])).item() == pytest.approx(2 * math.log(0.5))


@pytest.mark.parametrize(
    ("x", "smoothing", "message"),
    [
        (torch.zeros(5, 2, dtype=torch.long), 1.0, "images of 3 pixels; got 2"),
        (torch.zeros(5, 3, dtype=torch.long), 0.0, "smoothing must be a finite number above 0, got 0.0"),
        (torch.full((5, 3), 2), 1.0, "token 2 at batch 0, time 0"),
    ],
)
def test_a_fit_that_cannot_be_is_refused(x, smoothing, message):
    with pytest.raises(ValueError, match=message):
        BernoulliPixels(3).fit(x, smoothing)


def test_a_regression_reads_the_earlier_pixels_alone_weighted():
    model = FullyVisibleSigmoid(3)
    with torch.no_grad():
        model.b.copy_(torch.tensor([0.1, 0.2, 0.3]))
        model.w.copy_(torch.tensor([[9.0, 9.0, 9.0], [1.0, 9.0, 9.0], [2.0, -4.0, 9.0]]))
    log_probs = model.conditional_log_probs(torch.tensor([[1, 1, 0]]))
    log_odds = torch.tensor([0.1, 0.2 + 1.0, -(0.3 + 2.0 - 4.0)])
    torch.testing.assert_close(log_probs[0], torch.nn.functional.logsigmoid(log_odds))


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
@pytest.mark.parametrize("start_token", [None, 1])
def test_the_network_on_a_history_is_its_formula(start_token, activation):
    model = FeedforwardHistory(3, 2, 4, start_token=start_token, activation=activation)
    model = randomize(model).double()
    start = 3 if start_token is None else start_token
    x = random_tokens(model, 1, 5)
    padded = [start, start, *x[0].tolist()]
    for t in range(5):
        hidden = model.c.clone()
        for i in (1, 2):
            hidden = hidden + model.V[:, padded[t + 2 - i], 2 - i]
        expected = (model.b + model.W @ getattr(torch, activation)(hidden)).log_softmax(0)[x[0, t]]
        torch.testing.assert_close(model.conditional_log_probs(x)[0, t], expected)


def test_the_network_forgets_what_is_older_than_its_history():
    model = randomize(FeedforwardHistory(3, 2, 5)).double()
    x = random_tokens(model, 1, 6)
    changed = x.clone()
    changed[0, 0] = (x[0, 0] + 1) % 3
    differs = model.conditional_log_probs(x) != model.conditional_log_probs(changed)
    assert differs[0].tolist() == [True, True, True, False, False, False]


def test_the_network_keeps_no_more_than_its_history():
    model = FeedforwardHistory(3, 2, 5)
    _, state = model.read(random_tokens(model, 2, 6), model.init_state(2))
    assert torch.equal(state, random_tokens(model, 2, 6)[:, -2:])


def test_the_network_s_own_start_token_is_never_drawn():
    model = randomize(FeedforwardHistory(2, 2, 5))
    assert model.sample(200, 3, generator=torch.Generator().manual_seed(0)).max() == 1
    assert model.logits(torch.zeros(2, 0, dtype=torch.long)).shape == (2, 0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"vocab_size": 0, "history": 1, "d_hidden": 1}, "vocab_size must be at least 1; got 0"),
        ({"vocab_size": 1, "history": 0, "d_hidden": 1}, "history must be at least 1; got 0"),
        (
            {"vocab_size": 3, "history": 1, "d_hidden": 1, "start_token": 4},
            "start_token must be a token, a whole number from 0 to 3, got 4",
        ),
    ],
)
def test_sizes_that_are_none_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        FeedforwardHistory(**arguments)


def test_kneser_ney_is_among_the_baselines():
    assert baselines.KneserNey is ngram.KneserNey
