"""Nothing that a page shows is cut off on a laptop, and no equation and no table on a phone."""

import pytest
from built_book import DESKTOP, PHONE, Visit

pytestmark = pytest.mark.slow

UNFOLD = "document.querySelectorAll('article details').forEach(folded => { folded.open = true; })"
TOO_WIDE = """(kinds) => {
    const article = document.querySelector('article.bd-article');
    const everything = {
        equation: 'div.math mjx-container, mjx-container:not([display])',
        table: 'table:not(.highlighttable)',
        code: 'div.highlight pre, dt.sig',
        output: '.cell_output > *, .cell_output pre, .cell_output img',
    };
    const inside = (element) => {
        const box = element.getBoundingClientRect(), style = getComputedStyle(element);
        return [box.left + parseFloat(style.borderLeftWidth), box.right - parseFloat(style.borderRightWidth)];
    };
    const excess = (element) => {
        const drawn = element.querySelector(':scope > mjx-math') ?? element;
        const { left, right, width } = drawn.getBoundingClientRect();
        let most = drawn === element && element.clientWidth ? element.scrollWidth - element.clientWidth : 0;
        for (let place = drawn.parentElement; article.contains(place); place = place.parentElement) {
            if (place !== article && getComputedStyle(place).overflowX === 'visible') continue;
            const [from, to] = inside(place);
            most = Math.max(most, from - left, right - to);
        }
        const number = element.parentElement.querySelector(':scope > .eqno')?.getBoundingClientRect();
        if (number && width) {
            const ours = drawn.getBoundingClientRect();
            if (number.top < ours.bottom && number.bottom > ours.top)
                most = Math.max(most, ours.right - number.left);
        }
        return Math.round(most);
    };
    const words = (element) => element.closest('[id]').id + ': '
        + (element.ariaLabel ?? element.textContent).trim().replace(/\\s+/g, ' ').slice(0, 50);
    return kinds.flatMap(kind => [...article.querySelectorAll(everything[kind])]
        .filter(element => element.getClientRects().length)
        .map(element => [excess(element), element])
        .filter(([pixels]) => pixels > 1)
        .map(([pixels, element]) => `${kind} in #${words(element)}: ${pixels} px too wide`));
}"""


@pytest.mark.parametrize(
    ("size", "kinds"),
    [
        pytest.param(DESKTOP, ["equation", "table", "code", "output"], id="laptop"),
        pytest.param(PHONE, ["equation", "table"], id="phone"),
    ],
)
def test_nothing_is_wider_than_its_place(seen: Visit, size: dict[str, int], kinds: list[str]) -> None:
    seen.page.evaluate(UNFOLD)
    page = seen.resize(size)
    findings = page.evaluate(TOO_WIDE, kinds)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert findings == [], f"{seen.name} at {size['width']} px"


def test_a_formula_in_a_line_has_no_scroll_bar(seen: Visit) -> None:
    """The test's browser draws none; others draw them under every formula that overflows by a pixel."""
    page = seen.resize(DESKTOP)
    scrolling = page.evaluate("""() => {
        const bar = formula => CSS.supports('scrollbar-width', 'none')
            ? getComputedStyle(formula).scrollbarWidth
            : getComputedStyle(formula, '::-webkit-scrollbar').display;
        return [...document.querySelectorAll('.bd-article mjx-container:not([display="true"])')]
            .filter(formula => formula.scrollWidth > formula.clientWidth + 1 || bar(formula) != 'none')
            .filter(formula => formula.clientWidth)
            .map(formula => formula.textContent);
    }""")
    assert scrolling == [], f"{seen.name}: in a line, and wider than its place"


@pytest.mark.parametrize("width", [375, 800])
def test_a_margin_note_stands_between_paragraphs_where_the_page_has_no_margin(
    seen: Visit, width: int
) -> None:
    """Beside the text it would squeeze it."""
    page = seen.resize({"width": width, "height": 812})
    narrow = page.evaluate("""() => [...document.querySelectorAll('article aside.margin')]
        .filter(note => note.offsetWidth < 0.9 * note.parentElement.clientWidth)
        .map(note => note.textContent.trim().slice(0, 50))""")
    assert narrow == [], f"{seen.name} at {width} px"
