"""The built book names only pages, anchors and files that exist, and loads nothing from another host."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from lxml import html

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"

pytestmark = pytest.mark.slow


def pages() -> list[Path]:
    found = sorted(path for path in HTML.rglob("*.html") if "_static" not in path.parts)
    if not found:
        pytest.fail("there is no built book to test: run `make book` first")
    return found


@cache
def parsed(page: Path) -> html.HtmlElement:
    return html.document_fromstring(page.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(parsed(page).xpath("//@id"))


def references(page: Path) -> Iterator[tuple[str, str]]:
    """Each (tag, address) that a page links to or loads."""
    for tag in parsed(page).iter("a", "link", "script", "img", "source"):
        address = tag.get("href") or tag.get("src")
        if address:
            yield tag.tag, address


def test_every_internal_link_and_anchor_exists() -> None:
    broken = []
    for page in pages():
        for _, address in references(page):
            if urlsplit(address).scheme or address.startswith("//"):
                continue
            path, fragment = urldefrag(address)
            path = unquote(urlsplit(path).path)
            target = (page.parent / path).resolve() if path else page
            if not target.is_file():
                broken.append(f"{page.relative_to(HTML)}: {address}")
            elif fragment and target.suffix == ".html" and unquote(fragment) not in anchors(target):
                broken.append(f"{page.relative_to(HTML)}: {address} (no such anchor)")
    assert broken == []


def test_no_page_loads_anything_from_another_host() -> None:
    foreign = [
        f"{page.relative_to(HTML)}: {address}"
        for page in pages()
        for tag, address in references(page)
        if tag != "a" and (urlsplit(address).netloc or address.startswith("//"))
    ]
    assert foreign == []


def test_each_page_has_one_title_and_says_its_language() -> None:
    for page in pages():
        if page.name == "index.html" and page.parent == HTML:
            continue  # a bare redirect to the first page
        document = parsed(page)
        assert document.get("lang") == "en", page
        assert (document.findtext("head/title") or "").strip(), page


def test_formulas_are_set_in_the_page_and_come_without_a_script() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert "\\(" not in re.sub(r"<(script|pre|code)\b.*?</\1>", "", text, flags=re.DOTALL), page
        assert "MathJax.js" not in text and "tex-chtml" not in text, page
    assert not (HTML / "_static" / "mathjax").exists()


def test_the_style_sheet_of_formulas_has_every_character_that_a_page_shows() -> None:
    sheet = (HTML / "_static" / "formulas.css").read_text(encoding="utf-8")
    ruled = set(re.findall(r"mjx-c\.mjx-c([0-9A-F]+(?:\.TEX-\w+)?)::before", sheet))
    for page in pages():
        shown = set(re.findall(r'class="mjx-c([0-9A-F]+(?: TEX-\w+)?)"', page.read_text(encoding="utf-8")))
        assert {name.replace(" ", ".") for name in shown} <= ruled, page


def test_a_chapter_has_the_number_of_its_file_name() -> None:
    chapters = [page for page in pages() if page.parent.name == "chapters"]
    assert chapters
    for page in chapters:
        (number,) = parsed(page).xpath("//article//h1[1]//*[@class='section-number']")
        assert number.text_content().strip() == f"{int(page.name[:2])}."
        for equation in parsed(page).find_class("eqno"):
            assert equation.text_content().startswith(f"({int(page.name[:2])}.")
