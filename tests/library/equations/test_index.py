"""Every inventoried equation of the sources has code that names it and a test that proves it."""

import inspect
import re
from pathlib import Path

import equation_index
import pytest
from equation_index import Row

from transformer_lib import equations

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parents[1]
BOOK = ROOT / "book"
SERIES = {"N": 21, "S": 21, "G": 8, "T": 10, "K": 17}
UNNUMBERED = ["N11a", "N11b", "N12a", "N18a"]
IDS = [f"{letter}{number}" for letter, last in SERIES.items() for number in range(1, last + 1)] + UNNUMBERED


def rows(page: str) -> list[Row]:
    """The equations that a page of the index lists."""
    text = (BOOK / page).read_text(encoding="utf-8")
    tables = re.findall(r"^:::\{equation-index\}\n(.*?)^:::", text, re.MULTILINE | re.DOTALL)
    return [Row.parse(line) for table in tables for line in table.splitlines()]


OF_THE_SOURCES, OF_PAPERS = rows("equation_index.md"), rows("equation_index_papers.md")


def names_of_tests() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))


def test_the_index_lists_the_81_equations_of_the_five_sources() -> None:
    assert len(IDS) == len(OF_THE_SOURCES) == 81
    assert {row.key for row in OF_THE_SOURCES} == set(IDS)


def test_the_index_lists_every_function_from_a_paper_once() -> None:
    of_papers = [f.name for f in equation_index.functions() if f.name.startswith("papers")]
    listed = [row.key for row in OF_PAPERS]
    assert sorted(listed) == sorted(of_papers), (
        f"book/equation_index_papers.md lacks, lists twice or should not list: "
        f"{sorted(set(listed) ^ set(of_papers)) or sorted(listed)}"
    )


@pytest.mark.parametrize("row", [*OF_THE_SOURCES, *OF_PAPERS], ids=lambda row: row.key)
def test_the_equation_has_code_a_test_and_a_number_in_its_chapter(row: Row) -> None:
    assert equation_index.faults(row) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("N99 | (99) | nothing | 10 |", "N99 has no function whose `Source:` line names it"),
        ("papers.nothing | | nothing | 10 |", "papers.nothing has no test whose `proves` mark names it"),
        ("N2 | (2) | weights | 6, 7 |", "N2 has no label, but chapter 6 exists"),
        ("N2 | (2) | weights | 6, 7 | eq-06-nowhere", "N2 has the label eq-06-nowhere, which no chapter"),
    ],
)
def test_what_an_equation_lacks_is_said(line: str, fault: str) -> None:
    assert any(found.startswith(fault) for found in equation_index.faults(Row.parse(line)))


def test_a_line_of_the_index_without_its_five_fields_is_refused() -> None:
    with pytest.raises(ValueError, match=r"five fields, key \| number .* 'N2 \| weights'"):
        Row.parse("N2 | weights")


def test_a_row_names_the_function_and_the_test_of_fewest_equations() -> None:
    weights = next(row for row in OF_THE_SOURCES if row.key == "K13")
    assert [function.name for function in equation_index.functions_of(weights)] == [
        "stratos.attention_scores"
    ]
    assert [proof.name for proof in equation_index.proofs_of(weights)] == [
        "test_the_module_s_weights_are_the_note_s"
    ]


def test_no_source_line_and_no_proof_names_an_equation_outside_the_inventory() -> None:
    proven = {name for proof in equation_index.proofs() for name in proof.ids}
    cited = {name for function in equation_index.functions() for name in function.ids}
    assert {name for name in proven | cited if re.fullmatch(r"[A-Z]\d+[a-z]?", name)} <= set(IDS)
    assert {name for name in proven if name[0].islower()} <= cited


def test_every_public_function_says_its_source_on_a_line_of_its_own() -> None:
    modules = [getattr(equations, name) for name in equations.__all__]
    public = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in modules
        for name, member in inspect.getmembers(module, inspect.isfunction)
        if name in module.__all__ and member.__module__ == module.__name__
    }
    assert len(public) > 80
    assert public - {function.name for function in equation_index.functions()} == set()


def test_source_lines_write_ranges_out() -> None:
    for path in (ROOT / "transformer_lib").rglob("*.py"):
        assert re.findall(r"Source: .*[NSGTK]\d+-[NSGTK]?\d+", path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize("page", ["errata.md", "notation.md"])
def test_every_function_and_test_that_the_page_names_exists(page: str) -> None:
    text = (BOOK / page).read_text(encoding="utf-8")
    tests = set(re.findall(r"`(test_\w+)`", text))
    assert tests - names_of_tests() == set()
    for module, name in re.findall(rf"`({'|'.join(equations.__all__)})\.(\w+)`", text):
        assert name in getattr(equations, module).__all__


def test_every_slip_says_what_shows_it() -> None:
    text = (BOOK / "errata.md").read_text(encoding="utf-8")
    entries = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 10
    shown = re.compile(r"^\*Shown by\* (`|\{cite)", re.MULTILINE)
    assert [entry.splitlines()[0] for entry in entries if not shown.search(entry)] == []
