"""What helps to read a chapter: how long it takes, how it runs, its terms, its proofs."""

import re
from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag
from built_book import DESKTOP, HTML, PAGES, visit
from equation_index import proofs
from playwright.sync_api import Browser
from reading_aids import glossary, how_to_run, term_of

CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]


@cache
def article(page: str) -> Tag:
    text = (HTML / f"{page}.html").read_text(encoding="utf-8")
    found = BeautifulSoup(
        re.sub(r"<mjx-container.*?</mjx-container>", "", text, flags=re.DOTALL), "lxml"
    ).article
    assert found, f"{page} has no article"
    return found


def test_other_computers_are_named_only_where_the_repository_has_an_address() -> None:
    assert "colab" not in how_to_run("chapters/06_self_attention", "").lower()
    there = how_to_run("chapters/06_self_attention", "https://github.com/someone/course")
    assert (
        "colab.research.google.com/github/someone/course/blob/main/chapters/06_self_attention.ipynb" in there
    )
    assert "mybinder.org/v2/gh/someone/course/main" in there


def test_an_explanation_is_plain_text() -> None:
    for term, said in glossary().items():
        assert said and not set(said) & set("[]{}*`$\\"), f"{term}: write its entry so that {said!r} is plain"


def test_an_acronym_is_explained_only_where_it_is_written_as_one() -> None:
    assert term_of("NADE") == "NADE" and term_of("Softmax") == "softmax"
    assert term_of("zero") == ""


@pytest.mark.slow
@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_says_how_long_it_takes_and_how_to_run_it(page: str) -> None:
    (facts,) = article(page).select("h1 + .page-facts, .page-facts")
    reading, exercises = re.fullmatch(r"(.+) hours, exercises (.+) hours", facts.span.get_text()).groups()
    said = article(page).find(string=re.compile("more for the")).parent.get_text()
    words = {
        "1½": "one and a half",
        "2": "two",
        "2½": "two and a half",
        "3": "three",
        "3½": "three and a half",
    }
    assert f"{words[reading]} hours, and {words[exercises]} more for the exercises" in said
    assert f"{page}.ipynb" in facts.details.get_text()


@pytest.mark.slow
@pytest.mark.parametrize("page", CHAPTERS)
def test_a_term_is_explained_once_in_a_section_and_in_running_text_alone(page: str) -> None:
    for section in article(page).select("section > section"):
        if section.parent.find_parent("section"):
            continue
        described = [term["aria-describedby"] for term in section.select("a.term")]
        assert len(described) == len(set(described)), f"{page}: twice in a section"
    notes = {note["id"]: note.get_text(strip=True) for note in article(page).select(".term-notes > [id]")}
    for term in article(page).select("a.term"):
        assert not term.find_parent(["h1", "h2", "h3", "h4", "code", "pre", "table"]), f"{page}: {term}"
        assert notes[term["aria-describedby"]], f"{page}: {term} has no explanation"


@pytest.mark.slow
def test_every_equation_of_a_source_names_the_test_that_proves_it() -> None:
    names = {proof.name for proof in proofs()}
    lines = [line for page in CHAPTERS for line in article(page).select("p.proved")]
    assert len(lines) >= 90, (
        "an equation of the index has lost its line: see proof_of() in tools/reading_aids.py"
    )
    assert {line.select("a")[1].get_text() for line in lines} <= names


@pytest.mark.slow
def test_a_term_is_explained_to_the_pointer_and_to_the_keyboard_until_escape(
    browser: Browser, site: str
) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        page = visit(context, site, "chapters/06_self_attention.html").page
        term, note = page.locator("a.term").first, page.locator(".term-note")
        said = page.locator(f"#{term.get_attribute('aria-describedby')}").text_content()
        for ask in (term.hover, term.focus):
            ask()
            note.wait_for(state="visible")
            assert note.inner_text() == said
            page.keyboard.press("Escape")
            note.wait_for(state="hidden")
