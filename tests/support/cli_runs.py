"""Small data and small settings, so that a command runs in about a second."""

import signal
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from transformer_lib.__main__ import main
from transformer_lib.data import CORPORA, PAIRS, Corpus, ParallelCorpus, load_number_words, load_tales

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ("train", "sample", "translate", "evaluate", "reproduce")
PAIRS_NAME = "number-words-de-en"
SHAPE = ["d_model=16", "n_heads=2", "n_layers=1", "evaluate_every=4", "warmup_steps=2"]


def _micro(*settings: str) -> list[str]:
    options = [argument for setting in (*SHAPE, *settings) for argument in ("--set", setting)]
    return ["--steps", "12", "--device", "cpu", "--set", "dropout=0.1", *options]


MICRO = [*_micro("context_length=16"), "--batch-size", "4"]
MICRO_PAIRS = [*_micro("context_length=32"), "--data", PAIRS_NAME, "--batch-size", "64"]


@cache
def few_tales() -> Corpus:
    return load_tales(n_train=60, n_valid=8, n_test=8)


@cache
def few_numbers() -> ParallelCorpus:
    return load_number_words("de", "en", n_train=80, n_valid=8, n_test=8, largest=99)


def use_small_data(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(CORPORA, "tales", few_tales)
    patch.setitem(PAIRS, PAIRS_NAME, few_numbers)


def train_in(folder: Path, options: list[str]) -> Path:
    """A run on the small data."""
    with pytest.MonkeyPatch.context() as patch:
        use_small_data(patch)
        assert main(["train", "--run-dir", str(folder), "--quiet", *options]) == 0
    return folder


def press_ctrl_c_at_batch_5(patch: pytest.MonkeyPatch, batches: type) -> None:
    """SIGINT arrives while the batch of number 5 is read."""
    batch = batches.batch

    def pressing(self, step):
        if step == 5:
            signal.raise_signal(signal.SIGINT)
        return batch(self, step)

    patch.setattr(batches, "batch", pressing)


def refused(capsys, argv: list[str], code: int = 2) -> str:
    """The one line on standard error that `argv` ends in.

    The command is given in the test's folder, or in an empty one: other tests write into the repository's.
    """
    capsys.readouterr()
    with TemporaryDirectory() as empty, chdir(empty if Path.cwd() == ROOT else Path.cwd()):
        before = sorted(Path.cwd().rglob("*"))
        assert main(argv) == code
        assert sorted(Path.cwd().rglob("*")) == before, "nothing may be written"
    out, err = capsys.readouterr()
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("python -m transformer_lib: error: ")
    assert "Traceback" not in err
    return last
