"""Where tests stand: what tests a module takes one guess to find, and no test leans on another."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "transformer_lib", ROOT / "tests"

# Specifications, banks and hostile files are the graders' material.
OUR_OWN = [p for p in sorted(TESTS.rglob("*.py")) if not {"sample_exercise", "hostile"} & set(p.parts)]


def modules() -> list[str]:
    paths = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    data = ("__init__", "verdicts")  # the verdicts of all chapters are tested in test_claims.py
    names = sorted(path.with_suffix("").as_posix() for path in paths if path.stem not in data)
    return [*names, "experiments/running/verdicts"]


@cache
def imported_by(place: Path) -> set[str]:
    """The full names of all that the test files of a folder import."""
    found: set[str] = set()
    for path in place.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def defined_in(path: Path) -> set[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("module", modules())
def test_a_module_is_tested_in_the_folder_that_mirrors_its_own(module: str) -> None:
    place = (TESTS / "library" / module).parent
    package, _, name = f"transformer_lib.{module.replace('/', '.')}".rpartition(".")
    through_package = {f"{package}.{defined}" for defined in defined_in(PACKAGE / f"{module}.py")}
    is_tested = (place / f"test_{name}.py").is_file() or imported_by(place) & {
        f"{package}.{name}",
        *through_package,
    }
    assert is_tested, f"test transformer_lib/{module}.py in {place.relative_to(ROOT)}/test_{name}.py"


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
