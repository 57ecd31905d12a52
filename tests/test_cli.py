"""The command line from end to end, and what it says of input that is not in order."""

import io
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from cli_runs import MICRO, MICRO_PAIRS, few_tales, refused, train_in, use_small_data
from hypothesis import example, given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from transformer_lib import __version__
from transformer_lib.__main__ import main
from transformer_lib.config import PRESETS
from transformer_lib.experiments import language_model
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.nade import NADE
from transformer_lib.training import LAST, load_checkpoint, load_model, read_record, save_checkpoint

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ("train", "sample", "translate", "evaluate", "reproduce")


@pytest.fixture(autouse=True)
def small_and_elsewhere(monkeypatch, tmp_path):
    use_small_data(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    return train_in(tmp_path_factory.mktemp("language") / "run", MICRO)


@pytest.fixture(scope="module")
def translator(tmp_path_factory) -> Path:
    return train_in(tmp_path_factory.mktemp("translation") / "run", MICRO_PAIRS)


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
        (["--set", "d_modle=16"], "setting 'd_modle' is not one of .*; did you mean 'd_model'"),
        (["--set", "zzzz=16"], "setting 'zzzz' is not one of 'accumulation', "),
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
        (["--set", "source_vocab_size=9"], "source_vocab_size cannot be set"),
        (["--set", "n_layers=1000000"], "n_layers=1000000 is too many"),
        (["--set", "d_model=400000"], "a model of this shape has some .* parameters"),
        (["--batch-size", "1000000000"], "a batch of .* tokens is too large"),
        (["--label-smoothing", "1"], "label_smoothing must be at least 0 and below 1"),
        (["--tokenizer", "words"], "tokenizer 'words' is not one of .*; did you mean 'word'"),
        (["--vocab-size", "300"], "vocab_size is for the tokenizer 'bpe'"),
        (["--tokenizer", "bpe", "--vocab-size", "9"], "vocab_size=9 leaves no place for the bytes"),
        (["--data", "number-words-de-fr"], "'number-words-de-fr' is neither a corpus"),
        (["--data", "number-words-de-en", "--set", "context_length=8"], "a model needs context_length="),
        (["--data", "number-words-de-en", "--batch-size", "3"], "more than tokens_per_batch=3"),
        (["--data", "number-words-de-en", "--batch-size", "0"], "more than tokens_per_batch=0"),
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
        (["sample", "--prompt", "near a computer"], "the word 'computer', number 3 of the text, is not in"),
        (["sample", "--prompt", "near " * 17], "prompt of 17 tokens is longer than the model's context_len"),
        (["sample", "--tokens", "-1"], "n_tokens must be 0 or more"),
        (["sample", "--tokens", str(10**14)], "n_tokens must be at most 10,000,000"),
        (["sample", "--temperature", "-1"], "temperature must be 0"),
        (["sample", "--seed", str(2**64)], "seed must be a whole number from 0"),
        (["sample", "--top-k", "0"], "top-k must keep 1 token or more"),
        (["sample", "--top-p", "2"], "top-p must be above 0 and at most 1"),
        (["translate", "eins"], "holds a DecoderLM, which is no translator: it can be sampled"),
        (["evaluate", "--data", "nosuch"], "'nosuch' is neither a corpus"),
        (["evaluate", "--data", "number-words-de-en"], "holds translations, and .* a language model"),
        (["evaluate", "--part", "tests"], "part 'tests' is not one of .*; did you mean 'test'"),
        (["evaluate", "--limit", "0"], "limit must be at least 1"),
        (["evaluate", "--json", "."], "is a folder: name a file"),
        (["evaluate", "--json", "no.txt/scores.json"], "no.txt cannot be a folder, for no.txt is a file"),
    ],
)
def test_a_mistake_in_what_to_do_with_a_language_model_gets_one_line(capsys, trained, options, message):
    Path("no.txt").write_text("", encoding="utf-8")
    command, *rest = options
    assert re.search(message, refused(capsys, [command, "--checkpoint", str(trained), *rest]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["sample"], "holds a EncoderDecoder, which is no language model: it can translate"),
        (["translate", "--beams", "0", "eins"], "n_beams must be at least 1"),
        (["translate", "--beams", "1000000", "eins"], "n_beams must be at most 1,000"),
        (["translate", "--length-penalty", "-1", "eins"], "length penalty's exponent must be from 0"),
        (["translate", "--length-penalty", "nan", "eins"], "length penalty's exponent must be from 0"),
        (["translate", "eins" * 9], "a text of 36 tokens is longer than the model's context_length of 32"),
        (["evaluate", "--data", "tales"], "'tales' is not the name of a parallel corpus"),
        (["evaluate", "--data", "one.txt"], "line 1 of one.txt must be a source, one tab and its target"),
        (["evaluate", "--data", "none.txt"], "there is nothing to translate"),
        (["evaluate", "--data", "bytes.txt"], "bytes.txt is not UTF-8"),
        (["evaluate", "--data", "long.txt"], "a model needs context_length=41"),
    ],
)
def test_a_mistake_in_what_to_do_with_a_translator_gets_one_line(capsys, translator, options, message):
    Path("one.txt").write_text("eins one\n", encoding="utf-8")
    Path("none.txt").write_text("\n", encoding="utf-8")
    Path("bytes.txt").write_bytes(b"\xff\xfe")
    Path("long.txt").write_text("eins\t" + "one " * 40, encoding="utf-8")
    command, *rest = options
    assert re.search(message, refused(capsys, [command, "--checkpoint", str(translator), *rest]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give the NAME of an experiment: marginals, tales, number-words"),
        (["tale"], "experiment 'tale' is not one of .*; did you mean 'tales'"),
        (["tales", "--seeds", "1", "1"], "seeds must be different whole numbers"),
        (["tales", "--seeds", "-1"], "seeds must be different whole numbers"),
        (["tales", "--record", "."], "is a folder: name a file for the record"),
        (["tales", "--record", "no.json"], "no.json is not JSON"),
    ],
)
def test_a_mistake_in_what_to_reproduce_gets_one_line(capsys, options, message):
    Path("no.json").write_text("", encoding="utf-8")
    assert re.search(message, refused(capsys, ["reproduce", *options]))


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
        (of_another_kind, "a NADE, which is no language model and no translator"),
        (without_tokenizer, "has no tokenizer"),
    ],
)
def test_what_is_no_language_model_is_refused_in_one_line(capsys, trained, write, message):
    write(Path("other.safetensors"), trained)
    assert message in refused(capsys, ["sample", "--checkpoint", "other.safetensors"])


def test_a_run_that_diverges_ends_in_one_line(capsys):
    argv = ["train", "--quiet", *MICRO, "--lr", "1e30", "--set", "clip_norm=none", "--set", "warmup_steps=0"]
    assert "lower learning_rate" in refused(capsys, argv, code=1)


def test_what_no_memory_can_hold_ends_in_one_line(capsys, monkeypatch, trained):
    def allocate(*_: object, **__: object) -> None:
        torch.empty(2**60)

    monkeypatch.setattr("transformer_lib.experiments.language_model.continue_text", allocate)
    assert "not enough memory" in refused(capsys, ["sample", "--checkpoint", str(trained)], code=1)


@pytest.mark.parametrize(
    ("package", "extra"), [("accelerate", "train"), ("sacrebleu", "train"), ("tensorboard", "tensorboard")]
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(capsys, monkeypatch, package, extra):
    error = ImportError(f"No module named {package!r}", name=package)
    monkeypatch.setattr("transformer_lib.__main__._train", lambda *_: (_ for _ in ()).throw(error))
    assert f"pip install 'transformer-lib[{extra}]'" in refused(capsys, ["train"])


def test_a_package_that_no_extra_brings_is_no_mistake_of_the_reader(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformer_lib.experiments.language_model", None)
    with pytest.raises(ModuleNotFoundError):
        main(["train"])


def test_logs_without_tensorboard_are_refused_before_a_run_is_replaced(capsys, monkeypatch, trained):
    monkeypatch.setattr("transformer_lib.experiments.runs.find_spec", lambda name: None)
    argv = ["train", "--run-dir", str(trained), *MICRO, "--overwrite", "--tensorboard"]
    assert "pip install 'transformer-lib[tensorboard]'" in refused(capsys, argv)
    assert load_model(trained).config.d_model == 16


@pytest.mark.parametrize("command", ["sample", "translate", "evaluate"])
def test_ctrl_c_elsewhere_ends_without_a_traceback(capsys, monkeypatch, command):
    def press(path: Path) -> None:
        raise KeyboardInterrupt

    for name in ("load_any", "load_language_model", "load_translator"):
        monkeypatch.setattr(f"transformer_lib.experiments.loading.{name}", press)
    monkeypatch.setattr("transformer_lib.experiments.evaluation.load_any", press)
    assert "interrupted" in refused(capsys, [command, "--checkpoint", "run"], code=130)


@pytest.mark.parametrize("argv", [["--help"], ["--version"], *([command, "--help"] for command in COMMANDS)])
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


def test_the_help_of_train_lists_every_preset(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    out = capsys.readouterr().out
    assert all(re.search(rf"^  {name} +n_layers", out, re.MULTILINE) for name in PRESETS)


def test_a_preset_s_vocabulary_gives_way_to_the_tokenizer_s(capsys):
    small = [*MICRO, "--preset", "gpt2-124m", "--set", "d_ff=16"]
    assert main(["train", *small]) == 0
    assert "gpt2-124m's vocabulary of 50,257 gives way to the tokenizer's 192" in capsys.readouterr().err
    assert load_model("runs/tales").config.vocab_size == 192


def test_pieces_of_words_are_learnt_with_smoothed_labels_and_scored_in_bits_a_character(capsys):
    options = ["--tokenizer", "bpe", "--vocab-size", "300", "--label-smoothing", "0.1", "--tensorboard"]
    assert main(["train", "--quiet", *MICRO, *options]) == 0
    assert "300 different tokens (bpes)" in capsys.readouterr().out
    assert list(Path("runs/tales/tensorboard").iterdir())
    assert read_record("runs/tales/record.json").config["label_smoothing"] == 0.1
    assert main(["evaluate", "--checkpoint", "runs/tales"]) == 0
    assert "bits/character" in capsys.readouterr().out


words = st.sampled_from(
    [
        *COMMANDS,
        "--checkpoint",
        "--data",
        "--set",
        "--seed",
        "--steps",
        "--tokens",
        "--beams",
        "--limit",
        "--json",
        "--part",
        "--preset",
        "--tokenizer",
        "--prompt",
        "--temperature",
        "--top-k",
        "--list",
        "--resume",
        "--overwrite",
        "--help",
        "LANGUAGE",
        "PAIRS",
        "tales",
        "number-words-de-en",
        "zwei",
        "",
        "-1",
        "0",
        "2",
        "1e400",
        "nan",
        "d_model=0",
        "n_heads=5",
        "dropout=nan",
        "context_length=1",
        "valid",
        "bpe",
        "\udcff",
    ]
)


@settings(max_examples=150)
@given(command=st.sampled_from(COMMANDS), rest=st.lists(words, max_size=6), kind=st.booleans())
@example(command="sample", rest=["--prompt", "\udcff"], kind=True)
@example(command="evaluate", rest=["--part", "valid", "--limit", "2"], kind=False)
def test_no_command_line_ends_in_a_traceback(trained, translator, command, rest, kind):
    where = {"LANGUAGE": str(trained), "PAIRS": str(translator)}
    argv = [command, *(where.get(word, word) for word in rest)]
    if command in ("sample", "translate", "evaluate"):
        argv += ["--checkpoint", str(trained if kind else translator)]
    elif command == "train":
        argv += [*MICRO, "--steps", "1", "--run-dir", "fuzz", "--set", "d_model=18"]
    else:
        argv += ["--record", "no/such/folder.json", "--seeds", "-1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("zwei\n\n"))
        try:
            code = main(argv)
        except SystemExit as end:
            code = end.code
    assert code in (0, 1, 2, 130)
