"""The built book in a real browser, with every host but its own blocked.

Build it first (`make book`). The browser is the Chromium found on the PATH.
"""

import re
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "tools"))
from serve import book_server  # noqa: E402

CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome", "chrome"])), None
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 375, "height": 812}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="no Chromium on the PATH; on Debian and Ubuntu: apt-get install chromium"
    ),
]


def pages_of_the_toc() -> list[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def files(entry: dict) -> Iterator[str]:
        if "file" in entry:
            yield entry["file"]
        for below in (*entry.get("chapters", ()), *entry.get("sections", ())):
            yield from files(below)

    return [toc["root"], *(file for part in toc["parts"] for file in files(part))]


PAGES = pages_of_the_toc()


@dataclass
class Visit:
    """A page as loaded, and all that went wrong on the way."""

    page: Page
    faults: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    if not (HTML / "index.html").is_file():
        pytest.fail("there is no built book to test: run `make book` first")
    with book_server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        yield context


def visit(context: BrowserContext, site: str, path: str) -> Visit:
    """Load a page, let its scripts finish, and note every console error, failed request and foreign host."""
    page = context.new_page()
    visit = Visit(page)

    def only_our_own_host(route: Route, request: Request) -> None:
        if request.url.startswith((site + "/", "data:", "blob:")):
            route.continue_()
        else:
            visit.faults.append(f"asked another host: {request.url}")
            route.abort()

    page.route("**/*", only_our_own_host)
    page.on("console", lambda message: visit.faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: visit.faults.append(str(error)))
    page.on("requestfailed", lambda request: visit.faults.append(f"failed: {request.url}"))
    page.on(
        "response",
        lambda answer: (
            visit.faults.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None
        ),
    )
    page.goto(f"{site}/{path}", wait_until="networkidle")
    if page.locator(".math").count():
        page.wait_for_function("window.MathJax?.startup?.promise !== undefined")
        page.evaluate("MathJax.startup.promise")
    return visit


@pytest.fixture(scope="module", params=PAGES)
def seen(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Visit]:
    """A page of the table of contents, visited once for all the tests below that take it."""
    with browser.new_context() as context:
        yield visit(context, site, f"{request.param}.html")


def test_a_page_loads_without_errors_failed_requests_or_other_hosts(seen: Visit) -> None:
    assert seen.faults == []
    assert seen.page.locator("article h1").count() == 1


def test_every_formula_is_rendered(seen: Visit) -> None:
    article = seen.page.locator("article")
    assert article.locator(".math:not(:has(mjx-container))").count() == 0
    assert article.locator("mjx-merror, mjx-container [data-mjx-error]").count() == 0


def test_every_image_loads_and_has_words_for_those_who_cannot_see_it(seen: Visit) -> None:
    for image in seen.page.locator("article img").all():
        alt = (image.get_attribute("alt") or "").strip()
        assert " " in alt, f"{image.get_attribute('src')} has no alternative text but {alt!r}"
        assert not re.search(r"\.(png|svg|jpe?g|webp)$", alt), f"the alternative text is a path: {alt!r}"
        assert image.evaluate("image => image.complete && image.naturalWidth > 0"), f"{alt!r} did not load"


def test_no_page_scrolls_sideways_on_a_phone(seen: Visit) -> None:
    page = seen.page
    page.set_viewport_size(PHONE)
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
        assert len({colour for _, colour in shown}) == 2
        assert seen.faults == []


def test_a_reader_who_prefers_dark_gets_dark(browser: Browser, site: str) -> None:
    with browser.new_context(color_scheme="dark") as context:
        page = visit(context, site, f"{PAGES[0]}.html").page
        assert page.locator("html").get_attribute("data-theme") == "dark"
