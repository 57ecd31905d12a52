"""Decks of slides: one from every chapter, short, timed to ninety minutes; nothing is cut off on a slide."""

import pytest
import slides
from built_book import PATIENCE, SOAK
from built_pages import article_of, has_class, places, read_page
from lxml import html
from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("slides")]

CHAPTERS = [place.name for place in places() if place.name.startswith("chapters/")]
# A soak takes all; the others are made alike.
SHOWN = CHAPTERS if SOAK else ["chapters/11_language_model"]
SIZE = {"width": 1280, "height": 720}
FOUND = """() => [...Array(Reveal.getTotalSlides()).keys()].flatMap(number => {
    Reveal.slide(number);
    const slide = Reveal.getCurrentSlide(), body = slide.querySelector('.body');
    const boxes = [slide, ...(body ? [body, ...body.querySelectorAll('pre')] : [])];
    const cut = boxes.some(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
    const outside = [...slide.querySelectorAll('.fit *, h2, p')].some(element => {
        const { right, bottom } = element.getBoundingClientRect();
        return right > innerWidth + 1 || bottom > innerHeight + 1;
    });
    const broken = [...slide.querySelectorAll('img')].some(image => !image.naturalWidth);
    const raw = slide.querySelector('mjx-merror, .fit .math:not(:has(mjx-container))');
    return [[cut, 'cut off'], [outside, 'outside'], [broken, 'no picture'], [raw, 'a formula is not set']]
        .filter(([fault]) => fault).map(([, fault]) => `slide ${number + 1}: ${fault}`);
})"""


@pytest.fixture(scope="module", autouse=True)
def decks() -> None:
    assert slides.main([]) == 0, "let tools/slides.py write the decks: what it printed says why it did not"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_is_short_and_takes_ninety_minutes(name: str) -> None:
    deck = html.fromstring((slides.OUT / f"{name.rpartition('/')[2]}.html").read_text(encoding="utf-8"))
    sections = deck.xpath("//section")
    assert 25 <= len(sections) <= 55, f"{name}: {len(sections)} slides"
    assert sum(int(section.get("data-timing")) for section in sections) == 60 * 90, name
    assert "A plan of 90 minutes" in sections[0].xpath("./aside")[0].text_content(), name
    empty = [at for at, section in enumerate(sections, 1) if not section.xpath(".//*[text() or @src]")]
    assert not empty, f"{name}: nothing on slides {empty}"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_has_the_figures_equations_and_visible_code_of_its_chapter(name: str) -> None:
    deck = html.fromstring((slides.OUT / f"{name.rpartition('/')[2]}.html").read_text(encoding="utf-8"))
    article = article_of(read_page(name))
    for folded in article.xpath(".//details | .//section[contains(@id, 'further-reading')]"):
        folded.drop_tree()
    in_a_cell = f"[ancestor::div[{has_class('cell')}]]"
    pictures = {image.get("src") for image in article.xpath(f".//img{in_a_cell}")}
    assert pictures <= {image.get("src") for image in deck.iter("img")}, f"{name}: a figure is missing"
    numbers = {number.text_content() for number in article.xpath(f".//*[{has_class('eqno')}]")}
    shown = {number.text_content() for number in deck.xpath(f"//*[{has_class('eqno')}]")}
    assert numbers <= shown, f"{name}: equations {sorted(numbers - shown)} are missing"
    written = article.xpath(f".//div[{has_class('cell')}]/div[{has_class('cell_input')}]//pre")
    lines = {line for pre in written for line in pre.text_content().splitlines() if line.strip()}
    there = {line for pre in deck.iter("pre") for line in pre.text_content().splitlines()}
    assert lines <= there, f"{name}: lines of code are missing: {sorted(lines - there)[:3]}"


@pytest.mark.parametrize("name", SHOWN)
def test_nothing_is_cut_off_on_a_slide(name: str, browser: Browser) -> None:
    with browser.new_context(viewport=SIZE) as context:
        page, faults = context.new_page(), []
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((slides.OUT / f"{name.rpartition('/')[2]}.html").as_uri())
        page.wait_for_function("document.documentElement.dataset.deck === 'ready'", timeout=PATIENCE)
        faults += page.evaluate(FOUND)
        assert faults == [], f"{name}: shorten what stands on these slides, or mend tools/slides.py"


def test_the_speakers_window_shows_notes_with_formulas_and_a_clock(browser: Browser) -> None:
    with browser.new_context(viewport=SIZE) as context:
        page = context.new_page()
        page.goto((slides.OUT / "06_self_attention.html").as_uri())
        page.wait_for_function("document.documentElement.dataset.deck === 'ready'", timeout=PATIENCE)
        page.evaluate("Reveal.slide(9)")
        with context.expect_page() as opened:
            page.keyboard.press("s")
        window = opened.value
        window.wait_for_function("document.querySelectorAll('math msub').length > 0", timeout=PATIENCE)
        assert "TIME TO FINISH" in window.inner_text("body").upper(), "the clock needs data-timing"
