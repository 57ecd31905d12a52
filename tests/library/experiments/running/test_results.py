"""Reading records: intervals over seeds by name, differences by seed, and what a live value may be."""

import math
from dataclasses import replace

import pytest

from transformer_lib.experiments import EXPERIMENTS, Results, load_results
from transformer_lib.experiments.running.results import join_records, summary
from transformer_lib.metrics import mean_and_interval, paired_interval
from transformer_lib.training import Record, write_record

LOSSES = {"a": [1.0, 2.0, 4.0], "b": [0.5, 1.75, 3.0]}


def record_of(*runs: dict, seeds: list[int], **others) -> Record:
    values = {"config": {"a": 1}, "data": {"name": "b"}, "minutes": 1.5, "curve": [{"seed": seeds[0]}]}
    return Record.of_run(seeds=seeds, result=summary(list(runs)), command=["c"], **values | others)


def of_seed(seed: int, loss: float, **others) -> Record:
    return record_of({"seed": seed, "result": {"loss": {"test": loss}, "name": "a"}}, seeds=[seed], **others)


@pytest.fixture
def compared() -> Results:
    runs = [
        {"seed": seed, "settings": {"kind": kind, "rate": 0.1}, "result": {"loss": {"test": loss}}}
        for seed, losses in enumerate(zip(*LOSSES.values()))
        for kind, loss in zip(LOSSES, losses)
    ]
    return Results(record_of(*runs, seeds=[0, 1, 2]))


def test_an_interval_over_seeds_says_how_many_there_are(compared):
    interval = compared.interval("loss.test", kind="a")
    plain = mean_and_interval(LOSSES["a"])
    assert (interval.low, interval.high, interval.n) == (plain.low, plain.high, 3)
    assert str(interval) == f"{plain}, 3 seeds" == "2.333 [-1.461, 6.128], 3 seeds"
    assert compared.values("loss.test", kind="b", rate=0.1) == LOSSES["b"]


def test_a_difference_is_taken_seed_by_seed(compared):
    difference = compared.difference("loss.test", {"kind": "a"}, {"kind": "b"}, rate=0.1)
    plain = paired_interval(LOSSES["a"], LOSSES["b"])
    assert (difference.mean, difference.low, difference.n) == (plain.mean, plain.low, 3)


def test_a_live_value_agrees_within_the_prediction_interval(compared):
    # The half-width is t(0.995, 2) s sqrt(1 + 1/3), with s^2 = 7/3.
    reach = 9.924843 * math.sqrt(7 / 3) * math.sqrt(4 / 3)
    for value, agrees in ((7 / 3 + 0.999 * reach, True), (7 / 3 + 1.001 * reach, False), (4.0, True)):
        assert compared.agrees("loss.test", value, kind="a") is agrees
    assert not compared.agrees("loss.test", 7 / 3 + 0.999 * reach, confidence=0.9, kind="a")
    assert not compared.agrees("loss.test", math.nan, kind="a")


def test_every_recorded_seed_agrees_with_its_record(compared):
    values = compared.values("loss.test", kind="a")
    assert all(compared.agrees("loss.test", value, confidence=0.01, kind="a") for value in values)


def test_one_seed_has_a_mean_and_no_spread():
    results = Results(of_seed(0, 1.0))
    interval = results.interval("loss.test")
    assert (interval.mean, interval.low, interval.high, interval.n) == (1.0, -math.inf, math.inf, 1)
    with pytest.raises(ValueError, match="one seed has no spread"):
        results.agrees("loss.test", 1.0)


def test_what_a_record_does_not_hold_is_named(compared):
    with pytest.raises(ValueError, match=r"no number 'loss' in every run; there are loss.test"):
        compared.values("loss", kind="a")
    with pytest.raises(ValueError, match=r"{} names no single condition of .*'kind': 'a'.*'kind': 'b'"):
        compared.values("loss.test")
    with pytest.raises(ValueError, match="names no single condition"):
        compared.values("loss.test", kind="c")
    with pytest.raises(ValueError, match="holds tables instead of runs: models, losses"):
        Results(replace(of_seed(0, 1.0), result={"models": [], "losses": []})).values("test")


def test_results_are_loaded_by_the_experiment_s_name(monkeypatch, tmp_path):
    monkeypatch.setattr("transformer_lib.experiments.running.runner.RECORDS", tmp_path)
    with pytest.raises(ValueError, match="experiment 'tale' is not one of"):
        load_results("tale")
    with pytest.raises(ValueError, match=r"tales has no committed record: make 11_tales\.json"):
        load_results("tales")
    write_record(tmp_path / "13_number_words.json", of_seed(0, 2.5))
    assert load_results("number-words").values("loss.test") == [2.5]
    write_record(tmp_path / "13_multi30k_gpu.json", of_seed(0, 1.5))
    assert load_results("multi30k-gpu").values("loss.test") == [1.5]
    assert EXPERIMENTS["number-words"].committed_record == tmp_path / "13_number_words.json"


def test_joining_is_associative_and_refuses_other_experiments():
    a, b, c = (of_seed(seed, loss) for seed, loss in ((0, 1.0), (1, 2.0), (5, 6.0)))
    left, right = join_records(join_records(a, b), c), join_records(a, join_records(b, c))
    assert left == right
    assert left.seeds == [0, 1, 5] and left.minutes == 4.5
    assert left.result["mean"] == {"loss.test": 3.0}
    assert a.result["standard_deviation"] == {"loss.test": None}
    changed, clean = replace(a, commit=f"{'a' * 40}-dirty"), replace(b, commit="b" * 40)
    assert join_records(changed, clean).commit == join_records(clean, changed).commit == changed.commit
    with pytest.raises(ValueError, match="both have the seeds"):
        join_records(left, c)
    with pytest.raises(ValueError, match="their config differs"):
        join_records(a, of_seed(1, 1.0, config={"a": 2}))
    with pytest.raises(ValueError, match="their data differs"):
        join_records(a, of_seed(1, 1.0, data={"name": "c"}))


def test_a_number_that_one_seed_lacks_has_no_mean():
    runs = [
        {"seed": seed, "settings": {"kind": kind}, "result": {"nats": 1.0 + seed, "perplexity": perplexity}}
        for kind, perplexities in (("a", (3.0, None)), ("b", (3.0, 5.0)))
        for seed, perplexity in enumerate(perplexities)
    ]
    assert summary(runs)["mean"] == {"kind=a nats": 1.5, "kind=b nats": 1.5, "kind=b perplexity": 4.0}
