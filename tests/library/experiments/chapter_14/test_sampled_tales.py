"""Sampled stories are scored by the distribution that drew them, and by the grammar."""

import math

import pytest
import torch

from transformer_lib.data import TALES
from transformer_lib.data.tokenizers import END
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.chapter_14 import sampled_tales


@pytest.fixture(scope="module")
def model():
    return sampled_tales.train(0, steps=2)


def test_a_test_story_costs_what_the_grammar_says_and_is_possible_to_its_end():
    story = whole_transformer.tales().test[0]
    possible, nats = sampled_tales.of_source([*story.split(), END])
    assert possible == len(story.split()) + 1
    assert nats == pytest.approx(-sum(TALES.token_log_probs(story)))


def test_what_comes_after_an_impossible_word_is_not_scored():
    first = whole_transformer.tales().test[0].split()[:5]
    possible, nats = sampled_tales.of_source([*first, "nonsense", *first])
    assert (possible, nats) == (5, pytest.approx(sampled_tales.of_source(first)[1]))


@pytest.mark.parametrize("setting", [{"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.6}])
def test_the_filtered_distribution_is_the_one_that_is_drawn_from(setting):
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    q = sampled_tales.filtered(logits, **setting).exp()
    assert q.sum() == pytest.approx(1.0)
    expected = {
        "temperature": (2 * logits).softmax(0),
        "top_k": torch.tensor([1.0, math.exp(-1), math.exp(-2), 0.0]) / (1 + math.exp(-1) + math.exp(-2)),
        "top_p": torch.tensor([1.0, 0.0, 0.0, 0.0]),
    }
    torch.testing.assert_close(q, expected[next(iter(setting))])


@pytest.mark.slow
def test_a_story_is_told_again_by_its_seed_and_costs_the_sum_of_its_draws(model):
    stories, told = sampled_tales.tell(model, 3, 1, top_k=3)
    assert stories == sampled_tales.tell(model, 3, 1, top_k=3)[0]
    for text, scored in zip(stories, told):
        assert len(text.split()) in (scored.tokens, scored.tokens - 1)
        assert 0 <= scored.possible <= scored.tokens
        assert 0 < scored.nats < math.inf


def test_rates_are_over_the_tokens_that_they_speak_of(monkeypatch):
    """Two stories of five tokens: one possible to its end, one up to its second token."""
    told = [sampled_tales.Told(5, 10.0, 5, 6.0), sampled_tales.Told(5, 20.0, 2, 1.0)]
    monkeypatch.setattr(sampled_tales, "SETTINGS", ({"temperature": 1.0},))
    monkeypatch.setattr(sampled_tales, "tell", lambda *arguments, **setting: ([], told))
    found = sampled_tales.measure(0, steps=1, n_stories=2)["temperature 1"]
    assert found == {
        "entropy": 3.0,
        "possible": 0.5,
        "source": 1.0,
        "slips": 125.0,  # one of the eight tokens that were read up to it
        "tokens": 5.0,
    }


def test_a_measurement_has_every_setting(monkeypatch):
    monkeypatch.setattr(sampled_tales, "SETTINGS", ({"temperature": 1.0}, {"top_k": 1}))
    found = sampled_tales.measure(0, steps=1, n_stories=2)
    assert set(found) == {"test", "temperature 1", "top_k 1"}
    assert found["top_k 1"]["entropy"] == 0.0
