"""What the course's Sphinx extension makes of the settings, the plan and the docstrings."""

import json
from urllib.parse import unquote

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from built_book import DESKTOP, HTML, PAGES, ROOT, Visit
from course_pages import break_equations_at_gaps, repository_links

CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
PLAN = yaml.safe_load((ROOT / "book" / "plan.yml").read_text(encoding="utf-8"))
MOST_PIXELS = 15_000
MOST_BYTES = 1_000_000


def test_the_plan_has_twenty_chapters_in_the_parts_of_the_table_of_contents() -> None:
    assert [int(name[:2]) for part in PLAN for name in part["chapters"]] == list(range(1, 21))
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    planned = {part["part"]: part["chapters"] for part in PLAN}
    for part in toc["parts"]:
        for entry in part["chapters"]:
            if entry["file"].startswith("chapters/"):
                assert entry["file"].removeprefix("chapters/") in planned[part["caption"]]


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_has_the_title_that_the_plan_gives_it(page: str) -> None:
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    heading = "".join(cells[0]["source"]).splitlines()[0]
    titles = {name: title for part in PLAN for name, title in part["chapters"].items()}
    assert heading == f"# {titles[page.removeprefix('chapters/')]}"


def test_pages_link_to_the_repository_only_where_its_address_is_set() -> None:
    for nowhere in ("", None):
        assert repository_links(nowhere) == {"use_edit_page_button": False, "launch_buttons": {}}
    links = repository_links("https://example.org/course")
    assert links["use_edit_page_button"] is True
    assert links["launch_buttons"]["binderhub_url"].startswith("https://")


def test_the_repository_s_address_stands_in_the_configuration() -> None:
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert "url" in config["repository"]


def test_long_equations_of_one_docstring_line_stand_below_one_another() -> None:
    long = [
        ".. math::",
        "    " + "a = b, " * 15 + r"\qquad c = d, \quad e = f",
        "",
        "Then text, \\qquad kept.",
    ]
    break_equations_at_gaps(None, "", "", None, None, long)
    assert [line for line in long if "&" in line][1:] == [r"    & c = d, \\", "    & e = f"]
    assert long[-1] == "Then text, \\qquad kept."
    short = [".. math::", r"    a = b, \qquad c = d", ""]
    unchanged = list(short)
    break_equations_at_gaps(None, "", "", None, None, short)
    assert short == unchanged


@pytest.mark.slow
@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_can_be_downloaded_as_a_notebook_from_its_page(page: str) -> None:
    built = HTML / f"{page}.html"
    document = BeautifulSoup(built.read_text(encoding="utf-8"), "html.parser")
    (link,) = document.select("a.btn-download-source-button")
    served = (built.parent / unquote(link["href"])).resolve()
    assert served.suffix == ".ipynb"
    notebook = nbformat.read(served, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells


@pytest.mark.slow
def test_no_field_of_a_named_tuple_is_called_an_alias() -> None:
    for page in (HTML / "book" / "api").rglob("*.html"):
        assert "Alias for field number" not in page.read_text(encoding="utf-8"), page.name


@pytest.mark.slow
def test_no_value_in_the_reference_is_that_of_the_machine_which_built_it() -> None:
    """A path, or an address in memory: the docstring then says `:meta hide-value:`."""
    for page in (HTML / "book" / "api").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert str(ROOT) not in text and " at 0x" not in text, page.name


@pytest.mark.slow
@pytest.mark.parametrize("seen", [page for page in PAGES if "/library/" in page], indirect=True)
def test_a_page_of_the_reference_is_short_enough_to_find_something_on(seen: Visit) -> None:
    height = seen.resize(DESKTOP).evaluate("document.body.scrollHeight")
    assert height < MOST_PIXELS, f"{seen.name} is {height} pixels long: part its module"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_light_enough_to_open_and_to_check(page: str) -> None:
    """At half as much again, the search for what keeps a reader out takes minutes and gigabytes."""
    assert (HTML / f"{page}.html").stat().st_size < MOST_BYTES
