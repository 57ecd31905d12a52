"""The command line from end to end, and what it says of input that is not in order."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from transformer_lib import __version__
from transformer_lib.__main__ import main
from transformer_lib.data import CORPORA, Corpus, load_tales
from transformer_lib.experiments import language_model
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.nade import NADE
from transformer_lib.training import LAST, load_checkpoint, load_model, read_record, save_checkpoint

SETTINGS = [
    "d_model=16",
    "n_heads=2",
    "n_layers=1",
    "context_length=16",
    "evaluate_every=4",
    "warmup_steps=2",
]
MICRO = ["--steps", "12", "--batch-size", "4", "--device", "cpu", "--set", "dropout=0.1"]
MICRO += [argument for setting in SETTINGS for argument in ("--set", setting)]
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def few_tales() -> Corpus:
    return load_tales(n_train=60, n_valid=8, n_test=8)


@pytest.fixture(autouse=True)
def small_and_elsewhere(monkeypatch, tmp_path, few_tales):
    monkeypatch.setitem(CORPORA, "tales", lambda: few_tales)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def trained(tmp_path_factory, few_tales) -> Path:
    run_dir = tmp_path_factory.mktemp("session") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CORPORA, "tales", lambda: few_tales)
        assert main(["train", "--run-dir", str(run_dir), "--quiet", *MICRO]) == 0
    return run_dir


def refused(capsys, argv: list[str], code: int = 2) -> str:
    """The one line on standard error that `argv` ends in."""
    capsys.readouterr()
    before = sorted(Path.cwd().rglob("*"))
    assert main(argv) == code
    out, err = capsys.readouterr()
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("python -m transformer_lib: error: ")
    assert "Traceback" not in err
    assert sorted(Path.cwd().rglob("*")) == before, "nothing may be written"
    return last


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


def test_the_record_holds_what_was_printed(trained, few_tales):
    record = read_record(trained / "record.json")
    assert record.command[:4] == ["python", "-m", "transformer_lib", "train"]
    assert record.config["training"]["steps"] == 12
    assert record.config["model"]["d_model"] == 16
    assert record.data["sha256"] == few_tales.sha256
    assert record.seeds == [0]
    assert [point["step"] for point in record.curve] == [4, 8, 12]
    losses = record.result["nats_per_token"]
    assert record.result["distance_to_source"] == losses["test"] - losses["source"] > 0
    assert losses["kneser_ney"] > losses["source"]
    assert abs(losses["source"] - losses["entropy_rate"]) < 0.1


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
    batch = language_model.LanguageModelBatches.batch

    def pressing(self, step):
        if step == 5:
            signal.raise_signal(signal.SIGINT)
        return batch(self, step)

    with monkeypatch.context() as patch:
        patch.setattr(language_model.LanguageModelBatches, "batch", pressing)
        assert main(["train", "--run-dir", "run", *MICRO]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert "Go on with: python -m transformer_lib train --resume --run-dir run" in err.splitlines()[-1]
    assert not Path("run/record.json").exists()
    assert main(["train", "--resume", "--run-dir", "run", "--quiet"]) == 0
    one, other = load_checkpoint(Path("run") / LAST), load_checkpoint(trained / LAST)
    assert torch.equal(one.tensors["losses"], other.tensors["losses"])
    assert all(torch.equal(one.weights[key], other.weights[key]) for key in other.weights)
    again, first = read_record("run/record.json").result, read_record(trained / "record.json").result
    assert {**again, "tokens_per_second": 0} == {**first, "tokens_per_second": 0}


def test_a_run_is_overwritten_only_on_request(capsys, trained):
    assert main(["train", "--quiet", "--run-dir", "run", *MICRO]) == 0
    assert "already holds a run: resume or overwrite it" in refused(
        capsys, ["train", "--run-dir", "run", *MICRO]
    )
    again = ["train", "--quiet", "--run-dir", "run", *MICRO, "--overwrite", "--seed", "3"]
    assert main(again) == 0
    assert read_record("run/record.json").seeds == [3]


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


def test_a_resumed_run_keeps_its_settings(capsys, trained):
    assert "no such checkpoint" in refused(capsys, ["train", "--resume", "--run-dir", "nowhere"])
    resume = ["train", "--resume", "--run-dir", str(trained)]
    assert "trained with batch_size=4: it cannot resume with 8" in refused(
        capsys, [*resume, "--batch-size", "8"]
    )
    assert "cannot resume with 0.1" in refused(capsys, [*resume, "--lr", "0.1"])
    assert "has made 12 steps: it cannot resume with steps=5" in refused(capsys, [*resume, "--steps", "5"])


def test_text_of_ones_own_is_learnt_by_character_and_by_word(capsys):
    Path("notes.txt").write_text("the cat sat on the mat .\nthe dog ran .\n" * 60, encoding="utf-8")
    for options in ([], ["--tokenizer", "word", "--overwrite"]):
        assert main(["train", "--data", "notes.txt", "--quiet", *options, *MICRO]) == 0
        out = capsys.readouterr().out
        assert "best Kneser-Ney" in out
        assert "source" not in out
    assert Path("runs/notes/best.safetensors").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--set", "d_model=18", "--set", "n_heads=4"],
            "d_model=18 is not a multiple of n_heads=4: take d_model=16",
        ),
        (["--set", "d_modle=16"], "no setting 'd_modle'; did you mean 'd_model'?"),
        (["--set", "zzzz=16"], "no setting 'zzzz'; there is accumulation, "),
        (["--set", "d_model"], "'d_model' is not a setting: write KEY=VALUE"),
        (["--set", "d_model=wide"], "d_model takes a whole number; got 'wide'"),
        (["--set", "bias=2"], "bias takes true or false; got '2'"),
        (["--set", "clip_norm=low"], "clip_norm takes a number or none; got 'low'"),
        (["--set", "vocab_size=9"], "vocab_size cannot be set"),
        (["--set", "schedule=linear"], "schedule must be one of constant, cosine, inverse-sqrt"),
        (["--preset", "smal"], "preset 'smal' is not one of .* did you mean 'small'"),
        (["--steps", "0"], "steps must be an integer of at least 1; got 0"),
        (["--lr", "-1"], "learning_rate must be above 0"),
        (["--batch-size", "0"], "batch_size=0"),
        (["--seed", "-1"], "seed must be an integer of at least 0"),
        (["--data", "nosuch.txt"], "'nosuch.txt' is neither a corpus .docstrings, tales, .*. nor a file"),
        (["--data", "empty.txt"], "empty.txt is empty"),
        (["--data", "blob.txt"], "blob.txt is not UTF-8"),
        (["--data", "."], "is a directory"),
        (["--set", "context_length=1000000"], "a context of 1000000 needs at least"),
        (["--seed", str(2**64)], "seed must be below 2"),
        (["--run-dir", "empty.txt"], "empty.txt cannot be a folder, for empty.txt is a file"),
        (["--run-dir", "empty.txt/run"], "empty.txt/run cannot be a folder, for empty.txt is a file"),
    ],
)
def test_a_mistake_in_the_settings_or_the_data_gets_one_line(capsys, options, message):
    Path("empty.txt").write_text("\n", encoding="utf-8")
    Path("blob.txt").write_bytes(b"\xff\xfe\x00\x01" * 500)
    assert re.search(message, refused(capsys, ["train", "--steps", "2", "--batch-size", "2", *options]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--prompt", "near a computer"],
            "the word 'computer', number 3 of the text, is not in the vocabulary",
        ),
        (
            ["--prompt", "near " * 17],
            "the prompt of 17 tokens is longer than the model's context_length of 16",
        ),
        (["--tokens", "-1"], "n_tokens must be 0 or more"),
        (["--temperature", "-1"], "temperature must be 0"),
        (["--seed", str(2**64)], "seed must be a whole number from 0"),
        (["--top-k", "0"], "top-k must keep 1 token or more"),
        (["--top-p", "2"], "top-p must be above 0 and at most 1"),
    ],
)
def test_a_mistake_in_what_to_sample_gets_one_line(capsys, trained, options, message):
    assert message in refused(capsys, ["sample", "--checkpoint", str(trained), *options])


def truncated(path: Path, trained: Path) -> None:
    path.write_bytes((trained / LAST).read_bytes()[:-100])


def foreign(path: Path, trained: Path) -> None:
    save_file({"weight": torch.zeros(2)}, path)


def of_another_kind(path: Path, trained: Path) -> None:
    save_checkpoint(path, NADE(2, 3, 4))


def without_tokenizer(path: Path, trained: Path) -> None:
    save_checkpoint(path, load_model(trained))


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path, trained: None, "no such checkpoint"),
        (lambda path, trained: path.mkdir(), "folder without a checkpoint"),
        (truncated, "truncated, damaged, or not a safetensors file"),
        (foreign, "not a checkpoint of transformer_lib"),
        (of_another_kind, "a NADE, which is no language model"),
        (without_tokenizer, "has no tokenizer"),
    ],
)
def test_what_is_no_language_model_is_refused_in_one_line(capsys, trained, write, message):
    write(Path("other.safetensors"), trained)
    assert message in refused(capsys, ["sample", "--checkpoint", "other.safetensors"])


def test_a_run_that_diverges_ends_in_one_line(capsys):
    argv = ["train", "--quiet", *MICRO, "--lr", "1e30", "--set", "clip_norm=none", "--set", "warmup_steps=0"]
    assert "lower learning_rate" in refused(capsys, argv, code=1)


def test_a_sample_too_long_for_the_memory_ends_in_one_line(capsys, trained):
    argv = ["sample", "--checkpoint", str(trained), "--tokens", str(10**14)]
    assert "not enough memory" in refused(capsys, argv, code=1)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformer_lib.experiments", None)
    with pytest.raises(ModuleNotFoundError):
        main(["train"])
    error = ModuleNotFoundError("No module named 'accelerate'", name="accelerate")
    monkeypatch.setattr("transformer_lib.__main__._train", lambda *_: (_ for _ in ()).throw(error))
    assert "pip install 'transformer-lib[train]'" in refused(capsys, ["train"])


@pytest.mark.parametrize("argv", [["--help"], ["train", "--help"], ["sample", "--help"], ["--version"]])
def test_help_and_version_succeed(capsys, argv):
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert __version__ in out if argv == ["--version"] else "usage: python -m transformer_lib" in out


@pytest.mark.parametrize("argv", [[], ["trian"], ["sample"], ["train", "--steps", "many"]])
def test_a_wrong_command_line_is_refused_with_its_usage(capsys, argv):
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_the_module_runs_as_a_process_of_its_own(trained, capsys):
    command = [sys.executable, "-m", "transformer_lib", "sample", "--checkpoint"]
    done = subprocess.run(
        [*command, str(trained)], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert main(["sample", "--checkpoint", str(trained)]) == 0
    assert done.stdout == capsys.readouterr().out
    assert done.stderr == ""


def test_a_recipe_survives_a_round_trip():
    recipe = Recipe(batch_size=3).with_settings(["d_ff=none", "learning_rate=1", "bias=true", "norm=post"])
    assert recipe.model == {"d_ff": None, "bias": True, "norm": "post"}
    assert isinstance(recipe.training.learning_rate, float)
    assert Recipe.from_dict(recipe.to_dict()) == recipe
