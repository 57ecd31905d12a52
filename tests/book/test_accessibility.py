"""axe-core finds nothing serious on any page, on a laptop and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from built_book import DESKTOP, PHONE, SOAK, Visit

pytestmark = pytest.mark.slow

IN_BOTH_THEMES = {"book/index", "book/notation", "chapters/06_self_attention", "book/api/equations/note"}

# Letters inside an equation are hidden from screen readers, and checking each of them takes minutes.
# Preloading would ask for style sheets a second time, at addresses that are not theirs.
FINDINGS = """axe.run({ exclude: [['mjx-math']] }, { resultTypes: ['violations'], preload: false })
    .then(result => result.violations.filter(rule => ['serious', 'critical'].includes(rule.impact))
        .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 120)}`)))"""


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, id="laptop"), pytest.param(PHONE, id="phone")])
def test_no_page_keeps_a_reader_out(seen: Visit, size: dict[str, int]) -> None:
    page = seen.resize(size)
    page.evaluate(Axe().axe_script)
    for theme in ["light", "dark"] if SOAK or seen.name in IN_BOTH_THEMES else ["light"]:
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        findings = page.evaluate(FINDINGS)
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        assert findings == [], f"{seen.name} at {size['width']} px in the {theme} theme"
