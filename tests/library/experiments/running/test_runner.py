"""Experiments by name: units are run once, seeds join, and an interrupted experiment continues."""

import json
import math
import multiprocessing
import os
import pickle
import re
import shutil
import statistics
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from cli_runs import refused
from tqdm import tqdm

from transformer_lib.__main__ import main
from transformer_lib.experiments import EXPERIMENTS, Experiment, Tuned, run, run_seed
from transformer_lib.experiments.running import processes, runner
from transformer_lib.experiments.running.results import joint_commit
from transformer_lib.experiments.shared.text_experiment import text_experiment
from transformer_lib.text import language_model, translation
from transformer_lib.text import run as text_module
from transformer_lib.training import Record, read_record, records, write_record

SETTINGS = ["d_model=16", "n_heads=2", "n_layers=1", "steps=4", "evaluate_every=2", "warmup_steps=1"]
RATES = (1.0, 2.0, 3.0)
CHOSEN = (("a", 2.0), ("b", 3.0))


class Counted:
    """A measurement that takes no time, and remembers its calls; `stop_at` presses Ctrl-C in a call."""

    def __init__(self) -> None:
        self.calls: list[tuple] = []
        self.stop_at: int | None = None

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 0.0) -> dict:
        if len(self.calls) == self.stop_at:
            self.stop_at = None
            raise KeyboardInterrupt
        self.calls.append((seed, kind, rate))
        best = {"a": 2.0, "b": 3.0}[kind]
        return {
            "valid": (rate - best) ** 2,
            "loss": {"test": seed + 10 * best + rate},
            "curve": [{"step": 1}],
        }


def run_minutes(folder: Path) -> float:
    return math.fsum(read_record(path).minutes for path in folder.iterdir())


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """The checkout has no changes, wherever the tests run."""
    monkeypatch.setattr(records, "_commit", lambda: "f" * 40)


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
def compared(counted) -> Experiment:
    """Two conditions whose rate is tuned at seed 0."""
    return Experiment(
        name="compared",
        chapter=99,
        description="nothing",
        measure=counted,
        seeds=(0, 1, 2),
        config={"a": 1},
        data=lambda: {"name": "none"},
        conditions=({"kind": "a", "rate": Tuned(RATES)}, {"kind": "b", "rate": Tuned(RATES)}),
    )


@pytest.fixture
def small_experiments(small_and_elsewhere, monkeypatch):
    for name, recipe, train, batch_size in (
        ("tales", language_model.RECIPE, language_model.train_language_model, 4),
        ("number-words", translation.RECIPE, translation.train_translator, 512),
    ):
        small = replace(recipe, batch_size=batch_size)
        small = small.with_settings([*SETTINGS, "context_length=32", "device=cpu"])
        old = EXPERIMENTS[name]
        new = text_experiment(name, old.chapter, old.description, small, train)
        monkeypatch.setitem(EXPERIMENTS, name, new)


def test_what_is_tuned_is_chosen_at_the_first_seed_and_each_unit_is_run_once(compared, counted, tmp_path):
    record = run(compared, tmp_path / "compared.json")
    tried = [(0, kind, rate) for kind in "ab" for rate in RATES]
    chosen = [(seed, kind, {"a": 2.0, "b": 3.0}[kind]) for seed in (1, 2) for kind in "ab"]
    assert counted.calls == [*tried, *chosen]
    settings = [(entry["seed"], entry["settings"]) for entry in record.result["runs"]]
    assert settings == [
        (seed, {"kind": kind, "rate": {"a": 2.0, "b": 3.0}[kind]}) for seed in (0, 1, 2) for kind in "ab"
    ]
    assert record.result["mean"]["kind=a rate=2.0 loss.test"] == 1 + 20 + 2
    assert record.config["conditions"][0] == {"kind": "a", "rate": [1.0, 2.0, 3.0]}
    assert record.curve[1] == {"seed": 0, "kind": "b", "rate": 3.0, "step": 1}
    assert record.hardware["processes"] == 1 and record.hardware["threads"] == 1


@pytest.mark.parametrize("stop_at", [0, 4, 8])
def test_an_interrupted_experiment_continues_where_it_stopped(compared, counted, tmp_path, stop_at):
    whole = run(compared, tmp_path / "whole.json").result["mean"]
    n_units = len(counted.calls)
    counted.calls.clear()
    counted.stop_at = stop_at
    path = tmp_path / "again.json"
    with pytest.raises(KeyboardInterrupt):
        run(compared, path)
    assert not path.exists() and len(counted.calls) == stop_at
    assert run(compared, path).result["mean"] == whole
    assert len(counted.calls) == n_units


class Dies(Counted):
    """A measurement whose process ends without a word."""

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 0.0) -> dict:
        os._exit(3)


class Waits(Counted):
    """A measurement that says that it has begun, and then waits for ever."""

    def __init__(self, pipe: Path) -> None:
        super().__init__()
        self.pipe = pipe

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 0.0) -> dict:
        self.pipe.write_bytes(b"!")
        threading.Event().wait()
        return {}


class Fails(Counted):
    """A measurement that fails for one kind."""

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 0.0) -> dict:
        if kind == "b":
            raise ValueError("there is nothing to measure")
        return super().__call__(seed, folder, kind, rate)


class Shows:
    """A measurement that shows a bar."""

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 0.0) -> dict:
        for _ in tqdm(range(3), unit="step", disable=not runner.shows_progress()):
            pass
        return {"valid": rate}


@pytest.fixture
def four_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_units_at_once_are_units_one_by_one(compared, counted, tmp_path, four_threads, capsys, monkeypatch):
    # as few units as show it, since each has a process of its own
    tuned = ({"kind": "a", "rate": Tuned(RATES[:2])}, {"kind": "b", "rate": 3.0})
    compared = replace(compared, conditions=tuned, seeds=(0, 1))
    alone = run(compared, tmp_path / "alone.json")
    counted.calls.clear()
    for module in (runner, processes):
        monkeypatch.setattr(module, "shows_progress", lambda: True)
    together = run(compared, tmp_path / "together.json", jobs=2)
    assert counted.calls == [], "others have measured"
    assert [one["settings"] for one in together.result["runs"]] == [
        one["settings"] for one in alone.result["runs"]
    ]
    assert together.result["mean"] == alone.result["mean"] and together.curve == alone.curve
    assert {one["hardware"]["threads"] for one in together.result["runs"]} == {2}
    assert {one["commit"] for one in together.result["runs"]} == {together.commit}
    assert "5/5" in capsys.readouterr().err


@pytest.mark.slow
def test_units_at_once_show_how_far_each_is(compared, tmp_path, capfd, caplog):
    kinds = ({"kind": "a", "rate": 1.0}, {"kind": "b", "rate": 1.0})
    showing = replace(compared, measure=Shows(), conditions=kinds)
    with caplog.at_level("INFO", logger="transformer_lib"):
        run(showing, tmp_path / "shown.json", seeds=[0, 1], jobs=2)
    shown = capfd.readouterr().err
    for unit in ("kind=a rate=1.0 seed-0", "kind=b rate=1.0 seed-1"):
        assert re.search(rf"{unit}: +100%.*3/3 .*step/s", shown), unit
    assert "3/4" in shown
    with caplog.at_level("WARNING", logger="transformer_lib"):
        run(showing, tmp_path / "quiet.json", seeds=[0], jobs=2)
    assert capfd.readouterr().err == ""


def test_the_time_is_estimated_from_the_record(compared, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "RECORDS", tmp_path)
    assert compared.time_on_record([3], jobs=2) == "not recorded yet"
    written = run(compared, tmp_path / "99_compared.json")
    hardware = written.hardware | {"cores": 16, "threads": 2}
    write_record(tmp_path / "99_compared.json", replace(written, minutes=90.0, hardware=hardware))
    assert compared.time_on_record([3]).endswith("; seed 3 would take about 30 minutes there")
    # two conditions of two seeds: four units, so that no more than four run at once
    for seeds, jobs, said in (
        ([3, 4], 2, "seeds 3 4 with 2 at once would take about 30 minutes there"),
        ([3, 4], 9, "seeds 3 4 with 4 at once would take about 15 minutes there"),
        ([3, 4, 5, 6, 7], 10, "with 8 at once would take about 19 minutes there"),
    ):
        assert compared.time_on_record(seeds, jobs=jobs).endswith(said), "no more than its cores allow"
    assert compared.time_on_record().startswith("90 minutes for seeds 0 1 2 (processes 1, threads 2, ")


@pytest.mark.slow
def test_a_unit_that_fails_beside_others_is_told_and_what_is_finished_stays(compared, counted, tmp_path):
    failing = replace(compared, measure=Fails())
    with pytest.raises(ValueError, match="there is nothing to measure"):
        run(failing, tmp_path / "failing.json", jobs=2)
    assert not (tmp_path / "failing.json").exists()
    run(compared, tmp_path / "failing.json")
    first = [call for call in counted.calls if call[:2] == (0, "a")]
    assert len(first) < len(RATES), "some were read"


@pytest.mark.slow
def test_a_process_that_is_killed_is_told_without_a_traceback(compared, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(EXPERIMENTS, "compared", replace(compared, measure=Dies()))
    record = str(tmp_path / "dies.json")
    error = refused(capsys, ["reproduce", "compared", "-j", "2", "--record", record])
    assert re.search(r"kind=a rate=\d.0 seed-0 ended with code 3; if it had too little memory", error)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_ctrl_c_ends_the_units_that_run_at_once_and_the_others_do_not_begin(compared, tmp_path, monkeypatch):
    pipe = tmp_path / "begun"
    os.mkfifo(pipe)
    waiting = replace(compared, measure=Waits(pipe))
    monkeypatch.setattr(processes, "SECONDS_TO_SAVE", 0)
    begun = []

    def pressed(objects):
        while len(begun) < 2:
            begun.extend(pipe.read_bytes())
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "connection", SimpleNamespace(wait=pressed))
    with pytest.raises(KeyboardInterrupt):
        run(waiting, tmp_path / "waits.json", jobs=2)
    assert len(begun) == 2 and not multiprocessing.active_children()


def test_a_unit_of_another_configuration_is_refused_before_others_are_measured(compared, counted, tmp_path):
    run(compared, tmp_path / "compared.json", seeds=[0])
    (tmp_path / "compared.json").unlink()
    other = replace(compared, config={"a": 2}, measure=Dies())
    with pytest.raises(ValueError, match="was made with other settings or data"):
        run(other, tmp_path / "compared.json", jobs=2)


def test_what_is_timed_runs_alone(compared, tmp_path):
    with pytest.raises(ValueError, match="the units of compared are timed, so they run one by one"):
        run(replace(compared, is_timed=True), tmp_path / "none.json", jobs=2)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_measurement_can_be_sent_to_another_process(name):
    pickle.dumps((EXPERIMENTS[name].measure, EXPERIMENTS[name].conditions))


@pytest.mark.parametrize("jobs", [0, -1])
def test_a_number_of_jobs_is_one_or_more(compared, tmp_path, jobs):
    with pytest.raises(ValueError, match="jobs"):
        run(compared, tmp_path / "none.json", jobs=jobs)


def test_jobs_do_not_go_with_the_processes_of_torchrun(compared, tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="several jobs are for one process"):
        run(compared, tmp_path / "none.json", jobs=2)


@pytest.mark.parametrize(
    "change", [{"config": {"a": 2}}, {"data": lambda: {"name": "other"}}], ids=["settings", "data"]
)
def test_a_unit_of_other_settings_or_data_is_refused_and_overwriting_starts_again(
    compared, counted, tmp_path, change
):
    path, other = tmp_path / "compared.json", replace(compared, **change)
    counted.stop_at = 3
    with pytest.raises(KeyboardInterrupt):
        run(compared, path)
    with pytest.raises(ValueError, match=r"seed-0\.json was made with other settings or data"):
        run(other, path)
    calls = len(counted.calls)
    again = run(other, path, overwrite=True)
    assert (again.config["a"], again.data) in [(2, {"name": "none"}), (1, {"name": "other"})]
    assert len(counted.calls) == calls + 10


def test_an_overwritten_experiment_that_is_interrupted_continues_without_overwrite(
    compared, counted, tmp_path
):
    path = tmp_path / "compared.json"
    run(compared, path)
    calls, counted.stop_at = len(counted.calls), len(counted.calls) + 5
    with pytest.raises(KeyboardInterrupt):
        run(compared, path, overwrite=True)
    run(compared, path)
    assert len(counted.calls) == 2 * calls


def test_seeds_join_with_the_rates_of_the_first_seed(compared, counted, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path, seeds=(0, 1))
    joined = run(compared, path, seeds=(2,))
    assert joined.seeds == [0, 1, 2]
    assert joined.result["mean"] == run(compared, tmp_path / "at-once.json").result["mean"]
    with pytest.raises(ValueError, match=r"has the seeds \[2\] already"):
        run(compared, path, seeds=(2, 3))
    assert joined.minutes == pytest.approx(run_minutes(tmp_path / "compared"))
    for unit in (tmp_path / "compared").iterdir():
        unit.unlink()
    with pytest.raises(ValueError, match="their config differs"):
        run(replace(compared, config={"a": 2}), path, seeds=(7,))


@pytest.mark.parametrize("second", ["b" * 40, "b" * 40 + "-dirty"])
def test_a_record_of_several_commits_says_so_and_is_no_cleaner_than_its_units(
    compared, counted, tmp_path, caplog, monkeypatch, second
):
    path, commits = tmp_path / "compared.json", ["a" * 40, second, "c" * 40]
    for commit, stop_at in zip(commits[:2], (2, 4)):
        monkeypatch.setattr(records, "_commit", lambda commit=commit: commit)
        counted.stop_at = stop_at
        with pytest.raises(KeyboardInterrupt):
            run(compared, path)
    assert "different commits" not in caplog.text
    monkeypatch.setattr(records, "_commit", lambda: commits[2])
    expected = second if second.endswith("-dirty") else commits[2]
    assert run(compared, path).commit == read_record(path).commit == expected
    assert f"runs of different commits: {', '.join(commits)}" in caplog.text
    assert run(compared, path, seeds=(3,)).commit == expected


def test_a_changed_checkout_is_told_before_anything_is_measured(
    compared, counted, tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(EXPERIMENTS, "compared", compared)
    argv = ["reproduce", "compared", "--quiet", "--record", str(tmp_path / "compared.json")]
    told = "will not be accepted as a committed record"
    monkeypatch.setattr(records, "_commit", lambda: "a" * 40 + "-dirty")
    counted.stop_at = 0
    assert main(argv) == 130
    assert f"the checkout has changes that are not committed (see git status): this record {told}" in (
        capsys.readouterr().err
    )
    counted.stop_at = 1
    assert main(argv) == 130
    capsys.readouterr()
    monkeypatch.setattr(records, "_commit", lambda: "b" * 40)
    counted.stop_at = 1
    assert main(argv) == 130
    err = capsys.readouterr().err
    assert re.search(rf"kind=a,rate=1.0,seed-0\.json is from a changed checkout: this record {told}", err)
    assert "the checkout has changes" not in err
    counted.stop_at = len(counted.calls)
    assert main([*argv, "--overwrite"]) == 130
    assert told not in capsys.readouterr().err, "what is started again is clean"


def test_a_changed_record_that_seeds_would_join_is_told_first(compared, counted, tmp_path, caplog):
    path = tmp_path / "compared.json"
    write_record(path, replace(run(compared, path, seeds=[0]), commit="a" * 40 + "-dirty"))
    assert not caplog.text
    counted.stop_at = len(counted.calls)
    with pytest.raises(KeyboardInterrupt):
        run(compared, path, seeds=[1])
    assert f"{path} is from a changed checkout" in caplog.text


def test_a_record_has_the_command_that_makes_all_of_it(compared, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(
        EXPERIMENTS, "compared", replace(compared, gpu=replace(compared, name="compared-gpu"))
    )
    for extra in ([], ["--budget", "gpu"]):
        name = "compared-gpu" if extra else "compared"
        typed = ["reproduce", "compared", *extra, "--quiet", "--record", "elsewhere.json", "--overwrite"]
        assert main([*typed, "--seeds", "1", "0"]) == 0
        assert main([*typed[:-1], "--seeds", "2"]) == 0
        record, plain = read_record("elsewhere.json"), ["reproduce", "compared", *extra]
        assert record.command == [*["python", "-m", "transformer_lib"], *plain, "--seeds", "1", "0", "2"]
        assert {entry["command"][-1] for entry in record.result["runs"]} == {"0", "1", "2"}
        assert main(record.command[3:]) == 0, "it can be pasted beside the record"
        again = read_record(f"runs/records/{name}.json")
        assert again.command == record.command and again.result["mean"] == record.result["mean"]


@pytest.mark.parametrize(
    ("commits", "joint"),
    [
        (["a"], "a"),
        (["a", "b", "a"], "a"),
        (["a", "b-dirty", "c"], "b-dirty"),
        (["a-dirty", None, "c"], None),
        ([None], None),
    ],
)
def test_the_commit_of_a_record_is_its_last_unless_one_is_worse(commits, joint):
    assert joint_commit(commits) == joint


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_record_without_its_units_still_says_what_was_chosen(compared, counted, tmp_path, jobs):
    """As when seeds join a committed record: what its first seed has tuned is not tuned again."""
    path = tmp_path / "committed.json"
    run(compared, path, seeds=(0,))
    shutil.rmtree(path.with_suffix(""))
    counted.calls.clear()
    joined = run(compared, path, seeds=(1, 2), jobs=jobs)
    assert read_record(path).seeds == [0, 1, 2]
    made = {unit.stem for unit in path.with_suffix("").glob("*.json")}
    assert made == {f"kind={kind},rate={rate},seed-{seed}" for kind, rate in CHOSEN for seed in (1, 2)}
    if jobs == 1:
        assert counted.calls == [(seed, kind, rate) for seed in (1, 2) for kind, rate in CHOSEN]
    assert joined.result["mean"] == run(compared, tmp_path / "at-once.json").result["mean"]


def test_a_record_of_another_experiment_is_refused_before_anything_is_measured(compared, counted, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path, seeds=(0,))
    counted.calls.clear()
    with pytest.raises(ValueError, match="cannot be joined: their config differs; give --overwrite"):
        run(replace(compared, config={"a": 2}), path, seeds=(1,))
    assert not counted.calls


def test_records_of_tables_do_not_join(compared, tmp_path):
    tabled = replace(compared, tables=lambda runs: {"rows": [entry["seed"] for entry in runs]})
    path = tmp_path / "compared.json"
    assert run(tabled, path, seeds=(1, 2)).result == {"rows": [1, 1, 2, 2]}
    with pytest.raises(ValueError, match="cannot be joined, since they hold tables"):
        run(tabled, path, seeds=(3,))


def test_the_bar_counts_units_and_what_is_read_is_no_work(compared, counted, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(runner, "shows_progress", lambda: True)
    counted.stop_at = 4
    with pytest.raises(KeyboardInterrupt):
        run(compared, tmp_path / "compared.json")
    assert "4/10" in capsys.readouterr().err
    run(compared, tmp_path / "compared.json")
    err = capsys.readouterr().err
    assert "10/10" in err and "kind=b rate=3.0 seed-2" in err


def test_one_seed_is_measured_live_and_leaves_nothing(compared, counted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_seed(compared, 4, kind="b", rate=1.0)["loss"] == {"test": 35.0}
    assert counted.calls == [(4, "b", 1.0)] and not list(tmp_path.iterdir())


def test_the_list_takes_the_minutes_from_the_committed_records(capsys, monkeypatch, tmp_path):
    assert main(["reproduce", "--list"]) == 0
    out = capsys.readouterr().out
    for name, experiment in EXPERIMENTS.items():
        assert re.search(
            rf"^{name} +chapter {experiment.chapter}: {re.escape(experiment.description)}$", out, re.M
        )
    record = read_record(runner.RECORDS / "02_marginals.json")
    on = f"(processes 1, threads {record.hardware['threads']}, "
    assert f"seeds 0 1 2 3 4; {record.minutes:.0f} minutes for seeds 0 1 2 3 4 {on}" in out
    assert {"marginals", "tales", "number-words"} <= EXPERIMENTS.keys()
    monkeypatch.setattr(runner, "RECORDS", tmp_path)
    assert main(["reproduce", "--list"]) == 0
    forms = [*EXPERIMENTS.values(), *(one.gpu for one in EXPERIMENTS.values() if one.gpu is not None)]
    assert capsys.readouterr().out.count("not recorded yet") == len(forms)
    monkeypatch.setattr(runner, "RECORDS", tmp_path / "nowhere")
    assert main(["reproduce", "--list"]) == 0
    assert capsys.readouterr().out.count("its record is in the course's repository") == len(forms)


def test_the_size_for_a_gpu_is_an_experiment_of_its_own(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    larger = {name: one.gpu for name, one in EXPERIMENTS.items() if one.gpu is not None}
    assert larger
    for name, gpu in larger.items():
        assert gpu.name == f"{name}-gpu" and gpu.committed_record.stem.endswith("_gpu")
        assert gpu.conditions == EXPERIMENTS[name].conditions and gpu.config != EXPERIMENTS[name].config
    told = refused(capsys, ["reproduce", "shakespeare-best-gpu"])
    assert "write shakespeare-best --budget gpu" in told
    told = refused(capsys, ["reproduce", "marginals", "--budget", "gpu"])
    assert "marginals has one size, which a processor reaches" in told


def test_the_record_of_a_form_for_a_gpu_names_it_where_there_is_one(compared, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a GPU")
    for name, available, device in (
        ("compared", True, "cpu"),
        ("compared-gpu", True, "a GPU"),
        ("compared-gpu", False, "cpu"),
    ):
        monkeypatch.setattr(torch.cuda, "is_available", lambda available=available: available)
        record = run(replace(compared, name=name), tmp_path / f"{name}.json", seeds=[0], overwrite=True)
        assert {one["device"] for one in (record.hardware, record.result["runs"][0]["hardware"])} == {device}
        monkeypatch.setattr(runner, "RECORDS", tmp_path)
        on_record = replace(compared, name=name, chapter=2)
        shutil.copy(tmp_path / f"{name}.json", on_record.committed_record)
        assert (", a GPU)" in on_record.time_on_record()) == (device == "a GPU")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tales", "number-words"])
def test_seeds_of_today_join_those_of_yesterday(capsys, small_experiments, name):
    assert main(["reproduce", name, "--quiet"]) == 0
    assert main(["reproduce", name, "--quiet", "--seeds", "2"]) == 0
    out, err = capsys.readouterr()
    assert f"{name}: seeds 0 2," in out and "±" in out and err == ""
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


@pytest.mark.slow
def test_seeds_at_once_are_seeds_one_by_one(small_experiments):
    together = run(EXPERIMENTS["tales"], "together.json", seeds=(0, 1))
    for seed in (0, 1):
        alone = run(EXPERIMENTS["tales"], "alone.json", seeds=(seed,))
    timed = {"tokens_per_second"}
    assert {k: v for k, v in together.result["mean"].items() if k not in timed} == {
        k: v for k, v in alone.result["mean"].items() if k not in timed
    }


@pytest.mark.slow
def test_a_training_that_is_interrupted_resumes_from_its_checkpoint(
    capsys, caplog, monkeypatch, small_experiments
):
    with monkeypatch.context() as patch:
        evaluate = text_module.Run.train

        def press(self, *arguments, **options):
            trained = evaluate(self, *arguments, **options)
            if self.recipe.training.seed == 1:
                raise KeyboardInterrupt
            return trained

        patch.setattr(text_module.Run, "train", press)
        assert main(["reproduce", "tales", "--seeds", "0", "1"]) == 130
    err = capsys.readouterr().err
    assert "seed 1: training in" in err and "give the same command" in err
    assert not Path("runs/records/tales.json").exists()
    assert main(["reproduce", "tales", "--seeds", "0", "1"]) == 0
    err = capsys.readouterr().err
    assert "seed 0" not in err and "seed 1: resuming in" in err


@pytest.mark.slow
def test_a_record_is_replaced_with_its_runs_on_request(capsys, small_experiments):
    for options in ([], ["--overwrite"]):
        assert main(["reproduce", "tales", *options]) == 0
        assert "seed 0: training in" in capsys.readouterr().err
    assert read_record("runs/records/tales.json").seeds == [0]


def test_a_unit_that_was_edited_is_refused(compared, counted, tmp_path):
    counted.stop_at = 1
    path = tmp_path / "compared.json"
    with pytest.raises(KeyboardInterrupt):
        run(compared, path)
    (unit,) = (tmp_path / "compared").iterdir()
    content = json.loads(unit.read_text(encoding="utf-8"))
    content["config"]["rate"] = 9.0
    unit.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match="edited after the run"):
        run(compared, path)


def test_what_a_unit_holds_is_a_record_of_its_own(compared, tmp_path):
    run(compared, tmp_path / "compared.json")
    unit = read_record(tmp_path / "compared" / "kind=a,rate=2.0,seed-1.json")
    assert isinstance(unit, Record) and unit.seeds == [1]
    assert unit.config["kind"] == "a" and unit.result["loss"] == {"test": 23.0}
    assert write_record(tmp_path / "copy.json", unit)


def test_seeds_of_two_sessions_that_ran_at_once_are_both_in_the_record(compared, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path, seeds=(0,))

    def meanwhile(seed: int, folder: Path, **settings: object) -> dict:
        if seed == 1 and 2 not in read_record(path).seeds:
            run(compared, path, seeds=(2,))
        return compared.measure(seed, folder, **settings)

    assert run(replace(compared, measure=meanwhile), path, seeds=(1,)).seeds == [0, 2, 1]
    assert read_record(path).seeds == [0, 2, 1]


def test_what_another_seed_has_settled_is_not_tuned_again(compared, counted, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path, seeds=(1,))
    shutil.rmtree(path.with_suffix(""))
    counted.calls.clear()
    run(compared, path, seeds=(2,))
    assert counted.calls == [(2, kind, rate) for kind, rate in CHOSEN]


def test_tables_that_another_session_has_written_meanwhile_are_not_replaced(compared, tmp_path):
    path = tmp_path / "compared.json"
    tabled = replace(compared, tables=lambda runs: {"rows": [entry["seed"] for entry in runs]})

    def meanwhile(seed: int, folder: Path, **settings: object) -> dict:
        if not path.exists():
            run(tabled, path, seeds=(0,))
        return compared.measure(seed, folder, **settings)

    with pytest.raises(ValueError, match="cannot be joined, since they hold tables"):
        run(replace(tabled, measure=meanwhile), path, seeds=(1,))
    assert read_record(path).seeds == [0]
