"""Every inventoried equation of the five sources has code that names it and a test that proves it."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from transformer_lib import equations

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parents[1]
SERIES = {"N": 21, "S": 21, "G": 8, "T": 10, "K": 17}
UNNUMBERED = ["N11a", "N11b", "N12a", "N18a"]
IDS = [f"{letter}{number}" for letter, last in SERIES.items() for number in range(1, last + 1)] + UNNUMBERED
MODULES = [getattr(equations, name) for name in equations.__all__]


def ids_in(line: str) -> set[str]:
    """The ids of a `Source:` line, with ranges such as N1-N3 written out."""
    ids: set[str] = set()
    for first, last in re.findall(r"\b([NSGTK]\d+[a-z]?)(?:-([NSGTK]\d+))?", line):
        if last:
            assert first[0] == last[0], f"a range from one source to another: {line!r}"
            ids |= {f"{first[0]}{number}" for number in range(int(first[1:]), int(last[1:]) + 1)}
        else:
            ids.add(first)
    return ids


def public_functions() -> dict[str, str]:
    """Docstrings of all functions that a module of equations defines and exports."""
    return {
        f"{module.__name__}.{name}": inspect.getdoc(getattr(module, name)) or ""
        for module in MODULES
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    }


@cache
def ids_with_code() -> set[str]:
    lines = re.findall(r"^Source: (.+)$", "\n".join(public_functions().values()), flags=re.MULTILINE)
    return set().union(*map(ids_in, lines))


@cache
def ids_with_proof() -> set[str]:
    """The arguments of all `@pytest.mark.proves(...)` on tests of the library."""
    proven: set[str] = set()
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or not function.name.startswith("test_"):
                continue
            for call in function.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.proves":
                    proven |= {ast.literal_eval(argument) for argument in call.args}
    return proven


def names_of_tests() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))


def test_ranges_of_ids_are_written_out() -> None:
    assert ids_in("N1-N3, S7, N12a; T4 for the mask") == {"N1", "N2", "N3", "S7", "N12a", "T4"}


def test_the_inventory_has_81_equations() -> None:
    assert len(set(IDS)) == len(IDS) == 81


def test_no_source_line_and_no_proof_names_an_equation_outside_the_inventory() -> None:
    of_a_source = {name for name in ids_with_proof() if re.fullmatch(r"[A-Z]\d+[a-z]?", name)}
    assert ids_with_code() | of_a_source <= set(IDS)


@pytest.mark.parametrize("equation", IDS)
def test_the_equation_has_a_function_whose_source_line_names_it(equation: str) -> None:
    assert equation in ids_with_code()


@pytest.mark.parametrize("equation", IDS)
def test_the_equation_has_a_test_that_proves_it(equation: str) -> None:
    assert equation in ids_with_proof()


def test_every_public_function_says_its_source_on_a_line_of_its_own() -> None:
    without = [name for name, doc in public_functions().items() if not re.search(r"^Source: \S", doc, re.M)]
    assert without == []


@pytest.mark.parametrize("page", ["errata.md", "notation.md"])
def test_every_function_and_test_that_the_page_names_exists(page: str) -> None:
    text = (ROOT / "book" / page).read_text(encoding="utf-8")
    tests = set(re.findall(r"`(test_\w+)`", text))
    assert tests - names_of_tests() == set()
    for module, name in re.findall(rf"`({'|'.join(equations.__all__)})\.(\w+)`", text):
        assert name in getattr(equations, module).__all__


def test_every_slip_says_what_shows_it() -> None:
    text = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
    entries = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 10
    shown = re.compile(r"^\*Shown by\* (`|\{cite)", re.MULTILINE)
    assert [entry.splitlines()[0] for entry in entries if not shown.search(entry)] == []
