"""A recipe comes back from plain values as it was, and takes settings by name and type."""

from dataclasses import replace

import pytest

from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.tokenizers import CharTokenizer
from transformer_lib.text import language_model
from transformer_lib.text.recipe import Recipe


def test_a_recipe_survives_a_round_trip():
    recipe = language_model.RECIPE.with_settings(["d_ff=none", "learning_rate=1", "bias=true", "norm=post"])
    assert recipe.model == {"d_ff": None, "bias": True, "norm": "post"}
    assert recipe.with_settings(["bias=false"]).model["bias"] is False
    assert isinstance(recipe.training.learning_rate, float)
    assert Recipe.from_dict(recipe.to_dict()) == recipe


def test_a_recipe_says_that_a_text_is_read_as_a_ring_and_none_that_was_not_is_read():
    assert language_model.RECIPE.settings()["ring"] is True
    with pytest.raises(TypeError, match="ring"):
        Recipe.from_dict(language_model.RECIPE.to_dict() | {"ring": False})


@pytest.mark.parametrize("kind", ["word", "word-punct", "char"])
def test_symbols_that_occur_once_are_unknown_to_a_fitted_tokenizer(kind):
    recipe = replace(language_model.RECIPE, tokenizer=kind)
    tokenizer = recipe.fit_tokenizer(["a b a", "b c"])
    assert {"a", "b"} <= set(tokenizer.symbols) and "c" not in tokenizer.symbols
    assert tokenizer.decode(tokenizer.encode("c")) == "<unk>"


def test_a_corpus_keeps_its_own_tokenizers_if_they_are_of_the_kind_and_no_size_is_asked_for():
    own, characters = BpeTokenizer.fit(["a text"], vocab_size=260), CharTokenizer.fit(["a text"])
    asked = replace(language_model.RECIPE, tokenizer="bpe", vocab_size=None)
    assert asked.suits(own, own) and not asked.suits(own, characters)
    assert not replace(asked, vocab_size=300).suits(own, own)
    assert replace(asked, tokenizer=None, vocab_size=None).suits(characters)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("d_model", "'d_model' is not a setting: write KEY=VALUE"),
        ("vocab_size=7", "vocab_size cannot be set: it follows from the tokenizer"),
        ("d_modle=8", "setting 'd_modle' is not one of .*did you mean 'd_model'"),
        ("d_model=wide", "d_model takes a whole number; got 'wide'"),
        ("bias=perhaps", "bias takes true or false; got 'perhaps'"),
    ],
)
def test_a_setting_that_says_nothing_is_refused_with_what_would_be_right(setting, message):
    with pytest.raises(ValueError, match=message):
        language_model.RECIPE.with_settings([setting])
