"""The built book in a real browser: pages load whole, search and themes work."""

import re

import pytest
from built_book import PAGES, PHONE, Visit, visit
from playwright.sync_api import Browser, BrowserContext

pytestmark = pytest.mark.slow


def test_a_page_loads_without_errors_failed_requests_or_other_hosts(seen: Visit) -> None:
    assert seen.faults == []
    assert seen.page.locator("article h1").count() == 1


def test_every_formula_is_rendered(seen: Visit) -> None:
    article = seen.page.locator("article")
    assert article.locator(".math:not(:has(mjx-container))").count() == 0
    assert article.locator("mjx-merror, mjx-container [data-mjx-error]").count() == 0
    unseen = seen.page.evaluate("""() => [...document.querySelectorAll('article mjx-c')]
        .filter(letter => getComputedStyle(letter, '::before').content === 'none')
        .map(letter => letter.className)""")
    assert unseen == [], "the style sheet of formulas has no rule for these characters"


def test_a_formula_says_what_it_is_to_those_who_cannot_see_it(seen: Visit) -> None:
    unsaid = seen.page.locator("article mjx-container:not(:has(> mjx-assistive-mml > math))")
    assert unsaid.count() == 0


def test_every_image_loads_and_has_words_for_those_who_cannot_see_it(seen: Visit) -> None:
    for image in seen.page.locator("article img").all():
        alt = (image.get_attribute("alt") or "").strip()
        assert " " in alt, f"{image.get_attribute('src')} has no alternative text but {alt!r}"
        assert not re.search(r"\.(png|svg|jpe?g|webp)$", alt), f"the alternative text is a path: {alt!r}"
        assert image.evaluate("image => image.complete && image.naturalWidth > 0"), f"{alt!r} did not load"


def test_no_page_scrolls_sideways_on_a_phone(seen: Visit) -> None:
    page = seen.resize(PHONE)
    too_wide = page.evaluate(
        """() => [...document.querySelectorAll('article *')]
            .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
            .filter(element => {
                for (let outer = element.parentElement; outer.tagName !== 'ARTICLE';
                     outer = outer.parentElement)
                    if (getComputedStyle(outer).overflowX !== 'visible') return false;
                return true;
            })
            .map(element => element.outerHTML.slice(0, 120))"""
    )
    assert too_wide == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_search_finds_attention(context: BrowserContext, site: str) -> None:
    seen = visit(context, site, "search.html?q=attention")
    results = seen.page.locator("#search-results ul.search li")
    results.first.wait_for()
    assert results.count() >= 1
    assert "attention" in seen.page.locator("#search-results").inner_text().lower()
    assert seen.faults == []


@pytest.mark.parametrize(
    ("query", "page"),
    [("softmax", "Glossary"), ("beta", "Notation"), ("NLL", "Glossary"), ("d_model", "Notation")],
)
def test_search_finds_a_symbol_by_its_name(context: BrowserContext, site: str, query: str, page: str) -> None:
    results = visit(context, site, f"search.html?q={query}").page.locator("#search-results ul.search li")
    results.filter(has_text=page).first.wait_for()


def test_the_search_dialog_leads_to_the_results(context: BrowserContext, site: str) -> None:
    seen = visit(context, site, f"{PAGES[0]}.html")
    seen.page.keyboard.press("Control+k")
    box = seen.page.locator(
        "dialog[open] input[type=search], .search-button__wrapper.show input[type=search]"
    )
    box.fill("attention")
    box.press("Enter")
    seen.page.wait_for_url("**/search.html?q=attention")
    seen.page.locator("#search-results ul.search li").first.wait_for()
    assert seen.faults == []


def test_the_theme_switch_changes_the_page_between_light_and_dark(browser: Browser, site: str) -> None:
    with browser.new_context(color_scheme="light") as context:
        seen = visit(context, site, f"{PAGES[0]}.html")
        root = seen.page.locator("html")
        background = "getComputedStyle(document.body).backgroundColor"
        shown = set()
        for _ in range(3):
            shown.add((root.get_attribute("data-theme"), seen.page.evaluate(background)))
            seen.page.locator(".theme-switch-button:visible").first.click()
        assert {theme for theme, _ in shown} == {"light", "dark"}
        assert len({color for _, color in shown}) == 2
        assert seen.faults == []


def test_a_reader_who_prefers_dark_gets_dark(browser: Browser, site: str) -> None:
    with browser.new_context(color_scheme="dark") as context:
        page = visit(context, site, f"{PAGES[0]}.html").page
        assert page.locator("html").get_attribute("data-theme") == "dark"
