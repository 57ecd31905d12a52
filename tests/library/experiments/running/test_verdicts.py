"""Verdicts as data: effects computed from records, and contrasts that say what they vary."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.experiments import Contrast, Results, Verdict
from transformer_lib.experiments.running.results import SeedInterval, summary
from transformer_lib.experiments.running.verdicts import places_of
from transformer_lib.metrics import mean_and_interval, unpaired_interval
from transformer_lib.training import Record

NATS = {
    ("tied", 0.01): [1.0, 1.2, 1.1],
    ("tied", 0.03): [0.9, 1.0, 1.1],
    ("separate", 0.01): [0.7, 0.9, 0.8],
    ("separate", 0.03): [0.8, 1.0, 0.9],
    ("separate", 0.1): [2.0, 2.1, 2.2],
}


def results_of(nats: dict[tuple[str, float], list[float]]) -> Results:
    runs = [
        {"seed": seed, "settings": {"head": head, "rate": rate}, "result": {"nats": values[seed]}}
        for (head, rate), values in nats.items()
        for seed in range(3)
    ]
    whole = {"config": {}, "data": {}, "seeds": [0, 1, 2], "minutes": 1.0, "curve": []}
    return Results(Record.of_run(result=summary(runs), command=["c"], **whole))


def load(name: str) -> Results:
    return results_of(NATS if name == "heads" else {("LSTM", 0.01): [2.0, 2.5, 2.2]})


def contrast(**others) -> Contrast:
    given = {"label": "tied", "experiment": "heads", "number": "nats"}
    return Contrast(**given | {"one": {"head": "tied"}, "other": {"head": "separate"}} | others)


def test_an_effect_is_the_difference_of_the_arms_paired_by_seed():
    effect = contrast(shared={"rate": 0.03}).effect(load)
    expected = mean_and_interval([0.1, 0.0, 0.2])
    assert effect.interval.mean == pytest.approx(expected.mean)
    assert (effect.interval.low, effect.interval.high) == pytest.approx((expected.low, expected.high))
    assert effect.one.values == (0.9, 1.0, 1.1)
    assert effect.is_open
    assert str(effect) == "1.00 against 0.90: +0.10 [-0.15, 0.35] nats, 3 seeds"


def test_each_arm_takes_its_best_value_of_a_grid_and_says_if_it_lies_at_the_edge():
    effect = contrast(grid="rate").effect(load)
    assert (effect.one.chosen, effect.other.chosen) == (0.03, 0.01)
    assert effect.one.is_at_edge
    assert effect.other.is_at_edge
    assert effect.other.grid == (0.01, 0.03, 0.1)
    highest = contrast(grid="rate", best="highest").effect(load)
    assert (highest.one.chosen, highest.other.chosen) == (0.01, 0.1)


def test_a_best_value_inside_the_grid_is_not_at_the_edge():
    inside = NATS | {("separate", 0.003): [1.0, 1.0, 1.0]}
    assert not contrast(grid="rate").effect(lambda name: results_of(inside)).other.is_at_edge


def test_the_values_of_a_grid_are_in_the_order_of_numbers():
    """By their letters 10 would come before 3, and lie inside."""
    wide = {("tied", 1.0): [1.0] * 3, ("separate", 0.3): [3.0] * 3, ("separate", 3.0): [2.0] * 3}
    wide |= {("separate", 10.0): [1.0] * 3}
    arm = contrast(grid="rate").effect(lambda name: results_of(wide)).other
    assert arm.grid == (0.3, 3.0, 10.0) and arm.is_at_edge


def test_the_grid_can_be_chosen_by_another_number():
    runs = [
        {
            "seed": s,
            "settings": {"head": h, "rate": r},
            "result": {"nats": r + s / 9 + (h == "tied"), "valid": -r},
        }
        for s in range(2)
        for h in ("tied", "separate")
        for r in (1.0, 2.0)
    ]
    whole = {"config": {}, "data": {}, "seeds": [0, 1], "minutes": 1.0, "curve": []}
    found = Results(Record.of_run(result=summary(runs), command=["c"], **whole))
    assert contrast(grid="rate").effect(lambda name: found).one.chosen == 1.0
    assert contrast(grid="rate", by="valid").effect(lambda name: found).one.chosen == 2.0


def test_only_the_named_seeds_count():
    effect = contrast(shared={"rate": 0.03}, seeds=(1, 2)).effect(load)
    assert effect.one.values == (1.0, 1.1)
    assert effect.interval.n == 2
    with pytest.raises(ValueError, match="no seed 7"):
        contrast(shared={"rate": 0.03}, seeds=(1, 7)).effect(load)


def test_one_seed_has_no_interval_and_is_open():
    effect = contrast(shared={"rate": 0.01}, seeds=(1,)).effect(load)
    assert math.isinf(effect.interval.half_width)
    assert effect.is_open
    assert str(effect) == "1.20 against 0.90: +0.30 nats, 1 seed"


def test_a_constant_can_stand_in_for_the_other_arm():
    effect = contrast(one={"head": "tied", "rate": 0.03}, other={}, against=0.5).effect(load)
    assert effect.interval.mean == pytest.approx(0.5)
    assert effect.interval.half_width == pytest.approx(mean_and_interval([0.9, 1.0, 1.1]).half_width)


def test_arms_of_two_records_are_not_paired():
    effect = contrast(
        one={"head": "tied", "rate": 0.01},
        other={"head": "LSTM", "rate": 0.01},
        other_experiment="other",
        reason="another network",
    ).effect(load)
    expected = unpaired_interval([1.0, 1.2, 1.1], [2.0, 2.5, 2.2])
    assert (effect.interval.low, effect.interval.high) == pytest.approx((expected.low, expected.high))


def test_the_arms_can_be_two_numbers_of_the_same_runs():
    runs = [
        {"seed": seed, "settings": {"size": "large"}, "result": {"times": {"one": one, "two": two}}}
        for seed, (one, two) in enumerate([(3.0, 1.0), (5.0, 2.0)])
    ]
    whole = {"config": {}, "data": {}, "seeds": [0, 1], "minutes": 1.0, "curve": []}
    found = Results(Record.of_run(result=summary(runs), command=["c"], **whole))
    twice = contrast(one={}, other={}, shared={"size": "large"}, number="times.one", other_number="times.two")
    assert twice.differences == ("number",)
    effect = twice.effect(lambda name: found)
    assert (effect.one.values, effect.other.values) == ((3.0, 5.0), (1.0, 2.0))
    assert effect.interval.mean == 2.5


def test_arms_that_differ_in_several_settings_need_a_reason():
    joint = {"one": {"head": "tied", "rate": 0.01}, "other": {"head": "separate", "rate": 0.03}}
    with pytest.raises(ValueError, match=r"differ in more than one setting, head, rate: vary one"):
        contrast(**joint)
    assert contrast(**joint, reason="each at its own rate").is_joint
    with pytest.raises(ValueError, match=r"more than one setting, record"):
        contrast(other={"head": "tied"}, other_experiment="other")


def test_arms_that_do_not_differ_are_refused():
    with pytest.raises(ValueError, match="do not differ"):
        contrast(other={"head": "tied"})


def test_settings_that_name_no_condition_are_refused():
    with pytest.raises(ValueError, match="names no condition of heads"):
        contrast(one={"head": "lost"}, grid="rate").effect(load)


@pytest.mark.parametrize("wrong", [{"status": "true"}, {"contrasts": []}])
def test_a_verdict_has_a_known_status_and_something_that_says_so(wrong):
    given = {"claim": "C1", "status": "holds", "sentence": "It does.", "contrasts": [contrast()]}
    with pytest.raises(ValueError, match=r"status|neither a contrast nor a proof"):
        Verdict(**given | wrong)


@given(st.floats(-1e4, 1e4), st.floats(1e-6, 1e4))
def test_an_interval_is_shown_with_two_digits_of_its_half_width_at_most(mean, half):
    places = places_of(SeedInterval(mean, mean - half, mean + half, 3, 0.95))
    assert 0 <= places <= 3
    assert places == 3 or round(half, places) > 0


def test_a_constant_beside_another_arm_is_refused():
    with pytest.raises(ValueError, match="against a constant or another arm, not both"):
        contrast(against=0.5)
