"""The command line with other people's files, folders, consoles and machines."""

import io
import math
import os
import shlex
import shutil
import sys
from pathlib import Path, PureWindowsPath

import numpy as np
import pytest
import torch
from cli_runs import MICRO, MICRO_PAIRS, press_ctrl_c_at_batch_5, refused

from transformer_lib import __main__ as command_line
from transformer_lib.__main__ import main
from transformer_lib.data import PairBatches
from transformer_lib.text import language_model
from transformer_lib.text import run as text_run
from transformer_lib.text.translation import Translator
from transformer_lib.training import BEST, LAST, load_checkpoint, read_record, save_checkpoint
from transformer_lib.training.lock import holding

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")


def diverged(run: Path) -> Path:
    """The run with weights of NaN, as older versions have saved them."""
    shutil.copytree(run, "diverged")
    path = Path("diverged", BEST)
    checkpoint = load_checkpoint(path)
    model = checkpoint.build_model()
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        next(model.parameters()).fill_(math.nan)
        patch.setattr("transformer_lib.training.checkpoints.check_finite", lambda model: None)
        save_checkpoint(path, model, tokenizer=checkpoint.tokenizer, training=checkpoint.training)
    return Path("diverged")


@pytest.mark.parametrize("command", ["sample", "evaluate", "translate"])
def test_weights_that_are_not_finite_are_refused_in_one_line(capsys, trained, translator_run, command):
    run = diverged(translator_run if command == "translate" else trained)
    line = refused(capsys, [command, "--checkpoint", str(run), *(["eins"] if command == "translate" else [])])
    assert "holds weights that are not finite" in line


@pytest.mark.parametrize("options", [[], ["--overwrite"], ["--resume"]])
def test_a_folder_in_which_another_run_is_at_work_is_left_alone(capsys, trained, options):
    shutil.copytree(trained, "run")
    Path("run", ".lock").touch()
    before = {path: path.read_bytes() for path in Path("run").glob("*.*s*")}
    holder, wanted = os.getpid(), Path("run").resolve()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transformer_lib.training.lock._is_locked", lambda file: False)
        Path("run", ".lock").write_text(f'{{"process": {holder}, "host": "a", "since": "noon"}}')
        argv = ["train", "--run-dir", "run", *options, *([] if options == ["--resume"] else MICRO)]
        line = refused(capsys, argv)
    assert f"run is in use by another run (process {holder} on a, since noon)" in line
    assert {path: path.read_bytes() for path in wanted.glob("*.*s*")} == {
        wanted / path.name: content for path, content in before.items()
    }


def test_training_holds_its_folder_to_the_end(capsys, monkeypatch):
    """Nobody else gets in while the n-grams are fitted, when the last checkpoint is long saved."""
    found = []
    best = language_model._best_kneser_ney

    def look(*arguments):
        found.append(Path("run", ".lock").exists())
        return best(*arguments)

    monkeypatch.setattr(language_model, "_best_kneser_ney", look)
    assert main(["train", "--run-dir", "run", "--quiet", *MICRO]) == 0
    assert found == [True]
    assert not Path("run", ".lock").exists()
    with holding(Path("run")):
        pass


def test_the_order_of_the_n_grams_is_chosen_on_the_validation_part(monkeypatch):
    streams = {part: np.arange(20) % 3 for part in ("train", "valid", "test")}
    losses = {"valid": [9.0, 2.0, 3.0, 4.0, 5.0, 6.0], "test": [9.0, 8.0, 1.0, 4.0, 5.0, 6.0]}

    def known(model, stream):
        (part,) = (name for name in losses if streams[name] is stream)
        return losses[part][model.order - 1]

    monkeypatch.setattr(language_model, "mean_nats", known)
    assert language_model._best_kneser_ney(streams, 3) == (2, 8.0)


def test_a_record_s_minutes_are_those_of_the_whole_training(monkeypatch):
    real = text_run.train

    def timed(*arguments, **settings):
        trained = real(*arguments, **settings)
        trained.seconds, trained.update_seconds = 120.0, 30.0
        return trained

    monkeypatch.setattr(text_run, "train", timed)
    assert main(["train", "--run-dir", "run", "--quiet", "--no-ngrams", *MICRO]) == 0
    assert read_record(Path("run", "record.json")).minutes == 2.0


def test_the_latest_run_is_the_one_that_was_saved_last_whatever_its_name(tmp_path):
    for name, saved in (("a", 1), ("b", 3), ("c", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / LAST).touch()
        os.utime(tmp_path / name / LAST, (saved, saved))
    assert command_line._latest_run(tmp_path) == tmp_path / "b"
    assert command_line._latest_run(tmp_path / "none") is None


@pytest.mark.parametrize("name", ["Mein  Roman", "-x", "it's", "a;b", "$HOME"])
def test_the_command_that_is_printed_can_be_pasted(capsys, name):
    assert main(["train", f"--run-dir={name}", "--quiet", "--no-ngrams", *MICRO]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert "Try it: " in line
    words = shlex.split(line.partition("Try it: ")[2])
    assert words[:3] == ["python", "-m", "transformer_lib"]
    assert main(words[3:]) == 0


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("C:\\runs\\Mäuse", "C:\\runs\\Mäuse"),
        ("Mein  Roman", '"Mein  Roman"'),
        ("R&D", '"R&D"'),
        ("50%^", '"50%^"'),
        ("\\\\host\\my share\\", '"\\\\host\\my share\\\\"'),
    ],
)
def test_a_folder_is_one_word_of_the_command_line_of_windows(monkeypatch, name, printed):
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        text = command_line._for_a_shell(PureWindowsPath(name))
    assert text == printed


def test_a_message_keeps_the_blanks_of_a_name(capsys):
    assert "'no  such.txt' is neither" in refused(capsys, ["train", "--data", "no  such.txt"])


def test_a_large_text_is_counted_and_scored_by_its_beginning_and_says_so(capsys, monkeypatch):
    monkeypatch.setattr(language_model, "MOST_EVALUATED", 50)
    monkeypatch.setattr(language_model, "MOST_COUNTED", 200)
    assert main(["train", "--run-dir", "run", "--quiet", *MICRO]) == 0
    out = capsys.readouterr().out
    assert "n-grams counted in the first 200 of" in out
    assert "test on the first 50 of" in out


def test_n_grams_can_be_left_out(capsys, monkeypatch):
    monkeypatch.setattr(language_model, "KneserNey", None)
    assert main(["train", "--run-dir", "run", "--quiet", "--no-ngrams", *MICRO]) == 0
    assert "Kneser-Ney" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["novel.txt", "pairs.tsv"])
def test_a_run_goes_on_with_its_text_wherever_that_is_now(capsys, monkeypatch, name):
    are_pairs = name.endswith(".tsv")
    line = "Wort {0}\tword {0}\n" if are_pairs else "word {0}\n"
    text = "".join(line.format(n) for n in range(200))
    options = [*MICRO_PAIRS[: MICRO_PAIRS.index("--data")], "--batch-size", "64", "--quiet", "--no-ngrams"]
    for folder in ("one", "other"):
        Path(folder).mkdir()
        Path(folder, name).write_text(text, encoding="utf-8")
    assert main(["train", "--data", f"one/{name}", "--run-dir", "whole", *options]) == 0
    with monkeypatch.context() as patch:
        press_ctrl_c_at_batch_5(patch, PairBatches if are_pairs else language_model.LanguageModelBatches)
        assert main(["train", "--data", f"one/{name}", "--run-dir", "run", *options]) == 130
    Path("one", name).unlink()
    resume = ["train", "--resume", "--run-dir", "run", "--quiet", "--no-ngrams"]
    assert refused(capsys, resume).endswith(
        f"run was trained on one/{name}, which is not here: say with --data where it is"
    )
    Path("other", f"x{name}").write_text(text.replace("word 7", "word 8"), encoding="utf-8")
    assert refused(capsys, [*resume, "--data", f"other/x{name}"]).endswith(
        f"with data='one/{name}': it cannot resume with 'other/x{name}', whose content is another"
    )
    assert main([*resume, "--data", f"other/{name}"]) == 0
    one, other = load_checkpoint(Path("run", LAST)), load_checkpoint(Path("whole", LAST))
    assert all(torch.equal(one.weights[key], other.weights[key]) for key in other.weights)
    assert main(["evaluate", "--checkpoint", "run", "--quiet"]) == 0, "it knows where its data is now"


def test_a_table_is_asked_about_and_read_as_a_text_on_request(capsys):
    Path("deu.txt").write_text("Hallo du.\tHello you.\tCC-BY\n" * 100, encoding="utf-8")
    assert "pairs of sentences or a text?" in refused(capsys, ["train", "--data", "deu.txt", *MICRO])
    assert main(["train", "--data", "deu.txt", "--text", "--quiet", "--no-ngrams", *MICRO]) == 0


@pytest.mark.parametrize("code", ["cp1252", "ascii", "cp437"])
def test_output_is_utf_8_whatever_the_console(monkeypatch, trained, code):
    out = io.TextIOWrapper(io.BytesIO(), encoding=code, errors="strict")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr("transformer_lib.text.language_model.continue_text", lambda *_, **__: "Ελλάδα ☃ é")
    assert main(["sample", "--checkpoint", str(trained)]) == 0
    assert out.buffer.getvalue().decode("utf-8").splitlines() == ["Ελλάδα ☃ é"]


def test_a_text_is_translated_the_same_however_it_arrives(capsys, monkeypatch, translator_run):
    argv = ["translate", "--checkpoint", str(translator_run)]
    forms = ["fünf", "\ufefffünf", " fünf\r\n", "fu\u0308nf", "fünf\r"]
    assert main([*argv, *forms]) == 0
    one, *others = capsys.readouterr().out.splitlines()
    assert others == [one] * 4
    content = "\ufefffünf\r\n fünf \nfu\u0308nf\r\nfünf".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="cp1252"))
    assert main(argv) == 0
    assert capsys.readouterr().out.splitlines() == [one] * 4
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("fünf\rfünf\r".encode())))
    assert main(argv) == 0
    assert capsys.readouterr().out.splitlines() == [one] * 2


def test_a_translation_is_searched_as_one_is_evaluated_if_nothing_else_is_said(
    capsys, monkeypatch, translator_run
):
    asked = []
    search = Translator.translate

    def remembered(self, texts, **settings):
        asked.append((settings["n_beams"], settings["length_penalty"]))
        return search(self, texts, **settings)

    monkeypatch.setattr(Translator, "translate", remembered)
    assert main(["translate", "--checkpoint", str(translator_run), "eins"]) == 0
    assert main(["translate", "--checkpoint", str(translator_run), "--length-penalty", "1", "eins"]) == 0
    assert asked == [(4, 0.6), (4, 1.0)], "the tables of training and evaluating have 4 beams, penalty 0.6"


@pytest.mark.parametrize(
    "trouble",
    [
        "CUDA error: no kernel image is available for execution on the device\nCompile with ...",
        "The operator 'aten::x' is not currently implemented for the MPS device.",
        "The NVIDIA driver on your system is too old; CUDA driver initialization failed",
    ],
)
def test_a_gpu_that_pytorch_does_not_serve_ends_in_one_line(capsys, monkeypatch, trouble):
    def fail(*_: object) -> None:
        raise RuntimeError(trouble)

    monkeypatch.setattr(command_line, "_sample", fail)
    line = refused(capsys, ["sample", "--checkpoint", "x"], code=1)
    assert "cannot compute on this GPU" in line
    assert line.endswith("give --device cpu")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_files_of_a_run_have_the_modes_of_the_umask(translator_run):
    before = os.umask(0o027)
    try:
        assert main(["train", "--run-dir", "run", "--quiet", *MICRO_PAIRS]) == 0
    finally:
        os.umask(before)
    assert {oct(path.stat().st_mode & 0o777) for path in Path("run").iterdir()} == {"0o640"}
