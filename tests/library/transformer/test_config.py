"""The configuration of a Transformer refuses what cannot work, and says what would."""

import dataclasses
import json
import math
import runpy

import hypothesis.strategies as st
import pytest
from hypothesis import given

from transformer_lib.transformer import config
from transformer_lib.transformer.config import PRESETS, TransformerConfig

TINY = {"vocab_size": 5, "context_length": 6, "d_model": 8, "n_heads": 2, "n_layers": 2}


@pytest.mark.parametrize("name", PRESETS)
def test_a_configuration_survives_json(name):
    config = TransformerConfig.preset(name, vocab_size=70, dropout=0.1, d_head=6)
    assert TransformerConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert config.context_length == PRESETS[name]["context_length"] and config.dropout == 0.1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_layers": 0}, "n_layers must be a whole number from 1 to 1000, got 0"),
        ({"d_model": 8.0}, "d_model must be a positive whole number, got 8.0"),
        ({"vocab_size": True}, "vocab_size must be a positive whole number, got True"),
        ({"context_length": None}, "context_length must be a positive whole number, got None"),
        ({"d_ff": -1}, "d_ff must be a positive whole number, got -1"),
        ({"d_model": 100, "n_heads": 8}, "take d_model=96 or 104, or n_heads=5 or 10, or give d_head"),
        ({"d_model": 2, "n_heads": 3}, "take d_model=3, or n_heads=2, or give d_head"),
        ({"dropout": 1.0}, "0 <= dropout < 1, got 1.0"),
        ({"dropout": -0.1}, "0 <= dropout < 1, got -0.1"),
        ({"dropout": math.nan}, "0 <= dropout < 1, got nan"),
        ({"dropout": "0.1"}, "0 <= dropout < 1, got '0.1'"),
        ({"norm": "prre"}, "norm 'prre' is not one of 'pre', 'post'; did you mean 'pre'?"),
        ({"activation": "swish"}, "activation 'swish' is not one of 'sigmoid', 'tanh', 'relu', 'gelu'"),
        ({"tie_embeddings": 1}, "tie_embeddings must be True or False, got 1"),
        ({"start_token": 5}, "start_token must be a token, a whole number from 0 to 4, got 5"),
        ({"start_token": -1}, "start_token must be a token, a whole number from 0 to 4, got -1"),
        ({"attention_dropout": 1}, "0 <= attention_dropout < 1, got 1"),
        ({"feature_dropout": -0.1}, "0 <= feature_dropout < 1, got -0.1"),
        ({"activation_dropout": "no"}, "0 <= activation_dropout < 1, got 'no'"),
        ({"input_dropout": None}, "0 <= input_dropout < 1, got None"),
        ({"embedding_dropout": True}, "0 <= embedding_dropout < 1, got True"),
        ({"norm_eps": -1e-5}, "norm_eps must be a number from 0 to 1, got -1e-05"),
        ({"norm_eps": 10**400}, "norm_eps must be a number from 0 to 1, got 10000"),
        ({"norm_eps": math.nan}, "norm_eps must be a number from 0 to 1, got nan"),
        ({"norm_eps_on": "mean"}, "norm_eps_on 'mean' is not one of 'variance', 'deviation'"),
        ({"positions": "rotory"}, "positions 'rotory' is not one of .*; did you mean 'rotary'?"),
        ({"positions": "rotary", "d_head": 3}, "a head's width must be even, got 3"),
        ({"positions": "rotary", "d_model": 6}, "a head's width must be even, got 3"),
        ({"source_vocab_size": 0}, "source_vocab_size must be a positive whole number, got 0"),
        ({"attention_bias": 0}, "attention_bias must be True or False, got 0"),
        ({"macaron": None}, "macaron must be True or False, got None"),
        ({"scale_embeddings": "yes"}, "scale_embeddings must be True or False, got 'yes'"),
        ({"attention_only": 1}, "attention_only must be True or False, got 1"),
        ({"attention_only": True}, "fully connected layer of its own: give tie_embeddings=False"),
        ({"attention_only": True, "norm": "post"}, "leaves nothing for norm='post' to act on: leave it out"),
        ({"attention_only": True, "d_ff": 8}, "leaves nothing for d_ff=8 to act on: leave it out"),
        ({"attention_only": True, "macaron": True}, "leaves nothing for macaron=True to act on"),
        ({"n_kv_heads": 0}, "n_kv_heads must be a positive whole number, got 0"),
        ({"n_heads": 4, "n_kv_heads": 3}, "n_kv_heads=3 does not divide n_heads=4: take 1 or 2 or 4"),
        ({"n_kv_heads": 4}, "n_kv_heads=4 does not divide n_heads=2: take 1 or 2"),
        ({"norm_kind": "rsm"}, "norm_kind 'rsm' is not one of 'layer', 'rms'; did you mean 'rms'?"),
        ({"norm_kind": "rms", "norm_eps_on": "deviation"}, "norm_eps_on must be 'variance'"),
        ({"gated": "silu"}, "gated must be True or False, got 'silu'"),
        ({"positions": "rotary", "rotary_base": 0}, "rotary_base must be a finite number above 0, got 0"),
        ({"rotary_base": 500000.0}, "rotary_base acts on positions='rotary' alone, got 'learned'"),
        ({"attention_only": True, "gated": True}, "leaves nothing for gated=True to act on"),
        ({"attention_only": True, "norm_kind": "rms"}, "leaves nothing for norm_kind='rms' to act on"),
        ({"n_head": 2}, "no setting 'n_head'; did you mean 'n_heads'?"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(changes, message):
    # The tests' own type checks would speak before the configuration does, hence a copy without them.
    plain = runpy.run_path(config.__file__)["TransformerConfig"]
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        plain.from_dict(TINY | changes)


def test_a_configuration_of_attention_only_survives_json_and_what_was_saved_before_has_none():
    config = TransformerConfig(**TINY, attention_only=True, tie_embeddings=False, bias=True)
    assert TransformerConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    before = TransformerConfig(**TINY).to_dict()
    assert before.pop("attention_only") is False
    assert TransformerConfig.from_dict(before) == TransformerConfig(**TINY)


def test_a_configuration_saved_before_today_s_options_is_the_sources_form():
    before = TransformerConfig(**TINY).to_dict()
    for name in ("n_kv_heads", "norm_kind", "gated", "rotary_base"):
        del before[name]
    loaded = TransformerConfig.from_dict(before)
    assert loaded == TransformerConfig(**TINY)
    assert (loaded.n_kv_heads, loaded.norm_kind, loaded.gated, loaded.rotary_base) == (
        None,
        "layer",
        False,
        10000,
    )


@given(st.integers(1, 60), st.integers(1, 60))
def test_the_advice_on_widths_and_heads_is_good(d_model, n_heads):
    try:
        TransformerConfig(vocab_size=5, context_length=5, d_model=d_model, n_heads=n_heads)
        assert d_model % n_heads == 0
    except ValueError as error:
        advice = str(error).split(": take ")[1]
        widths, heads, _ = (part.split("=")[-1].split(" or ") for part in advice.split(", or "))
        assert widths and all(
            int(width) % n_heads == 0 and abs(int(width) - d_model) < n_heads for width in widths
        )
        assert heads and all(d_model % int(count) == 0 for count in heads)


def test_an_unknown_preset_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"preset 'tinny' is not one of .*; did you mean 'tiny'"):
        TransformerConfig.preset("tinny")


def test_values_without_a_default_are_asked_for():
    with pytest.raises(ValueError, match=r"lacks vocab_size$"):
        TransformerConfig.preset("tiny")
    with pytest.raises(ValueError, match="lacks vocab_size and context_length"):
        TransformerConfig.from_dict({})


def test_a_head_is_as_wide_as_said_or_as_its_share_of_the_model():
    assert TransformerConfig(**TINY).head_width == 4
    assert TransformerConfig(**TINY, d_head=7).head_width == 7


def test_a_configuration_does_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TransformerConfig(**TINY).d_model = 16


def test_the_configurations_named_after_stratos_are_his():
    for name, d_model, n_heads, dropout in (("base", 512, 8, 0.1), ("big", 1024, 16, 0.3)):
        shape = TransformerConfig.preset(name, vocab_size=100)
        assert (shape.d_model, shape.n_heads, shape.n_layers, shape.dropout) == (d_model, n_heads, 6, dropout)
        assert (shape.norm, shape.norm_eps, shape.norm_eps_on) == ("post", 1e-3, "deviation")
        assert (shape.bias, shape.attention_bias, shape.tie_embeddings) == (True, False, True)
