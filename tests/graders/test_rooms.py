"""The rooms of the grading package, declared here and nowhere else: which may import which."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from autograder.authoring.version import JUDGING, bare, code_version
from autograder.worker.sandbox import WORKER_MODULES
from grader_cases import ROOT
from import_arrows import below, imported, layer

PACKAGE = ROOT / "exercises" / "autograder" / "autograder"

# A room, with all that is in it, may import the rooms in its set, those in theirs, and so on.
LAYERS: dict[str, set[str]] = {
    "files": set(),
    "authoring": set(),
    "worker": {"authoring"},
    "judging": {"worker"},
    "proving": {"judging", "files"},
    "classroom": {"delivery"},
    "delivery": {"judging", "files"},
    "__main__": {"proving", "classroom", "delivery"},
}
# the package's own face imports what it shows when it is asked for it
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")
NAMES = [path.relative_to(PACKAGE).as_posix() for path in MODULES]


def test_every_module_is_in_a_room() -> None:
    assert {layer(path, PACKAGE) for path in MODULES} == set(LAYERS)


def test_the_rooms_have_no_cycle() -> None:
    for name in LAYERS:
        assert all(name not in below(LAYERS, other) for other in LAYERS[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_module_imports_only_from_its_own_room_and_those_below(name: str) -> None:
    path = PACKAGE / name
    found = imported(path, path.read_text(encoding="utf-8"), PACKAGE) - {"check"}
    assert found <= below(LAYERS, layer(path, PACKAGE))


def test_the_sandbox_holds_all_that_a_worker_imports(tmp_path: Path) -> None:
    for name in WORKER_MODULES:
        place = tmp_path / "autograder" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PACKAGE / name, place)
    words = [sys.executable, "-P", "-c", "import autograder.worker.__main__ as m; print(m.__file__)"]
    settings = os.environ | {"PYTHONPATH": str(tmp_path)}
    told = subprocess.run(words, env=settings, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() == str(tmp_path / "autograder" / "worker" / "__main__.py")


def test_the_face_of_the_package_imports_nothing_until_it_is_asked() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in top] == ["from typing import Any"]


@pytest.mark.slow
def test_the_version_digests_what_the_judging_code_does_and_nothing_else(tmp_path: Path) -> None:
    assert {name.split("/")[0] for name in JUDGING} == below(LAYERS, "judging")
    copied = tmp_path / "autograder"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))

    def version() -> str:
        code_version.cache_clear()
        return code_version(package=copied)

    before = version()
    assert before == code_version(package=PACKAGE), "the place does not count"
    for name in NAMES:
        path = copied / name
        whole = path.read_bytes()
        path.write_bytes(whole + b"\nanother_name = 1\n")
        assert (version() != before) == (name in JUDGING), name
        path.write_bytes(whole.replace(b"\n", b"\r\n") + b"\n# a remark\n")
        assert version() == before, "how lines end and what remarks say does not count"
        path.write_bytes(whole)
    code_version.cache_clear()


def test_words_for_people_do_not_count() -> None:
    one = 'def f(x):\n    """Adds."""\n    return Part("values", 1, "the sum", f, hints=("Add it.",))\n'
    other = 'def f(x):\n    # a remark\n    return Part("values", 1, "their sum", f, hints=("Use +.",))\n'
    assert bare(one) == bare(other.replace("# a remark", '"""Sums."""'))
    for changed in (one.replace("values", "sums"), one.replace("1", "2"), one.replace("(x)", "(y)")):
        assert bare(changed) != bare(one)
    axes = 'x = einsum("b i, b j -> i j", x, y)'
    assert bare(axes) != bare(axes.replace("-> i j", "-> j i")), "a text with spaces may be a pattern"
