"""A model that is taken apart computes what it computes whole, and what is cut is not used."""

import pytest
import torch

from transformer_lib.experiments.chapter_11 import name_learning
from transformer_lib.experiments.shared import thank_you


@pytest.fixture
def model():
    torch.manual_seed(0)
    return name_learning.build()


def test_with_nothing_cut_the_logits_are_the_models_and_weights_sum_to_one(model):
    tokens = thank_you.questions()[0].prompt[None]
    logits, weights = name_learning.logits_without(model, tokens)
    torch.testing.assert_close(logits, model(tokens))
    assert weights.shape == (2, 4, tokens.shape[1], tokens.shape[1])
    torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))


def test_an_edge_that_is_cut_carries_nothing(model):
    question = thank_you.questions()[0]
    is_name = question.prompt == question.name
    time = len(is_name)
    everywhere = torch.zeros(time, time, dtype=torch.bool)
    everywhere[:, is_name] = ~is_name[:, None]  # only the name itself may look at the name
    other = question.prompt.clone()
    other[is_name] += 1
    with torch.no_grad():
        one, weights = name_learning.logits_without(model, question.prompt[None], everywhere)
        two, _ = name_learning.logits_without(model, other[None], everywhere)
    torch.testing.assert_close(one[0, -1], two[0, -1])
    assert weights[:, :, ~is_name][..., is_name].max() == 0


def test_a_run_keeps_its_curve_and_stories_and_is_the_same_again():
    once, again = (name_learning.measure(1, steps=2) for _ in range(2))
    assert once == again
    assert [point["step"] for point in once["curve"]] == [0, 2] and once["samples"].keys() == {"0"}
    for point in once["curve"]:
        assert point["guesses"].keys() == {"emil", "nora"} and len(point["guesses"]["emil"]) == 3
    assert 0 <= once["right"] <= 100 and 0 < once["weight"]["median"] < 1
