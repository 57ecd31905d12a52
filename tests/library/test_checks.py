"""Configurations go to plain values and back, and say which value is wrong and what would be right."""

import json
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from transformer_lib.checks import (
    ConfigValues,
    check_above_zero,
    check_choice,
    check_flag,
    check_number,
    check_probability,
    check_token,
    check_whole,
)
from transformer_lib.density.convolutional import ConvConfig
from transformer_lib.density.vqvae import VQVAEConfig
from transformer_lib.recurrent.language_model import RecurrentConfig
from transformer_lib.recurrent.seq2seq import Seq2SeqConfig
from transformer_lib.training.config import TrainingConfig
from transformer_lib.transformer.language_model import TransformerConfig

CONFIGURATIONS = [
    TransformerConfig(5, 6, d_ff=7, attention_bias=True),
    RecurrentConfig(5, start_token=4),
    Seq2SeqConfig(5, 6, attention=None),
    ConvConfig(5, kernel_size=3),
    VQVAEConfig(commitment=0.5),
    TrainingConfig(steps=7, clip_norm=None),
]
every_configuration = pytest.mark.parametrize(
    "config", CONFIGURATIONS, ids=lambda config: type(config).__name__
)


@dataclass(frozen=True)
class Shape(ConfigValues):
    width: int
    height: int
    depth: int | None = None

    def __post_init__(self):
        self._check(check_whole, "width", "height", "depth", least=1)


@every_configuration
def test_a_configuration_survives_json(config):
    again = type(config).from_dict(json.loads(json.dumps(config.to_dict())))
    assert again == config and type(again) is type(config)


@every_configuration
def test_a_misspelt_name_is_answered_with_the_nearest_and_another_with_all(config):
    values, name = config.to_dict(), next(iter(config.to_dict()))
    with pytest.raises(ValueError, match=rf"no setting '{name}s'; did you mean '{name}'\?"):
        type(config).from_dict(values | {f"{name}s": 1})
    with pytest.raises(ValueError, match=f"no setting 'zzz'; known: {name}, "):
        type(config).from_dict(values | {"zzz": 1})


def test_values_without_a_default_are_asked_for():
    with pytest.raises(ValueError, match=r"the configuration lacks width and height$"):
        Shape.from_dict({"depth": 1})


def test_a_value_may_be_none_where_it_is_by_default():
    assert replace(Shape(1, 2, 3), depth=None) == Shape.from_dict({"width": 1, "height": 2})
    with pytest.raises(ValueError, match="depth must be a positive whole number, got 0"):
        Shape(1, 2, 0)


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (lambda value: check_whole("x", value, 1), [1, 10**400]),
        (lambda value: check_whole("x", value, 0, 3), [0, 3]),
        (lambda value: check_token("start_token", value, 2), [0, 1]),
        (lambda value: check_number("x", value, 0), [0, 0.5, 1e300]),
        (lambda value: check_number("x", value, 0, 1), [0, 0.0, 1]),
        (lambda value: check_above_zero("x", value), [1e-300, 1]),
        (lambda value: check_probability("x", value), [0, 0.5]),
        (lambda value: check_flag("x", value), [True, False]),
        (lambda value: check_choice("x", value, ("a", "b")), ["a", "b"]),
    ],
)
def test_what_is_right_passes_and_nothing_else(check, right):
    for value in right:
        check(value)
    for value in (None, "0.5", [], {}, math.nan, math.inf, -math.inf, -1, -0.5, 1 + 0j):
        with pytest.raises(ValueError, match=r"must be|is not one of"):
            check(value)


@pytest.mark.parametrize(
    ("least", "most", "right"),
    [(1, None, "a positive whole number"), (2, None, "a whole number of at least 2"), (0, 3, "from 0 to 3")],
)
def test_the_range_of_a_whole_number_is_named(least, most, right):
    for value in (least - 1, float(least), True):
        with pytest.raises(ValueError, match=f"n must be .*{right}, got {value!r}"):
            check_whole("n", value, least, most)


def test_a_number_is_neither_a_flag_nor_beyond_what_a_float_holds():
    for value in (True, 10**400):
        with pytest.raises(ValueError, match="x must be a finite number of at least 0, got "):
            check_number("x", value, 0)
        with pytest.raises(ValueError, match="x must be a number with 0 <= x < 1, got "):
            check_probability("x", value)


def test_a_choice_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"norm 'prre' is not one of 'pre', 'post'; did you mean 'pre'\?"):
        check_choice("norm", "prre", ("pre", "post"))
    with pytest.raises(ValueError, match=r"norm 7 is not one of 'pre', 'post'$"):
        check_choice("norm", 7, ("pre", "post"))


def test_a_number_of_numpy_is_told_apart_from_one_of_python():
    message = (
        r"x must be a positive whole number, got np\.int64\(3\): take its \.item\(\), a number of Python"
    )
    with pytest.raises(ValueError, match=message):
        check_whole("x", np.int64(3), 1)
    with pytest.raises(ValueError, match=r"got 'a'$"):
        check_whole("x", "a", 1)
