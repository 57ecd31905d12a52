"""Which words of a tale repeat a fact."""

import pytest

from transformer_lib.data import load_tales
from transformer_lib.experiments.chapter_01.facts import HEROES, mentions, share_of_kept_heroes

STORY = (
    "once a clever girl named ada lived near a golden mill . under a tiny stone she found a golden key one "
    'rainy night . " where is my mother ? " said a shy fox . they ran past a tiny mill . with the golden key '
    "she slowly opened a locked gate . the fox and its mother ran slowly to the mill with her ."
)


def named(story: str) -> list[tuple[str, str, int]]:
    words = [*story.split(), "<end>"]
    return [(word, at.kind, at.back) for word, at in zip(words, mentions(story), strict=True) if at.kind]


def test_words_that_name_a_fact_say_how_far_back_it_was_named_last():
    found = named(STORY)
    assert found[:3] == [("ada", "hero", 0), ("mill", "home", 0), ("she", "he or she", 11)]
    assert found[-6:] == [
        ("locked", "obstacle", 2),
        ("gate", "obstacle", 1),
        ("fox", "animal", 21),
        ("mother", "animal's kin", 30),
        ("mill", "home", 54),
        ("her", "he or she", 61),
    ]


def test_scenery_names_no_fact():
    """The golden mill of the opening is scenery in its color and the home in its noun."""
    words = STORY.split()
    kinds = [at.kind for at in mentions(STORY)]
    assert [kinds[i] for i, word in enumerate(words) if word == "golden"] == [
        "",
        "object's quality",
        "object's quality",
    ]
    assert [kinds[i] for i, word in enumerate(words) if word == "mill"] == ["home", "", "home"]


def test_every_tale_names_its_hero_again_and_keeps_the_name():
    stories = load_tales(n_train=50, n_valid=0, n_test=0, seed=3).train
    assert share_of_kept_heroes(stories) == 1
    for story in stories:
        assert [w for w, kind, _ in named(story) if kind == "hero"] == [
            w for w in story.split() if w in HEROES
        ]


def test_a_hero_who_changes_is_not_kept_and_one_mention_does_not_count():
    assert share_of_kept_heroes(["ada ran . ben slept .", "ada ran . ada slept .", "ada ran ."]) == 0.5


def test_what_the_grammar_cannot_write_is_refused():
    with pytest.raises(ValueError, match="no tale"):
        mentions("ada ran .")
