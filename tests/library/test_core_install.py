"""The command line where `pip install .` has been called without extras."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import core_install
import pytest
from cli_runs import MICRO, MICRO_PAIRS, train_in
from core_install import brought_by, modules_besides

ROOT = Path(__file__).resolve().parents[2]
LINES = [f"eins {a} zwei {b}\tone {a} two {b}\n" for a in "abcdefgh" for b in "abcdefgh"]
WORKS = {
    "sample": ["sample", "--checkpoint", "model", "--tokens", "5"],
    "evaluate": ["evaluate", "--checkpoint", "model", "--quiet"],
    "train": ["train", "--run-dir", "new", "--quiet", *MICRO],
    "train again": ["train", "--run-dir", "new", "--resume", "--quiet"],
    "sample again": ["sample", "--checkpoint", "new", "--tokens", "5"],
    "translate": ["translate", "--checkpoint", "translator", "zwei"],
    "reproduce --list": ["reproduce", "--list"],
}
TSV = ["--data", "pairs.tsv", "--quiet"]
MISSES = {
    "byte pairs": (["sample", "--checkpoint", "pieces"], "tokenizers", "train"),
    "to learn byte pairs": (["train", "--tokenizer", "bpe", "--run-dir", "not"], "tokenizers", "train"),
    "BLEU at the end": (["train", "--run-dir", "not", *TSV], "sacrebleu", "train"),
    "BLEU": (["evaluate", "--checkpoint", "translator", *TSV], "sacrebleu", "train"),
    "number words": (["evaluate", "--checkpoint", "translator"], "num2words", "train"),
    "digits": (["reproduce", "digits-transformer", "--record", "not.json"], "sklearn", "train"),
    "logs": (["train", "--run-dir", "not", "--tensorboard", *MICRO], "tensorboard", "tensorboard"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, tuple[int, str, str]]:
    """Code, output and errors of each command, all of them run by one process."""
    folder = tmp_path_factory.mktemp("core")
    train_in(folder / "model", MICRO)
    train_in(folder / "pieces", [*MICRO, "--tokenizer", "bpe", "--vocab-size", "300"])
    train_in(folder / "translator", MICRO_PAIRS)
    (folder / "pairs.tsv").write_text("".join(LINES), encoding="utf-8")
    commands = WORKS | {name: argv for name, (argv, _, _) in MISSES.items()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = brought_by(project["dependencies"]) | {project["name"]}
    wanted = {"absent": modules_besides(core), "commands": list(commands.values())}
    assert {"sklearn", "sacrebleu", "tensorboard", "packaging"} <= set(wanted["absent"])
    run = subprocess.run(
        [sys.executable, core_install.__file__],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    assert not (folder / "not").exists() and not (folder / "not.json").exists()
    return dict(zip(commands, json.loads(run.stdout), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKS)
def test_a_core_install_does(results, name):
    code, out, err = results[name]
    assert (code, bool(out.strip())) == (0, True), err


@pytest.mark.slow
@pytest.mark.parametrize("name", MISSES)
def test_what_a_core_install_lacks_is_named_with_the_command_that_brings_it(results, name):
    code, out, err = results[name]
    _, package, extra = MISSES[name]
    told = f"this needs the package {package}: in the course's folder, python -m pip install '.[{extra}]'"
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"python -m transformer_lib: error: {told}"
