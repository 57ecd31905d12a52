"""CONTRIBUTING.md: its map of the house is the house, and the tests and commands that it names exist."""

import ast
import re
import runpy
from pathlib import Path

from transformer_lib.positions import POSITIONS, Positions

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LAYERS: dict[str, set[str]] = runpy.run_path(str(Path(__file__).with_name("test_layers.py")))["LAYERS"]


def test_the_map_shows_the_layers_as_they_are_declared() -> None:
    shown = re.search(r"<!-- layers -->\n```text\n(.*?)```\n<!-- /layers -->", TEXT, re.DOTALL)
    wide = max(map(len, LAYERS)) + 2
    lines = (f"{name:<{wide}}{', '.join(sorted(imports))}".rstrip() for name, imports in LAYERS.items())
    declared = "".join(f"{line}\n" for line in lines)
    assert shown is not None
    assert shown[1] == declared, f"write between the marks in CONTRIBUTING.md:\n{declared}"


def test_the_map_names_every_room_of_the_grading_package() -> None:
    package = ROOT / "exercises" / "autograder" / "autograder"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    assert rooms <= set(re.findall(r"^\| `(\w+)/` \|", TEXT, re.MULTILINE))


def test_the_tests_that_the_recipes_name_exist() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    known = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 10
    assert named - known == set()


def test_the_targets_of_make_that_the_guides_name_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for guide in ("CONTRIBUTING.md", "README.md"):
        named = set(
            re.findall(r"(?:`|^    )make (\w+)", (ROOT / guide).read_text(encoding="utf-8"), re.MULTILINE)
        )
        assert named and named <= targets, guide


def test_every_class_of_positions_has_a_row() -> None:
    classes = [Positions]
    for found in classes:
        classes += found.__subclasses__()
    public = [c.__name__ for c in classes if c.__name__.endswith("Positions") and "position" in c.__module__]
    names = [re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.removesuffix("Positions")).lower() for name in public]
    assert len(names) > 8
    assert sorted(name or "none" for name in names) == sorted(POSITIONS)
