"""A record says what was run, and one that is not whole or was edited is refused."""

import json
import shutil
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from transformer_lib.training import Record, RecordError, read_record, records, write_record

RUN = Record.of_run(
    command=["python", "-m", "transformer_lib", "train"],
    config={"steps": 10, "learning_rate": 0.1},
    data={"name": "tales", "sha256": "0" * 64},
    seeds=[0],
    minutes=0.5,
    curve=[{"step": 10, "training_loss": 1.0, "validation_loss": None}],
    result={"nats": 0.9},
)


def test_a_record_comes_back_as_it_was_written(tmp_path):
    path = write_record(tmp_path / "new" / "record.json", RUN)
    assert read_record(path) == RUN
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["format_version"] == 1
    assert path.read_bytes().endswith(b"}\n") and b"\r" not in path.read_bytes()


def test_a_record_says_where_and_with_what_it_was_run():
    assert RUN.versions["torch"] == torch.__version__
    assert {"python", "numpy", "transformer-lib"} <= RUN.versions.keys()
    assert RUN.hardware["device"] == "cpu"
    assert RUN.hardware["threads"] == torch.get_num_threads()
    assert RUN.hardware["processor"]


def test_the_hash_depends_on_the_settings_and_not_on_their_order():
    assert records.json_hash({"a": 1, "b": 2}) == records.json_hash({"b": 2, "a": 1})
    assert records.json_hash({"a": 1, "b": 2}) != records.json_hash({"a": 1, "b": 3})
    assert RUN.config_hash == records.json_hash(RUN.config)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_is_that_of_the_checkout_and_none_outside_of_one(tmp_path, monkeypatch):
    package = tmp_path / "training"
    package.mkdir()
    module = package / "records.py"
    module.write_text("", encoding="utf-8")
    monkeypatch.setattr(records, "__file__", str(module))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    assert records._commit() is None
    git("init")
    assert records._commit() is None, "a repository that does not track the library says nothing of it"
    git("add", "training/records.py")
    git("commit", "-m", "one")
    assert records._commit() == git("rev-parse", "HEAD")
    module.write_text("changed", encoding="utf-8")
    assert records._commit() == git("rev-parse", "HEAD") + "-dirty"
    git("checkout", ".")
    record = tmp_path / "book" / "records" / "07_heads.json"
    record.parent.mkdir(parents=True)
    record.write_text("{}", encoding="utf-8")
    git("add", "book")
    git("commit", "-m", "two")
    record.unlink()
    assert records._commit() == git("rev-parse", "HEAD"), (
        "a record that is made again is no change of the code"
    )
    (tmp_path / "notes.txt").write_text("of nobody", encoding="utf-8")
    assert records._commit() == git("rev-parse", "HEAD")
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "new.py").write_text("", encoding="utf-8")
    assert records._commit() == git("rev-parse", "HEAD") + "-dirty", "a module that the commit does not have"


def test_what_json_cannot_hold_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_record(tmp_path / "record.json", replace(RUN, result={"nats": float("nan")}))
    assert list(tmp_path.iterdir()) == []


def altered(**changes: object) -> str:
    return json.dumps({"format_version": 1} | asdict(RUN) | changes)


def without(name: str) -> str:
    content = {"format_version": 1} | asdict(RUN)
    del content[name]
    return json.dumps(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (altered()[:-20], "not JSON"),
        ("[1, 2]", "has no format_version"),
        (without("format_version"), "has no format_version"),
        (altered(format_version=2), "record format 2; this version reads format 1"),
        (without("seeds"), "missing .'seeds'"),
        (altered(speed=3), "unknown .'speed'"),
        (altered(curve={}), "curve must be a JSON array"),
        (altered(config=[]), "config must be a JSON object"),
        (altered(minutes=-1), "minutes must be a number of at least 0"),
        (altered(minutes="long"), "minutes must be a number of at least 0"),
        (altered(config={"steps": 11}), "config does not fit its hash"),
        (altered(data={"name": "other"}), "data does not fit its hash"),
    ],
)
def test_what_is_no_whole_record_is_refused_in_words(tmp_path, content, message):
    path = Path(tmp_path / "record.json")
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RecordError, match=message):
        read_record(path)


def test_a_record_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "record.json")
