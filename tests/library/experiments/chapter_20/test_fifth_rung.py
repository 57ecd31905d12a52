"""The law of chapter 15 and its fifth budget."""

import pytest
from torch.testing import assert_close

from transformer_lib.data import TALES
from transformer_lib.experiments import load_results
from transformer_lib.experiments.chapter_15 import model_sizes
from transformer_lib.experiments.chapter_20.fifth_rung import BUDGET, EXPERIMENT, Law, fit, least


def test_a_law_is_found_again_from_points_on_it():
    law = Law(0.9, 3e4, 0.45)
    found = fit({budget: law(budget) for budget in (1e9, 1e10, 1e11)}, 0.9)
    assert_close([found.e, found.b, found.c], [law.e, law.b, law.c], rtol=1e-6, atol=1e-9)
    assert found(1e12) == pytest.approx(law(1e12))


def test_a_loss_at_the_floor_has_no_law():
    with pytest.raises(ValueError, match="above its floor"):
        fit({1e9: 1.0, 1e10: 0.9}, 0.9)


def test_the_least_mean_over_seeds_counts():
    runs = [
        {"seed": seed, "settings": {"budget": 1e9, "d_model": d}, "result": {"nats": nats}}
        for seed, d, nats in [(0, 8, 1.0), (1, 8, 3.0), (0, 16, 1.5), (1, 16, 1.7)]
    ]
    assert least(runs) == {1e9: pytest.approx(1.6)}
    assert least(runs, seed=0) == {1e9: 1.0}


def test_the_record_of_chapter_15_has_the_four_budgets_above_the_entropy():
    losses = least(load_results("model-sizes").record.result["runs"])
    assert sorted(losses) == sorted(model_sizes.BUDGETS)
    law = fit(losses, TALES.entropy_rate())
    assert law.c > 0 and TALES.entropy_rate() < law(BUDGET) < min(losses.values())


def test_the_fifth_budget_is_trained_as_the_others_were():
    assert EXPERIMENT.measure is model_sizes.measure
    assert all(condition["budget"] == BUDGET for condition in EXPERIMENT.conditions)


def test_the_law_promises_less_than_the_fifth_budget_gives():
    """What the page of evidence says of the record."""
    law = fit(least(load_results("model-sizes").record.result["runs"]), TALES.entropy_rate())
    found = least(load_results("fifth-rung").record.result["runs"])[BUDGET]
    assert [round(law(BUDGET), 3), round(found, 3)] == [1.021, 1.061]
