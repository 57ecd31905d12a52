"""Outputs beside a record: they are those of its runs, also after an interruption and when seeds join."""

import gzip
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from transformer_lib.experiments import Experiment, Results, Tuned, run
from transformer_lib.experiments.running.outputs import LIMIT, outputs_beside, write_outputs
from transformer_lib.training import Record, RecordError, read_record, records

ENDING = ".outputs.jsonl.gz"


class Translates:
    """A measurement that keeps what it has translated; `stop_at` presses Ctrl-C in a call."""

    def __init__(self, n_items: int = 3) -> None:
        self.n_items, self.n_calls, self.stop_at = n_items, 0, None

    def __call__(self, seed: int, folder: Path, kind: str = "a", rate: float = 1.0) -> dict:
        if self.n_calls == self.stop_at:
            raise KeyboardInterrupt
        self.n_calls += 1
        texts = [f"Tür {item} of {kind}, {rate}, {seed}" for item in range(self.n_items)]
        return {"valid": rate, "outputs": {"texts": texts, "by beams": {"4": {"nats": [seed + 0.5, -1.0]}}}}


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    monkeypatch.setattr(records, "_commit", lambda: "f" * 40)


@pytest.fixture
def translates() -> Translates:
    return Translates()


@pytest.fixture
def compared(translates) -> Experiment:
    return Experiment(
        name="compared",
        chapter=99,
        description="nothing",
        measure=translates,
        seeds=(0, 1),
        config={"a": 1},
        data=lambda: {"name": "none"},
        conditions=({"kind": "a", "rate": Tuned((2.0, 1.0))}, {"kind": "b", "rate": 3.0}),
    )


def read(path: Path) -> Results:
    return Results(read_record(path), path)


def kept(path: Path) -> dict[str, bytes]:
    return {found.name: found.read_bytes() for found in outputs_beside(path)}


def test_outputs_are_beside_the_record_and_not_in_it(compared, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path)
    results = read(path)
    for seed in (0, 1):
        for kind, rate in (("a", 1.0), ("b", 3.0)):
            expected = [f"Tür {item} of {kind}, {rate}, {seed}" for item in range(3)]
            assert results.outputs("texts", seed=seed, kind=kind) == expected
            assert results.outputs("by beams.4.nats", seed=seed, kind=kind) == [seed + 0.5, -1.0]
    assert results.values("valid", kind="a") == [1.0, 1.0]
    assert b"T\\u00fcr" not in path.read_bytes() and not any(
        "outputs" in r["result"] for r in results._runs()
    )
    assert set(kept(path)) == {f"compared.seed-{seed}{ENDING}" for seed in (0, 1)}, (
        "git does not ignore files"
    )


def test_a_training_s_own_record_may_hold_them_too(compared, translates, tmp_path):
    def trained(seed: int, folder: Path, **settings: object) -> Record:
        nothing: dict = {"config": {}, "data": {}, "seeds": [seed], "minutes": 7.0, "curve": []}
        return Record.of_run(**nothing, result=translates(seed, folder))

    path = tmp_path / "compared.json"
    run(replace(compared, measure=trained, conditions=({},)), path)
    assert read(path).outputs("texts", seed=1)[2] == "Tür 2 of a, 1.0, 1"
    assert read_record(path).minutes == 14.0


@pytest.mark.parametrize("stop_at", range(5))
def test_outputs_of_finished_units_survive_an_interruption(compared, translates, tmp_path, stop_at):
    run(compared, tmp_path / "whole" / "compared.json")
    path, n_units = tmp_path / "compared.json", translates.n_calls
    translates.n_calls, translates.stop_at = 0, stop_at
    with pytest.raises(KeyboardInterrupt):
        run(compared, path)
    assert not kept(path), "there is no record yet"
    translates.stop_at = None
    run(compared, path)
    assert translates.n_calls == n_units
    assert kept(path) == kept(tmp_path / "whole" / "compared.json"), "the same bytes"


def test_seeds_join_by_files_of_their_own(compared, translates, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path, seeds=[0])
    shutil.rmtree(path.with_suffix(""))
    first = kept(path)
    run(compared, path, seeds=[4])
    assert kept(path).items() >= first.items()
    assert [read(path).outputs("texts", seed=seed, kind="b")[0][-1] for seed in (0, 4)] == ["0", "4"]
    whole = tmp_path / "whole" / "compared.json"
    run(compared, whole, seeds=[0, 4])
    assert kept(path) == kept(whole)


def test_seeds_with_outputs_join_a_record_without(compared, translates, tmp_path):
    path = tmp_path / "compared.json"
    run(replace(compared, measure=without), path, seeds=[0])
    assert not kept(path)
    run(compared, path, seeds=[1])
    assert read(path).outputs("texts", seed=1, kind="b")
    with pytest.raises(ValueError, match="the run of seed 0 has no outputs in this record: run it again"):
        read(path).outputs("texts", seed=0, kind="b")
    assert read(path).values("valid", kind="b") == [3.0, 3.0]


def without(seed: int, folder: Path, kind: str, rate: float) -> dict:
    return {"valid": rate}


def test_an_overwritten_record_loses_its_outputs(compared, tmp_path):
    path, other = tmp_path / "compared.json", tmp_path / "compared_longer.json"
    for one in (path, other):
        run(compared, one)
    run(replace(compared, measure=without), path, seeds=[0], overwrite=True)
    assert not kept(path) and len(kept(other)) == 2
    assert not list(path.with_suffix("").glob(f"*{ENDING}"))


@pytest.mark.slow
def test_outputs_of_units_at_once_are_those_of_one_by_one(compared, tmp_path):
    alone, together = tmp_path / "alone" / "compared.json", tmp_path / "together" / "compared.json"
    compared = replace(compared, conditions=compared.conditions[1:])  # each unit has a process of its own
    run(compared, alone)
    run(compared, together, jobs=2)
    assert kept(alone) == kept(together)


def test_what_is_too_large_is_refused_when_the_first_unit_is_measured(compared, translates, tmp_path):
    path, letters = tmp_path / "compared.json", random.Random(0)
    sentences = ["".join(letters.choices("abcdefgh", k=60)) for _ in range(6000)]

    def measure(seed: int, folder: Path, **settings: object) -> dict:
        translates.n_calls += 1
        return {"valid": 0.0, "outputs": {"texts": sentences}}

    said = r"seed-0 take 1\d\d,\d{3} bytes, .* may take 100,000 of the 200,000 of a seed: .* fewer items"
    with pytest.raises(ValueError, match=said):
        run(replace(compared, measure=measure), path)
    assert translates.n_calls == 1 and not path.exists()
    run(replace(compared, measure=measure, conditions=compared.conditions[1:]), path, overwrite=True)
    assert all(len(content) <= LIMIT for content in kept(path).values()), "one condition may take all"


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"texts": "abc"}, "the outputs 'texts' must be a list of texts or of numbers; got 'abc'"),
        ({"by beams": {"4": [["a"]]}}, "the outputs 'by beams.4' must be a list"),
        ({"nats": [float("nan")]}, "JSON"),
        (["a"], "must be a dictionary of lists"),
    ],
)
def test_what_is_no_list_by_item_is_refused(tmp_path, kept, said):
    with pytest.raises(ValueError, match=said):
        write_outputs(tmp_path / f"unit{ENDING}", "seed-0", kept, LIMIT)
    assert not list(tmp_path.iterdir())


def test_the_bytes_do_not_depend_on_the_time(tmp_path, monkeypatch):
    for name, now in (("a", 1.0), ("b", 2e9)):
        monkeypatch.setattr("time.time", lambda now=now: now)
        write_outputs(tmp_path / name, "seed-0", {"texts": ["a"]}, LIMIT)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_record_of_tables_has_no_outputs(compared, tmp_path):
    with pytest.raises(ValueError, match="the record of compared holds tables, so it can have no outputs"):
        run(replace(compared, tables=lambda runs: {"rows": []}), tmp_path / "compared.json")


def test_outputs_that_are_missing_damaged_or_of_other_runs_are_refused(compared, translates, tmp_path):
    path, other = tmp_path / "compared.json", tmp_path / "other.json"
    run(compared, path)
    translates.n_items = 4
    run(compared, other)
    results, (file, _), (longer, _) = read(path), outputs_beside(path), outputs_beside(other)
    with pytest.raises(
        ValueError, match=r"seed 7 and .* name no single run; there are the seeds \[0, 1\] of"
    ):
        results.outputs("texts", seed=7, kind="a")
    with pytest.raises(ValueError, match="name no single run"):
        results.outputs("texts", seed=0)
    with pytest.raises(ValueError, match=r"no outputs 'text'; there are texts, by beams\.4\.nats"):
        results.outputs("text", seed=0, kind="a")
    whole = file.read_bytes()
    for content in (whole[:-9], b"text", gzip.compress(b"[]\n"), gzip.compress(b"{"), longer.read_bytes()):
        file.write_bytes(content)
        with pytest.raises(RecordError, match=r"cannot be read as outputs|has the outputs of other runs"):
            results.outputs("texts", seed=0, kind="a")
    file.unlink()
    with pytest.raises(RecordError, match="is missing: the record's outputs belong beside it"):
        results.outputs("texts", seed=0, kind="a")
    file.write_bytes(whole)
    assert results.outputs("texts", seed=0, kind="a")


def test_a_unit_that_is_measured_again_without_outputs_has_none(compared, tmp_path):
    path = tmp_path / "compared.json"
    run(compared, path)
    for unit in [path, *path.with_suffix("").glob("*.json"), *outputs_beside(path)]:
        unit.unlink()
    run(replace(compared, measure=without), path)
    assert not kept(path) and not any("outputs" in entry for entry in read_record(path).result["runs"])
    assert outputs_beside(tmp_path / "nothing.json") == []
