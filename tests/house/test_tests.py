"""Where tests stand: what tests a module takes one guess to find, and no test leans on another."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "transformer_lib", ROOT / "tests"

# Specifications, banks and hostile files are the graders' material.
OUR_OWN = [p for p in sorted(TESTS.rglob("*.py")) if not {"sample_exercise", "hostile"} & set(p.parts)]


def modules() -> list[str]:
    paths = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    return sorted(path.with_suffix("").as_posix() for path in paths if path.stem != "__init__")


def public_names(path: Path) -> set[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {
        target.id
        for node in body
        if isinstance(node, ast.Assign)
        for target in ast.walk(node)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    }
    return {name for name in names if not name.startswith("_")} | {path.stem}


@pytest.mark.parametrize("module", modules())
def test_a_module_is_tested_in_the_folder_that_mirrors_its_own(module: str) -> None:
    place = (TESTS / "library" / module).parent
    texts = "\n".join(path.read_text(encoding="utf-8") for path in place.glob("test_*.py"))
    words = set(re.findall(r"\w+", texts))
    is_here = (place / f"test_{Path(module).name}.py").is_file()
    assert is_here or words & public_names(PACKAGE / f"{module}.py"), (
        f"test transformer_lib/{module}.py in {place.relative_to(ROOT)}/test_{Path(module).name}.py"
    )


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
