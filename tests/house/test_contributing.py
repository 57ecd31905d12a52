"""CONTRIBUTING.md: its map of the house is the house, and the tests and commands that it names exist."""

import ast
import re
from pathlib import Path

import pytest

from transformer_lib.transformer.config import POSITIONS
from transformer_lib.transformer.position_hooks import Positions

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PLACES = {"layers": "house/test_import_arrows.py", "rooms": "graders/test_rooms.py"}
DECLARED = {name: file for name, place in PLACES.items() if (file := ROOT / "tests" / place).is_file()}


def map_of(name: str) -> str:
    """The map as it should stand between its marks, from what the test of that name declares."""
    (declared,) = (
        node.value
        for node in ast.parse(DECLARED[name].read_text(encoding="utf-8")).body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "LAYERS" and node.value
    )
    layers: dict[str, set[str]] = eval(ast.unparse(declared), {"set": set})
    wide = max(map(len, layers)) + 2
    lines = (f"{layer:<{wide}}{', '.join(sorted(imports))}".rstrip() for layer, imports in layers.items())
    return "```text\n" + "".join(f"{line}\n" for line in lines) + "```"


def with_map(text: str, name: str) -> str:
    marks = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    before, _, rest = text.partition(marks[0])
    _, _, after = rest.partition(marks[1])
    return before + marks[0] + map_of(name) + marks[1] + after


@pytest.mark.parametrize("name", DECLARED)
def test_the_map_shows_the_layers_as_they_are_declared(name: str) -> None:
    assert with_map(TEXT, name) == TEXT, "run: python tests/house/test_contributing.py"


def test_the_tests_that_the_recipes_name_exist() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    known = {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 10, "name the tests that guard each recipe in CONTRIBUTING.md, in backquotes"
    assert named <= known, f"CONTRIBUTING.md names tests that are gone, write the new names: {named - known}"


def test_the_targets_of_make_that_the_guides_name_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for guide in ("CONTRIBUTING.md", "README.md"):
        named = set(
            re.findall(r"(?:`|^    )make (\w+)", (ROOT / guide).read_text(encoding="utf-8"), re.MULTILINE)
        )
        assert named and named <= targets, (
            f"{guide} names targets that the Makefile lacks, write those that there are: {named - targets}"
        )


def test_every_class_of_positions_has_a_row() -> None:
    classes = [Positions]
    for found in classes:
        classes += [scheme for scheme in found.__subclasses__() if "position" in scheme.__module__]
    public = [scheme.__name__ for scheme in classes if scheme.__name__.endswith("Positions")]
    names = [re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.removesuffix("Positions")).lower() for name in public]
    assert len(names) > 8, "import the modules of every scheme of positions: too few classes were found"
    assert sorted(name or "none" for name in names) == sorted(POSITIONS), (
        "each class needs one row of POSITIONS"
    )


if __name__ == "__main__":
    for name in DECLARED:
        TEXT = with_map(TEXT, name)
    (ROOT / "CONTRIBUTING.md").write_text(TEXT, encoding="utf-8", newline="\n")
