"""Where tests stand: what tests a module takes one guess to find, and no test leans on another."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "transformer_lib", ROOT / "tests"

# Modules that are tested with another: the module, and the test file of its folder that covers it.
TESTED_WITH: dict[str, str] = {
    "activations": "layers",
    "cells": "recurrent",
    "arguments": "cli",
    "data/batches": "tokens",
    "data/bpe": "tokens",
    "data/corpus": "tokens",
    "data/digits": "visual",
    "data/docstrings": "sources",
    "data/grammar": "tales",
    "data/numbers": "pairs",
    "data/pair_batches": "pairs",
    "data/registry": "sources",
    "data/tokenizers": "tokens",
    "data/trees": "real",
    "experiments/language_model": "runner",
    "experiments/processes": "runner",
    "experiments/recipe": "wikitext2",
    "experiments/text": "runner",
    "inference": "decoding",
    "note_parameters": "attention",
    "plotting/alignment": "plotting",
    "plotting/attention": "plotting",
    "plotting/block": "plotting",
    "plotting/codes": "plotting",
    "plotting/charts": "plotting",
    "plotting/decoding": "plotting",
    "plotting/diagram": "plotting",
    "plotting/dropout": "plotting",
    "plotting/heads": "plotting",
    "plotting/language": "plotting",
    "plotting/masks": "plotting",
    "plotting/pixels": "plotting",
    "plotting/recurrent": "plotting",
    "plotting/scale": "plotting",
    "plotting/sequences": "plotting",
    "plotting/style": "plotting",
    "position_schemes": "positions",
    "released": "gpt2",
    "training/config": "loop",
    "training/interruption": "loop",
    "training/state": "checkpoints",
    "__main__": "cli",
}
# Specifications, banks and hostile files are the graders' material.
OUR_OWN = [p for p in sorted(TESTS.rglob("*.py")) if not {"sample_exercise", "hostile"} & set(p.parts)]


def modules() -> list[str]:
    paths = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    return sorted(path.with_suffix("").as_posix() for path in paths if path.stem != "__init__")


def homes(module: str) -> list[Path]:
    """Where the tests of a module may stand, in the order of a reader's guesses."""
    folder, _, name = module.rpartition("/")
    stem = f"test_{TESTED_WITH.get(module, name)}.py"
    return [TESTS / "library" / place / stem for place in ([folder, "."] if folder else ["models", "."])]


@pytest.mark.parametrize("module", modules())
def test_a_module_has_its_test_file_where_one_guess_finds_it(module: str) -> None:
    guesses = homes(module)
    assert any(path.is_file() for path in guesses), (
        f"transformer_lib/{module}.py needs {guesses[0].relative_to(ROOT)}, or a line in TESTED_WITH"
    )


def test_only_modules_that_exist_are_tested_with_another() -> None:
    assert set(TESTED_WITH) <= set(modules())
    folders = {module: module.rpartition("/")[0] or "models" for module in TESTED_WITH}
    own = {
        m for m, folder in folders.items() if (TESTS / f"library/{folder}/test_{Path(m).name}.py").is_file()
    }
    assert own == set(), "these have a test file of their own by now"


@pytest.mark.parametrize("path", OUR_OWN, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_nothing_is_imported_from_a_test_file(path: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {node.module or "", *(alias.name for alias in node.names)}
    tests = {file.stem for file in TESTS.rglob("test_*.py")}
    assert {name.rpartition(".")[2] for name in imported} & tests == set(), "share it in tests/support"
