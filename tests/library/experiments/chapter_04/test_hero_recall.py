"""The hero's name: where it is asked for, what counts as knowing it, and what a network writes."""

import pytest
import torch
from torch import nn

from transformer_lib.data.tales import NAMES
from transformer_lib.experiments.chapter_04 import hero_recall
from transformer_lib.experiments.chapter_10 import whole_transformer


def reader(network):
    return hero_recall.StoryReader(network, torch.Generator().manual_seed(0))


class Says(nn.Module):
    """Foresees the right word where the name lies fewer words back than a limit, and else a full stop."""

    def __init__(self, limit):
        super().__init__()
        inputs, targets = hero_recall.unseen()
        (stop,) = whole_transformer.tales().tokenizer.encode(".")
        said = torch.full_like(targets, stop)
        named = hero_recall.mentions()
        near = named.back < limit
        where = named.story[near], named.place[near]
        said[where] = targets[where]
        self.said, self.read = said, inputs

    def forward(self, tokens):
        rows = (self.read[None, :, : tokens.shape[1]] == tokens[:, None]).all(-1).int().argmax(1)
        return nn.functional.one_hot(self.said[rows], 200).double()


def test_the_networks_have_as_many_parameters_within_1_percent():
    sizes = [sum(p.numel() for p in reader(network).parameters()) for network in hero_recall.WIDTHS]
    assert max(sizes) / min(sizes) < 1.01


def test_a_name_is_asked_for_at_each_mention_but_the_first():
    named, (_, targets) = hero_recall.mentions(), hero_recall.unseen()
    words = whole_transformer.tales().tokenizer
    assert {words.decode([token]) for token in targets[named.story, named.place].tolist()} <= NAMES
    assert torch.equal(targets[named.story, named.place], targets[named.story, named.place - named.back])
    count = sum(word in NAMES for story in whole_transformer.tales().test for word in story.split())
    assert len(named.story) == count - len(whole_transformer.tales().test)


def test_no_mention_lies_between_the_near_and_the_far_ones():
    back = hero_recall.mentions().back
    near, far = back[back < hero_recall.FAR], back[back >= hero_recall.FAR]
    assert set(near.tolist()) == {15, 17}
    assert far.min() >= 30 and far.max() < hero_recall.BINS[-1]


@pytest.mark.parametrize(("limit", "near", "far"), [(0, 0.0, 0.0), (20, 1.0, 0.0), (200, 1.0, 1.0)])
def test_the_score_is_the_share_of_names_foreseen_at_each_distance(limit, near, far):
    found = hero_recall.score(Says(limit))
    assert (found["near"], found["far"]) == (near, far)
    assert found["under 20"] == near and found["under 40"] == found["under 90"] == far


def test_a_story_keeps_its_hero_if_all_its_names_are_the_same():
    stories = ["ada ran . then ada slept", "ada ran . then ben slept", "ada ran", "a fox ran"]
    assert hero_recall.kept(stories) == 0.5 and hero_recall.kept(stories[2:]) == 0.0


def test_a_written_story_ends_at_its_end_token_and_is_the_same_for_a_seed():
    model = reader("LSTM, bias 1")
    written = [hero_recall.write(model, torch.Generator().manual_seed(s), n=6) for s in (0, 0, 1)]
    assert written[0] == written[1] != written[2]
    end = whole_transformer.tales().tokenizer.end_token
    with torch.no_grad():
        model.head.bias[end] = 1e6
    assert hero_recall.write(model, torch.Generator(), n=2) == ["", ""]


@pytest.mark.slow
@pytest.mark.parametrize("network", hero_recall.WIDTHS)
def test_a_seed_gives_the_same_network_again_and_training_helps(network):
    once, again = (hero_recall.measure(0, network=network, rate=0.003, steps=6) for _ in range(2))
    assert once == again
    assert once["curve"][-1]["valid"] < once["curve"][0]["valid"]
    assert once["best_step"] == 6 and once["valid"] == once["curve"][-1]["valid"]
    assert len(once["opening"]) == 3 and len(once["outputs"]["stories"]) == hero_recall.SHOWN


def test_all_networks_are_trained_alike():
    conditions = hero_recall.EXPERIMENT.conditions
    assert [condition["network"] for condition in conditions].count("RNN") == 1
    assert {condition["network"] for condition in conditions} == set(hero_recall.WIDTHS)
