"""axe-core finds nothing serious on any page, on a laptop or on a phone (a soak: on both)."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from built_book import DESKTOP, PAGES, PHONE, SOAK, Visit, outcome

pytestmark = pytest.mark.slow

IN_EVERY_WAY = {
    "book/index",
    "chapters/06_self_attention",
    "book/api/library/equations/papers",
}

# Checking each letter of the equations, hidden from screen readers, and each word of code would take minutes:
# equations are emptied meanwhile, and each color of code stays once on a page. Preloading would ask for style
# sheets at addresses that are not theirs.
FINDINGS = """async () => {
    const [equations, code] = ['article mjx-math', 'article div.highlight pre']
        .map(selector => [...document.querySelectorAll(selector)]);
    const kept = [...equations, ...code].map(element => [element, [...element.childNodes]]);
    equations.forEach(element => element.replaceChildren());
    const colors = new Set();
    for (const element of code) {
        element.replaceChildren(...[...element.childNodes].map(child => child.cloneNode(true)));
        for (const word of element.querySelectorAll('span'))
            if (colors.has(word.className)) word.replaceWith(...word.childNodes);
            else colors.add(word.className);
        element.normalize();
    }
    const result = await axe.run(document, { resultTypes: ['violations'], preload: false });
    kept.forEach(([element, children]) => element.replaceChildren(...children));
    return result.violations.filter(rule => ['serious', 'critical'].includes(rule.impact))
        .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 120)}`));
}"""

# A color that is still on its way from one theme to the other is neither's.
SHOW = """theme => {
    document.documentElement.dataset.theme = theme;
    return document.getAnimations().map(one => `${one.constructor.name} of ${one.effect.target.outerHTML}`);
}"""


def ways(name: str) -> list[tuple[dict[str, int], str]]:
    """The sizes and themes in which a page is looked at: every second page as on a phone."""
    if SOAK or name in IN_EVERY_WAY:
        return [(size, theme) for size in (DESKTOP, PHONE) for theme in ("light", "dark")]
    return [((DESKTOP, PHONE)[PAGES.index(name) % 2], "light")]


def test_no_page_keeps_a_reader_out(seen: Visit) -> None:
    seen.page.evaluate(Axe().axe_script)
    for size, theme in ways(seen.name):
        page = seen.resize(size)
        moving = [each[:120] for each in page.evaluate(SHOW, theme)]
        assert moving == [], "stop these in STILL of tests/support/built_book.py: their colors are on the way"
        findings = outcome(page, FINDINGS)
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        assert findings == [], f"{seen.name} at {size['width']} px in the {theme} theme"
