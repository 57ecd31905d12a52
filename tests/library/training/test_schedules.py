"""Schedules take their stated values, and settings that make no sense are refused."""

import math

import pytest

from transformer_lib.training import SCHEDULES, TrainingConfig, learning_rate_factor


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_warms_up_linearly_to_the_peak(schedule):
    factors = [learning_rate_factor(schedule, step, steps=100, warmup_steps=10) for step in range(10)]
    assert factors == pytest.approx([0.1 * n for n in range(1, 11)])


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_without_warm_up_every_schedule_starts_near_the_peak(schedule):
    assert learning_rate_factor(schedule, 0, steps=1000) > 0.99


def test_the_cosine_is_half_way_down_in_the_middle_and_ends_at_its_final_factor():
    def cosine(step: int) -> float:
        return learning_rate_factor("cosine", step, steps=110, warmup_steps=10, final_factor=0.2)

    assert cosine(59) == pytest.approx(0.6)
    assert cosine(34) == pytest.approx(0.2 + 0.8 * (1 + math.cos(math.pi / 4)) / 2)
    assert cosine(109) == pytest.approx(0.2)
    assert cosine(500) == pytest.approx(0.2)


def test_the_inverse_square_root_is_that_of_vaswani_et_al_up_to_its_scale():
    d_model, warmup = 512, 4000
    peak = d_model**-0.5 * warmup**-0.5
    for n in (1, 100, 3999, 4000, 4001, 100_000):
        paper = d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)
        factor = learning_rate_factor("inverse-sqrt", n - 1, steps=100_000, warmup_steps=warmup)
        assert peak * factor == pytest.approx(paper)


def test_the_constant_schedule_stays_at_the_peak():
    assert learning_rate_factor("constant", 999, steps=10, warmup_steps=10) == 1.0


def test_the_learning_rate_is_the_peak_times_the_factor():
    config = TrainingConfig(steps=10, learning_rate=0.5, warmup_steps=2, schedule="constant")
    assert [config.learning_rate_at(step) for step in (0, 1, 9)] == [0.25, 0.5, 0.5]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "steps must be a positive whole number, got 0"),
        ({"accumulation": -1}, "accumulation must be"),
        ({"evaluate_every": 0}, "evaluate_every must be"),
        ({"warmup_steps": -1}, "warmup_steps must be a whole number of at least 0"),
        ({"learning_rate": 0.0}, "learning_rate must be a finite number above 0, got 0.0"),
        ({"learning_rate": math.nan}, "learning_rate must be a finite number above 0, got nan"),
        ({"learning_rate": math.inf}, "learning_rate must be a finite number"),
        ({"eps": 0.0}, "eps must be a finite number above 0, got 0.0"),
        ({"weight_decay": -0.1}, "weight_decay must be a finite number of at least 0, got -0.1"),
        ({"clip_norm": 0.0}, "clip_norm must be a finite number above 0, got 0.0"),
        ({"final_factor": 1.5}, "final_factor must be a number from 0 to 1, got 1.5"),
        ({"beta2": 1.0}, "beta2 must be a number with 0 <= beta2 < 1, got 1.0"),
        ({"seed": 2**64}, f"seed must be a whole number from 0 to {2**64 - 1}"),
        ({"schedule": "linear"}, "schedule 'linear' is not one of 'constant', 'cosine', 'inverse-sqrt'"),
        ({"precision": "fp8"}, "precision 'fp8' is not one of 'fp32', 'bf16', 'fp16'"),
        ({"device": "tpu"}, "device 'tpu' is not one of"),
        ({"precision": "fp16", "sharding": "fsdp"}, "'fp16' cannot be sharded: use 'bf16'"),
        ({"optimizer": "muon", "sharding": "fsdp"}, "'muon' needs whole matrices.*: use 'adamw'"),
        ({"optimizer": "muon", "precision": "fp16"}, "'muon' is not for precision 'fp16': use 'bf16'"),
        ({"optimizer": "sgd"}, "optimizer"),
        ({"learning_rat": 0.1}, "no setting 'learning_rat'; did you mean 'learning_rate'"),
        ({"zzz": 1}, "no setting 'zzz'; known: steps, "),
    ],
)
def test_settings_out_of_range_are_refused_in_words(changes, message):
    with pytest.raises(ValueError, match=message):
        TrainingConfig.from_dict(changes)


def test_an_unknown_schedule_is_refused_by_the_function_too():
    with pytest.raises(ValueError, match="schedule must be one of"):
        learning_rate_factor("linear", 0, steps=10)


def test_settings_survive_a_round_trip():
    config = TrainingConfig(steps=7, clip_norm=None, evaluate_every=None, schedule="inverse-sqrt", patience=3)
    assert TrainingConfig.from_dict(config.to_dict()) == config
