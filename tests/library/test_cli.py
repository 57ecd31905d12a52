"""The command line from end to end, with a language model."""

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from cli_runs import COMMANDS, MICRO, few_tales, press_ctrl_c_at_batch_5, refused

from transformer_lib import __version__
from transformer_lib.__main__ import main
from transformer_lib.data import token_stream
from transformer_lib.text import evaluation, language_model, run
from transformer_lib.training import (
    LAST,
    evaluate_language_model,
    load_checkpoint,
    load_model,
    read_record,
    save_checkpoint,
    snapshots,
)
from transformer_lib.transformer.config import PRESETS

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")

ROOT = Path(__file__).resolve().parents[2]


def test_training_prints_the_table_and_leaves_a_run_that_can_be_sampled(capsys):
    assert main(["train", *MICRO]) == 0
    out, err = capsys.readouterr()
    for row in (
        "192 different tokens (words)",
        "Transformer, validation",
        "Transformer, test",
        "best Kneser-Ney (n = ",
        "the source itself, test",
        "entropy rate of the source",
        "distance to the source, test",
        "A text from the model:",
        "12 steps, 768 tokens",
    ):
        assert row in out
    assert "12/12" in err and "evaluating" in err
    run_dir = Path("runs/tales")
    assert sorted(path.name for path in run_dir.iterdir()) == [
        "best.safetensors",
        "last.safetensors",
        "record.json",
    ]
    assert load_model(run_dir).config.d_model == 16
    assert main(["sample", "--checkpoint", str(run_dir), "--prompt", "near a lake", "--tokens", "5"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("near a lake ")
    assert len(text.split()) <= 8


def test_today_s_options_are_settings_that_a_checkpoint_keeps(capsys):
    today = {
        "n_heads": 4,
        "n_kv_heads": 2,
        "norm_kind": "rms",
        "activation": "silu",
        "gated": True,
        "positions": "rotary",
        "rotary_base": 500.0,
    }
    options = [word for name, value in today.items() for word in ("--set", f"{name}={value}")]
    assert main(["train", "--quiet", *MICRO, *options]) == 0
    config = load_model(Path("runs/tales")).config
    assert {name: getattr(config, name) for name in today} == today
    assert main(["sample", "--checkpoint", "runs/tales", "--prompt", "near a lake", "--tokens", "5"]) == 0
    assert capsys.readouterr().out.split("near a lake ")[-1]


def test_the_record_holds_what_was_printed(trained):
    record = read_record(trained / "record.json")
    assert record.command[:4] == ["python", "-m", "transformer_lib", "train"]
    assert record.config["training"]["steps"] == 12
    assert record.config["model"]["d_model"] == 16
    assert record.data["sha256"] == few_tales().sha256
    assert record.seeds == [0]
    assert [point["step"] for point in record.curve] == [4, 8, 12]
    losses = record.result["nats_per_token"]
    assert record.result["distance_to_source"] == losses["test"] - losses["source"] > 0
    assert losses["kneser_ney"] > losses["source"]
    assert abs(losses["source"] - losses["entropy_rate"]) < 0.1


def test_the_checkpoint_is_the_best_on_the_validation_part(trained):
    model, tales = load_model(trained), few_tales()
    nats = {
        part: evaluate_language_model(model, token_stream(getattr(tales, part), tales.tokenizer)).nats
        for part in ("valid", "test")
    }
    best = min(point["validation_loss"] for point in read_record(trained / "record.json").curve)
    assert best == pytest.approx(nats["valid"], abs=1e-6)
    assert best != pytest.approx(nats["test"], abs=1e-4)


def test_a_perplexity_that_is_infinite_does_not_cost_the_record_or_the_report(capsys, monkeypatch):
    monkeypatch.setattr(language_model, "perplexity", lambda nats: math.inf)
    assert main(["train", "--quiet", *MICRO]) == 0
    assert "infinite" in capsys.readouterr().out
    assert set(read_record("runs/tales/record.json").result["perplexity"].values()) == {None}


@pytest.mark.slow
def test_a_seed_repeats_a_run_and_a_sample(capsys, trained):
    assert main(["train", "--quiet", *MICRO]) == 0
    again, first = load_checkpoint("runs/tales"), load_checkpoint(trained)
    assert all(torch.equal(again.weights[key], first.weights[key]) for key in first.weights)
    texts = []
    for seed in ("1", "1", "2"):
        capsys.readouterr()
        assert main(["sample", "--checkpoint", str(trained), "--seed", seed]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_ctrl_c_saves_says_how_to_go_on_and_going_on_ends_the_same(capsys, monkeypatch, trained):
    with monkeypatch.context() as patch:
        press_ctrl_c_at_batch_5(patch, language_model.LanguageModelBatches)
        assert main(["train", "--run-dir", "run", *MICRO]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert "Continue with: python -m transformer_lib train --resume --run-dir run" in err.splitlines()[-1]
    assert not Path("run/record.json").exists()
    assert main(["train", "--resume", "--run-dir", "run", "--quiet"]) == 0
    one, other = load_checkpoint(Path("run") / LAST), load_checkpoint(trained / LAST)
    assert torch.equal(one.tensors["losses"], other.tensors["losses"])
    assert all(torch.equal(one.weights[key], other.weights[key]) for key in other.weights)
    again, first = read_record("run/record.json").result, read_record(trained / "record.json").result
    assert {**again, "tokens_per_second": 0} == {**first, "tokens_per_second": 0}


def test_an_interruption_before_the_first_save_points_to_no_older_run(capsys, monkeypatch, trained):
    shutil.copytree(trained, "run")
    before = Path("run", LAST).read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(language_model, "train_language_model", interrupted)
    argv = ["train", "--overwrite", "--run-dir", "run", *MICRO]
    assert "interrupted before anything was saved" in refused(capsys, argv, code=130)
    assert Path("run", LAST).read_bytes() == before


def test_a_run_whose_tokenizer_comes_out_differently_does_not_go_on(capsys, monkeypatch, trained):
    shutil.copytree(trained, "run")
    read_header = run.read_header

    def other_symbols(*given: object, **named: object) -> dict:
        header = read_header(*given, **named)
        return header | {"tokenizer": header["tokenizer"] | {"symbols": ["another"]}}

    monkeypatch.setattr(run, "read_header", other_symbols)
    argv = ["train", "--resume", "--run-dir", "run", "--steps", "13"]
    assert "the tokenizer of run comes out differently now" in refused(capsys, argv)


def test_a_recipe_that_this_version_does_not_know_is_refused_in_one_line(capsys, trained):
    model, header = load_model(trained), load_checkpoint(trained / LAST)
    for recipe, told in (({"of": "a newer version"}, "the recipe of"), ("muon", "was not made by this")):
        notes = {"notes": {"recipe": recipe, "sha256": "0"}}
        save_checkpoint(Path("run", LAST), model, tokenizer=header.tokenizer, training=notes)
        assert told in refused(capsys, ["train", "--resume", "--run-dir", "run"])


@pytest.mark.slow
def test_a_run_is_overwritten_only_on_request(capsys, trained):
    kept = ["--set", "keep_last=2"]
    assert main(["train", "--quiet", "--run-dir", "run", *MICRO, *kept]) == 0
    assert snapshots("run"), "so that averages could take them"
    assert "already holds a run: resume or overwrite it" in refused(
        capsys, ["train", "--run-dir", "run", *MICRO]
    )
    again = ["train", "--quiet", "--run-dir", "run", *MICRO, "--overwrite", "--seed", "3"]
    assert main(again) == 0
    assert read_record("run/record.json").seeds == [3]
    assert snapshots("run") == [], "they were the other run's"


@pytest.mark.parametrize(
    "mistake",
    [
        ["--precision", "fp16"],
        ["--set", "n_heads=3"],
        pytest.param(
            ["--device", "cuda"],
            marks=pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device"),
        ),
    ],
)
def test_a_run_is_not_lost_to_a_mistake_in_the_one_that_was_to_replace_it(capsys, tmp_path, trained, mistake):
    shutil.copytree(trained, tmp_path / "run")
    refused(capsys, ["train", "--run-dir", "run", *MICRO, "--overwrite", *mistake])
    assert load_model(tmp_path / "run").config.d_model == 16


@pytest.mark.slow
def test_resume_without_a_word_more_goes_on_with_the_run_saved_last(capsys, monkeypatch, trained):
    assert main(["train", "--quiet", *MICRO]) == 0  # runs/tales, which is older
    with monkeypatch.context() as patch:
        press_ctrl_c_at_batch_5(patch, language_model.LanguageModelBatches)
        assert main(["train", "--run-dir", "runs/later", *MICRO, "--seed", "3"]) == 130
    before = Path("runs/tales", LAST).read_bytes()
    assert main(["train", "--resume"]) == 0
    assert "resuming the run in runs" in capsys.readouterr().err
    assert read_record("runs/later/record.json").seeds == [3]
    assert Path("runs/tales", LAST).read_bytes() == before
    assert "runs/wikitext-2" in refused(capsys, ["train", "--resume", "--data", "wikitext-2"])


def test_a_resumed_run_keeps_its_settings(capsys, trained):
    assert "no such checkpoint" in refused(capsys, ["train", "--resume", "--run-dir", "nowhere"])
    resume = ["train", "--resume", "--run-dir", str(trained)]
    assert "trained with batch_size=4: it cannot resume with 8" in refused(
        capsys, [*resume, "--batch-size", "8"]
    )
    assert "cannot resume with 0.1" in refused(capsys, [*resume, "--lr", "0.1"])
    assert "has made 12 steps: it cannot resume with steps=5" in refused(capsys, [*resume, "--steps", "5"])


def test_text_of_ones_own_is_learned_by_character_and_by_word(capsys):
    Path("notes.txt").write_text("the cat sat on the mat .\nthe dog ran .\n" * 60, encoding="utf-8")
    for options in ([], ["--tokenizer", "word", "--overwrite"]):
        assert main(["train", "--data", "notes.txt", "--quiet", *options, *MICRO]) == 0
        out = capsys.readouterr().out
        assert "best Kneser-Ney" in out
        assert "source" not in out
    assert Path("runs/notes/best.safetensors").exists()


@pytest.mark.parametrize(
    ("package", "extra"), [("sklearn", "train"), ("sacrebleu", "train"), ("tensorboard", "tensorboard")]
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(capsys, monkeypatch, package, extra):
    error = ImportError(f"No module named {package!r}", name=package)
    monkeypatch.setattr("transformer_lib.__main__._train", lambda *_: (_ for _ in ()).throw(error))
    assert f"pip install '.[{extra}]'" in refused(capsys, ["train"])


def test_a_package_that_no_extra_brings_is_no_mistake_of_the_reader(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformer_lib.text.language_model", None)
    with pytest.raises(ModuleNotFoundError):
        main(["train"])


def test_logs_without_tensorboard_are_refused_before_a_run_is_replaced(capsys, monkeypatch, trained):
    monkeypatch.setattr("transformer_lib.text.run.find_spec", lambda name: None)
    argv = ["train", "--run-dir", str(trained), *MICRO, "--overwrite", "--tensorboard"]
    assert "pip install '.[tensorboard]'" in refused(capsys, argv)
    assert load_model(trained).config.d_model == 16


@pytest.mark.parametrize("command", ["sample", "translate", "evaluate"])
def test_ctrl_c_elsewhere_ends_without_a_traceback(capsys, monkeypatch, command):
    def press(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation, "load_checkpoint", press)
    assert "interrupted" in refused(capsys, [command, "--checkpoint", "run"], code=130)


@pytest.mark.parametrize("argv", [["--help"], ["--version"], *([command, "--help"] for command in COMMANDS)])
def test_help_and_version_succeed(capsys, argv):
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert __version__ in out if argv == ["--version"] else "usage: python -m transformer_lib" in out


@pytest.mark.slow
def test_the_module_runs_as_a_process_of_its_own(trained, capsys):
    command = [sys.executable, "-m", "transformer_lib", "sample", "--checkpoint"]
    done = subprocess.run(
        [*command, str(trained)], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert main(["sample", "--checkpoint", str(trained)]) == 0
    assert done.stdout == capsys.readouterr().out
    assert done.stderr == ""


def test_the_help_of_train_lists_every_preset(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    out = capsys.readouterr().out
    assert all(re.search(rf"^  {name} +n_layers", out, re.MULTILINE) for name in PRESETS)


def test_a_tokenizer_s_vocabulary_replaces_the_preset_s(capsys):
    small = [*MICRO, "--preset", "gpt2-124m", "--set", "d_ff=16"]
    assert main(["train", *small]) == 0
    message = "the tokenizer's vocabulary of 192 replaces the 50,257 tokens of gpt2-124m"
    assert message in capsys.readouterr().err
    assert load_model("runs/tales").config.vocab_size == 192


def test_pieces_of_words_are_learned_with_smoothed_labels_and_scored_in_bits_per_character(capsys):
    options = ["--tokenizer", "bpe", "--vocab-size", "300", "--label-smoothing", "0.1", "--tensorboard"]
    assert main(["train", "--quiet", *MICRO, *options]) == 0
    assert "300 different tokens (bpes)" in capsys.readouterr().out
    assert list(Path("runs/tales/tensorboard").iterdir())
    assert read_record("runs/tales/record.json").config["label_smoothing"] == 0.1
    assert main(["evaluate", "--checkpoint", "runs/tales"]) == 0
    assert "bits/character" in capsys.readouterr().out


@pytest.fixture
def letters(capsys) -> Path:
    """A run on a text file of a few letters."""
    Path("letters.txt").write_text("abba baba\n" * 300, encoding="utf-8")
    assert main(["train", "--quiet", "--data", "letters.txt", *MICRO, "--run-dir", "letters"]) == 0
    capsys.readouterr()
    return Path("letters")


def test_symbols_of_a_prompt_without_a_token_are_named(capsys, letters):
    assert main(["sample", "--checkpoint", "letters", "--tokens", "1", "--prompt", "aé✓é"]) == 0
    assert "the prompt: read as <unk>: 'é', '✓'" in capsys.readouterr().err


def test_training_and_evaluation_say_the_same_of_a_text(capsys, letters):
    nats = read_record(letters / "record.json").result["nats_per_token"]["test"]
    assert main(["evaluate", "--checkpoint", "letters"]) == 0
    out, err = capsys.readouterr()
    assert f"{nats:.4f}" in out and "has changed" not in err


def test_a_text_that_has_changed_since_the_training_is_told_apart_from_one_that_is_gone(capsys, letters):
    with Path("letters.txt").open("a", encoding="utf-8") as file:
        file.write("abab\n")
    assert main(["evaluate", "--checkpoint", "letters"]) == 0
    assert "letters.txt has changed since letters was trained on it" in capsys.readouterr().err
    Path("letters.txt").unlink()
    message = refused(capsys, ["evaluate", "--checkpoint", "letters"])
    assert "letters was trained on letters.txt, which is not here: say with --data where it is" in message
