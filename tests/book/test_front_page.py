"""The first page and what a reader's browser remembers: the chapters that were read, and the place."""

import pytest
from built_book import DESKTOP, HTML, PHONE
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow

FRONT = (HTML / "book" / "index.html").as_uri()
CHAPTER = (HTML / "chapters" / "19_other_views.html").as_uri()
PANELS = ".front > .live, .front > .front-panel"


def test_the_first_screen_shows_a_figure_an_equation_a_verdict_and_what_one_builds(browser: Browser) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        page = context.new_page()
        page.goto(FRONT)
        page.wait_for_function("document.fonts.ready.then(() => true)")
        ends = page.locator(PANELS).evaluate_all(
            "all => all.map(panel => panel.getBoundingClientRect().bottom)"
        )
        assert len(ends) == 4 and max(ends) <= DESKTOP["height"], "the four panels fit the first screen"
        room = "panel => [parseFloat(getComputedStyle(panel).minHeight), panel.offsetHeight]"
        figure = page.locator(".live-panel")
        status = figure.get_by_role("status")
        told = status.inner_text()
        page.get_by_label("Word that looks").press("ArrowLeft")
        assert status.inner_text() != told, "say where the word looks that the keyboard chose"
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            reserved, needed = figure.evaluate(room)
            assert needed <= reserved + 1, f"reserve {needed} px for the figure in live.css"


KEPT = "localStorage.getItem('transformers-equation-by-equation')"


def first_way(page: Page) -> str:
    return page.locator(".front-ways a").first.inner_text()


def test_a_chapter_read_to_its_end_is_marked_and_one_can_go_on_from_there(browser: Browser) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        page = context.new_page()
        page.goto(FRONT)
        begin = first_way(page)
        assert page.locator(".is-read").count() == 0 and not page.locator(".map-progress").is_visible()

        page.goto(CHAPTER)
        page.locator("article h2").nth(1).scroll_into_view_if_needed()
        page.mouse.wheel(0, 600)
        page.wait_for_function(KEPT)
        page.goto(FRONT)
        assert first_way(page).startswith("Continue with 19. Other views"), "offer the place that was left"
        assert page.locator(".is-read").count() == 0, "a chapter that was begun is not read"

        page.goto(page.locator(".front-ways a").first.evaluate("way => way.href"))
        page.locator(".prev-next-footer").scroll_into_view_if_needed()
        after = page.locator(".right-next .prev-next-title").inner_text()
        expect(page.locator(".bd-sidebar-primary .is-read")).to_have_text(
            "19. Other views: memories, particles, kernels, read to the end"
        )
        page.goto(FRONT)
        assert page.locator(".map-chapter:has(.is-read)").evaluate_all(
            "all => all.map(box => box.dataset.chapter)"
        ) == ["19"]
        assert first_way(page) == f"Continue with {after}", "behind a chapter's end comes the next page"
        page.locator(".map-forget").click()
        page.wait_for_function(f"{KEPT} === null")
        expect(page.locator(".front-ways a").first).to_have_text(begin)


def test_the_map_says_what_stands_before_a_chapter(browser: Browser) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        page = context.new_page()
        page.goto(FRONT)
        page.locator(".map-chapter[data-chapter='8']").focus()
        told = "Before chapter 8 come 1, 6 and 7: 7½ hours of reading."
        expect(page.locator(".map-note")).to_have_text(told)
        assert page.locator(".map-chapter.is-needed").count() == 3
