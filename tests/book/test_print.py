"""The book on paper, a chapter or (in a soak) all of it: nothing is cut, links and numbers are right."""

import re
from collections.abc import Iterator

import print_book
import pytest
from built_book import SOAK
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("print")]

CHAPTER = "chapters/06_self_attention"
# What is printed, and the name of its file. The chapter comes with its evidence, so that links lead to both.
PRINTED = [] if SOAK else [CHAPTER, "book/evidence/06"]
CUT = """() => {
    const width = document.querySelector('.bd-article').clientWidth;
    const wide = [...document.querySelectorAll('.bd-article :is(pre, table, img, mjx-math, svg)')]
        .filter(element => element.getClientRects().length && !element.closest('mjx-assistive-mml'))
        .filter(element => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1
            || (element.tagName === 'PRE' && element.scrollWidth > element.clientWidth + 1));
    const broken = [...document.images].filter(image => !image.naturalWidth);
    const closed = [...document.querySelectorAll('.bd-article details:not([open])')];
    const lost = [...document.querySelectorAll('.bd-article a[href^="#"]')]
        .filter(link => !document.getElementById(decodeURIComponent(link.hash.slice(1))));
    const raw = [...document.querySelectorAll('.bd-article .math')]
        .filter(math => !math.querySelector('mjx-container'));
    const say = (kind, found) => found.map(element => `${kind}: ${element.outerHTML.slice(0, 120)}`);
    return [...say('too wide', wide), ...say('no picture', broken), ...say('closed', closed),
            ...say('leads nowhere', lost), ...say('not set', raw)];
}"""


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": print_book.WIDTH, "height": print_book.HEIGHT}) as context:
        yield print_book.laid_out(context.new_page(), print_book.write(PRINTED))


@pytest.fixture(scope="module")
def pdf(sheet: Page, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    target = tmp_path_factory.mktemp("print") / "book.pdf"
    print_book.print_sheets(sheet, target)
    return PdfReader(target)


@pytest.fixture(scope="module")
def texts(pdf: PdfReader) -> list[str]:
    """What stands on each sheet."""
    return [page.extract_text() for page in pdf.pages]


def bookmarks(pdf: PdfReader) -> dict[str, int]:
    """The page of each bookmark, counted from one."""
    found: dict[str, int] = {}

    def below(items: list) -> None:
        for item in items:
            if isinstance(item, list):
                below(item)
            else:
                found.setdefault(
                    " ".join(item.title.split()), (pdf.get_destination_page_number(item) or 0) + 1
                )

    below(pdf.outline)
    return found


def test_nothing_is_cut_and_every_link_leads_within_the_print(sheet: Page) -> None:
    assert sheet.evaluate(CUT) == [], "mend tools/print_book.css or print_book.js"


def test_the_contents_name_the_pages_of_the_bookmarks(pdf: PdfReader, texts: list[str]) -> None:
    pages = bookmarks(pdf)
    contents = " ".join(text for text in texts[:12] if text.startswith("Contents"))
    chapters = {title: page for title, page in pages.items() if re.match(r"\d+\. ", title)}
    assert chapters, "a chapter's heading is a bookmark"
    for title, page in chapters.items():
        number = re.search(re.escape(title).replace(r"\ ", r"\s+") + r"\s*(\d+)", contents)
        assert number and int(number[1]) == page, f"{title} is on page {page}"


def test_every_page_has_its_number_and_no_page_is_empty(texts: list[str]) -> None:
    parts = [place.part.split() for place in print_book.order([])]
    for at, text in enumerate(texts, 1):
        words = text.split()
        if at > 1 and words not in parts:
            assert str(at) in words, f"page {at} has no number"
            assert len(words) > 15, f"page {at} has nothing but {words}"


def test_every_line_of_visible_code_is_on_paper(texts: list[str], sheet: Page) -> None:
    printed = "".join("".join(text.split()) for text in texts)
    lines = sheet.locator(".bd-article .cell_input pre").all_inner_texts()
    lines = [line for text in lines for line in text.splitlines()]
    missing = [line for line in lines if "".join(line.split()) not in printed]
    assert len(lines) > 20, "the chapter has code"
    assert missing == [], "lines of code are missing"
