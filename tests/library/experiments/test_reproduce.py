"""Experiments by name: they write records, seeds join, and an interrupted one is gone on with."""

import math
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from cli_runs import refused

from transformer_lib.__main__ import main
from transformer_lib.experiments import reproduce as module
from transformer_lib.experiments.language_model import train_language_model
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.experiments.reproduce import EXPERIMENTS, join_records, reproduce
from transformer_lib.experiments.translation import train_translator, translation_recipe
from transformer_lib.training import Record, read_record

SETTINGS = ["d_model=16", "n_heads=2", "n_layers=1", "steps=4", "evaluate_every=2", "warmup_steps=1"]


@pytest.fixture(autouse=True)
def small_experiments(small_and_elsewhere, monkeypatch):
    for name, recipe, train in (
        ("tales", replace(Recipe(), batch_size=4), train_language_model),
        ("number-words", translation_recipe(), train_translator),
    ):
        small = recipe.with_settings([*SETTINGS, "context_length=32", "device=cpu"])
        run = module._train_seeds(small, train)
        monkeypatch.setitem(EXPERIMENTS, name, replace(EXPERIMENTS[name], run=run))


def record_of(seed: int, loss: float, **others) -> Record:
    run = {"seed": seed, "result": {"loss": {"test": loss}, "name": "a"}}
    values = {"config": {"a": 1}, "data": {"name": "b"}, "minutes": 1.5, "curve": [{"seed": seed}]} | others
    return Record.of_run(seeds=[seed], result=module._summary([run]), command=["c"], **values)


def test_the_list_names_every_experiment_with_its_minutes(capsys):
    assert main(["reproduce", "--list"]) == 0
    out = capsys.readouterr().out
    for name, experiment in EXPERIMENTS.items():
        assert name in out and experiment.description in out and f"{experiment.minutes} minutes" in out
    assert {"marginals", "tales", "number-words"} <= EXPERIMENTS.keys()


@pytest.mark.parametrize("name", ["tales", "number-words"])
def test_seeds_of_today_join_those_of_yesterday(capsys, name):
    assert main(["reproduce", name, "--quiet"]) == 0
    assert main(["reproduce", name, "--quiet", "--seeds", "2"]) == 0
    out = capsys.readouterr().out
    assert f"{name}: seeds 0 2," in out and "±" in out
    record = read_record(f"runs/records/{name}.json")
    assert record.seeds == [0, 2] and [run["seed"] for run in record.result["runs"]] == [0, 2]
    assert "seed" not in record.config["training"]
    assert {point["seed"] for point in record.curve} == {0, 2}
    key = "nats_per_token.test"
    losses = [run["result"]["nats_per_token"]["test"] for run in record.result["runs"]]
    assert losses[0] != losses[1]
    assert record.result["mean"][key] == pytest.approx(math.fsum(losses) / 2)
    assert record.result["standard_deviation"][key] == pytest.approx(statistics.stdev(losses))
    assert record.minutes == pytest.approx(sum(run["minutes"] for run in record.result["runs"]))
    assert "has the seeds [2] already" in refused(capsys, ["reproduce", name, "--seeds", "2", "3"])


def test_seeds_at_once_are_seeds_one_by_one():
    together = reproduce("tales", "together.json", seeds=(0, 1), progress=False)
    for seed in (0, 1):
        alone = reproduce("tales", "alone.json", seeds=(seed,), progress=False)
    timed = {"tokens_per_second"}
    assert {k: v for k, v in together.result["mean"].items() if k not in timed} == {
        k: v for k, v in alone.result["mean"].items() if k not in timed
    }


def test_an_interrupted_experiment_is_gone_on_with(capsys, monkeypatch):
    said = []

    def press(message: str) -> None:
        said.append(message)
        if "seed 1" in message:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("transformer_lib.__main__._say", press)
        assert main(["reproduce", "tales", "--seeds", "0", "1"]) == 130
    assert "give the same command" in capsys.readouterr().err
    assert not Path("runs/records/tales.json").exists()
    reproduce("tales", "runs/records/tales.json", seeds=(0, 1), progress=False, say=said.append)
    assert any("seed 0: going on" in message for message in said)
    assert any("seed 1: training" in message for message in said)


def test_a_record_is_replaced_with_its_runs_on_request(capsys):
    said = []
    for overwrite in (False, True):
        reproduce("tales", "tales.json", progress=False, overwrite=overwrite, say=said.append)
    assert sum("seed 0: training" in message for message in said) == 2
    assert read_record("tales.json").seeds == [0]


def test_what_is_chosen_at_the_first_seed_does_not_join(capsys, monkeypatch):
    calls = []
    monkeypatch.setattr(
        module.marginals, "run", lambda seeds, command: calls.append(seeds) or record_of(0, 1.0)
    )
    assert main(["reproduce", "marginals", "--seeds", "0", "1"]) == 0
    assert calls == [(0, 1)]
    assert "cannot be joined" in refused(capsys, ["reproduce", "marginals"])
    assert main(["reproduce", "marginals", "--overwrite"]) == 0
    assert calls[1] == EXPERIMENTS["marginals"].seeds


def test_joining_is_associative_and_refuses_other_experiments():
    a, b, c = (record_of(seed, loss) for seed, loss in ((0, 1.0), (1, 2.0), (5, 6.0)))
    left, right = join_records(join_records(a, b), c), join_records(a, join_records(b, c))
    assert left == right
    assert left.seeds == [0, 1, 5] and left.minutes == 4.5
    assert left.result["mean"] == {"loss.test": 3.0}
    assert a.result["standard_deviation"] == {"loss.test": None}
    with pytest.raises(ValueError, match="both have the seeds"):
        join_records(left, c)
    with pytest.raises(ValueError, match="their config differs"):
        join_records(a, record_of(1, 1.0, config={"a": 2}))
    with pytest.raises(ValueError, match="their data differs"):
        join_records(a, record_of(1, 1.0, data={"name": "c"}))
