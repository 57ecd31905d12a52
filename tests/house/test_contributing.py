"""CONTRIBUTING.md: its map of the house is the house, and the tests and commands that it names exist."""

import ast
import re
from pathlib import Path

import pytest

from transformer_lib.positions import POSITIONS, Positions

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DECLARED = {
    "layers": ROOT / "tests" / "house" / "test_layers.py",
    "rooms": ROOT / "tests" / "graders" / "test_layers.py",
}


def layers_declared_in(path: Path) -> dict[str, set[str]]:
    (declared,) = (
        node.value
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "LAYERS" and node.value
    )
    return eval(ast.unparse(declared), {"set": set})


@pytest.mark.parametrize("name", [name for name, path in DECLARED.items() if path.is_file()])
def test_the_map_shows_the_layers_as_they_are_declared(name: str) -> None:
    shown = re.search(rf"<!-- {name} -->\n```text\n(.*?)```\n<!-- /{name} -->", TEXT, re.DOTALL)
    layers = layers_declared_in(DECLARED[name])
    wide = max(map(len, layers)) + 2
    lines = (f"{layer:<{wide}}{', '.join(sorted(imports))}".rstrip() for layer, imports in layers.items())
    declared = "".join(f"{line}\n" for line in lines)
    assert shown is not None
    assert shown[1] == declared, f"write between the marks {name} of CONTRIBUTING.md:\n{declared}"


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
