"""The live figure of the whole model: what a reader does with it, and where its arrays lead."""

from collections.abc import Iterator

import pytest
from built_book import DESKTOP, visit
from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.slow

PAGE = "chapters/11_language_model.html"
MARKED = """() => [...CSS.highlights.get('live-line') ?? []].map(String).join()"""
BEGIN = "emil was a lazy boy from a lonely village . one snowy evening he found a golden key ."


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with browser.new_context(viewport=DESKTOP, reduced_motion="reduce") as context:
        yield visit(context, site, PAGE).page


@pytest.fixture
def figure(page: Page) -> Locator:
    return page.locator("#live-gpt")


def says(figure: Locator) -> str:
    return figure.get_by_role("status").inner_text()


def open_array(figure: Locator, stage: str, array: str) -> None:
    figure.locator(".live-route").get_by_role("button", name=stage).click()
    figure.locator(".live-arrays").get_by_role("button", name=array, exact=True).click()


def test_every_array_leads_to_its_line_on_the_page_and_to_its_equation(page: Page, figure: Locator) -> None:
    for stage in figure.locator(".live-route button").all():
        stage.click()
        for array in figure.locator(".live-arrays button").all():
            array.click()
            line, equation = figure.locator(".live-source a").all()
            assert "#equation-eq-" in (equation.get_attribute("href") or "")
            line.click()
            page.wait_for_function(f"line => ({MARKED})().includes(line)", arg=line.inner_text())


def test_the_model_knows_who_says_thank_you(figure: Locator) -> None:
    figure.get_by_label("Begin with").select_option("who says thank you?")
    first = figure.locator(".live-next button").first
    assert first.locator("b").inner_text() == "emil"
    open_array(figure, "attention 1", "weights")
    figure.get_by_role("button", name="head 3").click()
    assert "“,” looks at “emil”" in says(figure), "the text of the figure says so in chapter 11"
    first.click()
    assert figure.get_by_label("Your text").input_value().endswith("thank you , emil")
    assert "Appended “emil”" in says(figure)


def test_an_unknown_word_is_named_and_skipped(figure: Locator) -> None:
    figure.get_by_label("Your text").fill("Emil was a Lazy zebra, boy.")
    assert "skips zebra" in says(figure)
    figure.get_by_label("Your text").fill("emil was a lazy , boy .")
    assert "skips" not in says(figure)


def test_a_text_that_is_too_long_loses_its_beginning(figure: Locator) -> None:
    figure.get_by_label("Your text").fill("fox " * 120)
    assert "96 tokens" in says(figure)
    assert "first 25 are out of its sight" in says(figure)


def test_who_wants_no_motion_gets_all_words_at_once(figure: Locator) -> None:
    figure.get_by_label("Your text").fill(BEGIN)
    figure.get_by_role("button", name="Write 15 words").click()
    assert "The text now ends" in says(figure)
    text = figure.get_by_label("Your text").input_value()
    assert text.removeprefix(BEGIN).count(" ") == 15 or not text.startswith(BEGIN)


def test_a_weight_says_how_it_came_about_and_a_later_word_is_not_seen(figure: Locator) -> None:
    figure.get_by_label("Your text").fill("emil was a lazy boy")
    open_array(figure, "attention 1", "weights")
    figure.get_by_label("Row").fill("1")
    figure.get_by_label("Column").fill("0")
    assert "“emil” looks at the end token: exp(" in says(figure)
    figure.get_by_label("Column").fill("4")
    assert "“emil”, place 2, may not look ahead at “lazy”, place 5: its weight is 0." in says(figure)


def test_pointing_at_the_heat_map_is_moving_the_sliders(figure: Locator) -> None:
    figure.get_by_label("Your text").fill("emil was a lazy boy")
    open_array(figure, "output", "p")
    box = figure.locator(".live-heat canvas").bounding_box()
    assert box
    figure.page.mouse.move(box["x"] + box["width"] * 191.5 / 192, box["y"] + 2)
    assert figure.get_by_label("Row").input_value() == "0"
    assert figure.get_by_label("Column").input_value() == figure.get_by_label("Column").get_attribute("max")
    assert says(figure).startswith("After the end token comes")
