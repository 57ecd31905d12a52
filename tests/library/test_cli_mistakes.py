"""What the command line says of input that is not in order, and that nothing ends in a traceback."""

import errno
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from cli_runs import COMMANDS, MICRO, refused
from hypothesis import example, given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from transformer_lib.__main__ import main
from transformer_lib.density.nade import NADE
from transformer_lib.training import LAST, load_model, save_checkpoint

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")

ROOT = Path(__file__).resolve().parents[2]
FULL = Path("/dev/full")


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
        (["--set", "schedule=linear"], "schedule 'linear' is not one of"),
        (["--preset", "smal"], "preset 'smal' is not one of .* did you mean 'small'"),
        (["--steps", "0"], "steps must be a positive whole number, got 0"),
        (["--lr", "-1"], "learning_rate must be a finite number above 0"),
        (["--batch-size", "0"], "batch_size must be at least 1; got 0"),
        (["--seed", "-1"], "seed must be a whole number from 0 to"),
        (["--data", "nosuch.txt"], "'nosuch.txt' is neither a corpus .docstrings, tales, .*. nor a file"),
        (["--data", "number-words"], "nor pairs of sentences .*number-words-de-en"),
        (["--data", "empty.txt"], "empty.txt is empty"),
        (["--data", "blob.txt"], "blob.txt is not UTF-8"),
        (["--data", "."], "is a directory"),
        (["--set", "context_length=1000000"], "a context of 1000000 needs at least"),
        (["--seed", str(2**64)], "seed must be a whole number from 0 to"),
        (["--set", "source_vocab_size=9"], "source_vocab_size cannot be set"),
        (["--set", "n_layers=1000000"], "n_layers must be a whole number from 1 to 1000, got 1000000"),
        (["--set", "d_model=400000"], "a model of this shape has some .* parameters"),
        (["--batch-size", "1000000000"], "a batch of .* tokens is too large"),
        (["--label-smoothing", "1"], "0 <= label_smoothing < 1, got 1"),
        (["--bpe-dropout", "0.1", "--tokenizer", "bpe"], "bpe_dropout is for translators .*: 'tales' is a"),
        (
            ["--data", "multi30k-de-en", "--bpe-dropout", "0.1"],
            "bpe_dropout is for translators with the tokenizer 'bpe': give --tokenizer bpe too",
        ),
        (
            ["--data", "number-words-de-en", "--tokenizer", "bpe", "--bpe-dropout", "1"],
            "0 <= bpe_dropout < 1, got 1",
        ),
        (["--tokenizer", "words"], "tokenizer 'words' is not one of .*; did you mean 'word'"),
        (
            ["--data", "multi30k-de-en", "--vocab-size", "4000"],
            "vocab_size is for the tokenizer 'bpe': give --tokenizer bpe too$",
        ),
        (["--tokenizer", "bpe", "--vocab-size", "9"], "vocab_size=9 leaves no place for the bytes"),
        (["--tokenizer", "bpe", "--vocab-size", "0"], "vocab_size=0 leaves no place for the bytes"),
        (
            ["--tokenizer", "bpe", "--vocab-size", "9" * 20],
            "vocab_size must be a whole number from 257 to 2147483647, got 9+",
        ),
        (
            ["--steps", "3", "--set", "steps=5", "--seed", "1", "--set", "seed=2"],
            "seed, steps: given by a flag and by --set; leave one of them out",
        ),
        (["--lr", "0.1", "--set", "learning_rate=0.2"], "learning_rate: given by a flag and by --set"),
        (["--lr", "0.1", "--set", "learning-rate=0.2"], "learning_rate: given by a flag and by --set"),
        (
            ["--set", "n_heads=1000000000000", "--set", "n_kv_heads=7", "--set", "d_head=1"],
            "n_kv_heads=7 does not divide n_heads=1000000000000: take 1 or 2 or 4",
        ),
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
        (["sample", "--tokens", "-1"], "n_tokens must be a whole number from 0 to 10000000, got -1"),
        (["sample", "--tokens", str(10**14)], "n_tokens must be a whole number from 0 to 10000000, got 1"),
        (["sample", "--temperature", "-1"], "temperature must be a finite number of at least 0"),
        (["sample", "--seed", str(2**64)], "seed must be a whole number from 0"),
        (["sample", "--top-k", "0"], "top_k must be at least 1; got 0"),
        (["sample", "--top-p", "2"], "top_p must be a number from 0 to 1, got 2"),
        (["translate", "eins"], "holds a DecoderLM, which is no translator: it can be sampled"),
        (["evaluate", "--data", "nosuch"], "'nosuch' is neither a corpus"),
        (["evaluate", "--data", "number-words-de-en"], "holds translations, and .* a language model"),
        (["evaluate", "--part", "tests"], "part 'tests' is not one of .*; did you mean 'test'"),
        (["evaluate", "--limit", "0"], "limit must be at least 1"),
        (["evaluate", "--beams", "4"], "holds a language model, which has no beam search: leave out beams"),
        (["evaluate", "--beams", "-7"], "holds a language model, which has no beam search: leave out beams"),
        (["evaluate", "--length-penalty", "nan"], "holds a language model, which has no beam search"),
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
        (["translate", "--beams", "0", "eins"], "n_beams must be a whole number from 1 to 1000, got 0"),
        (
            ["translate", "--beams", "1000000", "eins"],
            "n_beams must be a whole number from 1 to 1000, got 1000000",
        ),
        (["translate", "--length-penalty", "-1", "eins"], "must be a number from 0 to"),
        (["translate", "--length-penalty", "nan", "eins"], "must be a number from 0 to"),
        (
            ["translate", "eins" * 9],
            "text 1: a text of 36 tokens is longer than the model's context_length of 32",
        ),
        (["evaluate", "--data", "tales"], "'tales' is not the name of a parallel corpus"),
        (["evaluate", "--data", "one.txt"], "line 1 of one.txt must be a source, one tab and its target"),
        (["evaluate", "--data", "none.txt"], "there is nothing to translate"),
        (["evaluate", "--data", "bytes.txt"], "bytes.txt is not UTF-8"),
        (["evaluate", "--data", "long.txt"], "a model needs context_length=41"),
        (
            ["evaluate", "--data", "number-words-en-de"],
            "translates the other way: it was trained on number-words-de-en, not on number-words-en-de",
        ),
    ],
)
def test_a_mistake_in_what_to_do_with_a_translator_gets_one_line(capsys, translator_run, options, message):
    Path("one.txt").write_text("eins one\n", encoding="utf-8")
    Path("none.txt").write_text("\n", encoding="utf-8")
    Path("bytes.txt").write_bytes(b"\xff\xfe")
    Path("long.txt").write_text("eins\t" + "one " * 40, encoding="utf-8")
    command, *rest = options
    assert re.search(message, refused(capsys, [command, "--checkpoint", str(translator_run), *rest]))


def test_texts_before_the_line_that_is_not_utf_8_are_translated(capsys, translator_run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("zwei\nfünf\n".encode("latin-1"))))
    assert main(["translate", "--checkpoint", str(translator_run)]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert "error: text 2: line 2 of standard input is not UTF-8: convert it" in err


def test_without_texts_and_without_standard_input_there_is_nothing_to_translate(
    capsys, translator_run, monkeypatch
):
    monkeypatch.setattr(sys, "stdin", None)
    argv = ["translate", "--checkpoint", str(translator_run)]
    assert "there is no TEXT, and no standard input" in refused(capsys, argv)


def test_a_run_that_has_lost_what_it_goes_on_from_is_not_started_again(capsys, trained):
    shutil.copytree(trained, "lost")
    Path("lost", LAST).unlink()
    argv = ["train", *MICRO, "--run-dir", "lost", "--resume"]
    assert f"lost has no {LAST}, from which a run goes on" in refused(capsys, argv)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give the NAME of an experiment: windows, .*number-words"),
        (["tale"], "experiment 'tale' is not one of .*; did you mean 'tales'"),
        (["tales", "--seeds", "1", "1"], "seeds must be different whole numbers"),
        (["tales", "--seeds", "-1"], "seeds must be different whole numbers"),
        (["tales", "--record", "."], "is a folder: name a file for the record"),
        (["tales", "--record", "no.json"], "no.json is not JSON"),
        (["tales", "--record", "records"], "records must end in .json"),
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

    monkeypatch.setattr("transformer_lib.text.language_model.continue_text", allocate)
    assert "not enough memory" in refused(capsys, ["sample", "--checkpoint", str(trained)], code=1)


@pytest.mark.parametrize("argv", [[], ["trian"], ["sample"], ["train", "--steps", "many"]])
def test_a_wrong_command_line_is_refused_with_its_usage(capsys, argv):
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err


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


@pytest.mark.slow
@settings(max_examples=150)
@given(command=st.sampled_from(COMMANDS), rest=st.lists(words, max_size=6), kind=st.booleans())
@example(command="sample", rest=["--prompt", "\udcff"], kind=True)
@example(command="evaluate", rest=["--part", "valid", "--limit", "2"], kind=False)
def test_no_command_line_ends_in_a_traceback(trained, translator_run, command, rest, kind):
    where = {"LANGUAGE": str(trained), "PAIRS": str(translator_run)}
    argv = [command, *(where.get(word, word) for word in rest)]
    if command in ("sample", "translate", "evaluate"):
        argv += ["--checkpoint", str(trained if kind else translator_run)]
    elif command == "train":
        argv += [*MICRO, "--steps", "1", "--run-dir", "fuzz", "--set", "d_model=18"]
    else:
        argv += ["--record", "no/such/folder.json", "--seeds", "-1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("zwei\n\n"))
        for name in ("stdout", "stderr"):  # what is written may be no UTF-8
            patch.setattr(sys, name, io.TextIOWrapper(io.BytesIO()))
        try:
            code = main(argv)
        except SystemExit as end:
            code = end.code
    assert code in (0, 1, 2, 130)


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="the system has no file that is always full")
def test_output_that_cannot_be_written_to_the_end_is_one_line_and_no_message_of_python_s(trained):
    command = [sys.executable, "-m", "transformer_lib", "sample", "--checkpoint", str(trained)]
    with FULL.open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1 and "No space left on device" in run.stderr


class Exhausted(io.StringIO):
    """An output that takes no more, in front of a file."""

    def __init__(self, file: io.BufferedWriter) -> None:
        super().__init__()
        self.file = file

    def fileno(self) -> int:
        return self.file.fileno()

    def flush(self) -> None:
        raise OSError(errno.EFBIG, "File too large")


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the file that takes everything is another")
def test_after_output_that_failed_for_whatever_reason_nothing_is_left_to_fail_at_the_exit(
    capsys, monkeypatch, trained
):
    with Path("out").open("wb") as file:
        monkeypatch.setattr(sys, "stdout", Exhausted(file))
        assert main(["sample", "--checkpoint", str(trained)]) == 2
        assert os.path.samestat(os.fstat(file.fileno()), Path(os.devnull).stat())
    assert "File too large" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a closed pipe is another error elsewhere")
def test_output_that_nobody_reads_any_more_ends_without_a_word(trained):
    command = [sys.executable, "-m", "transformer_lib", "sample", "--checkpoint", str(trained)]
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, "")


def test_without_scikit_learn_the_missing_extra_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    argv = ["reproduce", "digits-transformer", "--record", "digits.json"]
    told = refused(capsys, argv)
    assert "needs the package sklearn: in the course's folder, python -m pip install '.[train]'" in told
