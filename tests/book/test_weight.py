"""Pages are light and nothing on them moves while they load: what readers wait for."""

import gzip

import pytest
from built_book import DESKTOP, PHONE
from playwright.sync_api import Browser, Response

pytestmark = pytest.mark.slow

SHOWN = [
    ("book/index", PHONE),
    ("book/notation", DESKTOP),
    ("chapters/06_self_attention", DESKTOP),
    ("chapters/06_self_attention", PHONE),
    ("chapters/11_language_model", PHONE),
]
MOST_BYTES_BEFORE_FIGURES, MOST_BYTES = 600_000, 1_000_000
MOST_SHIFT = 0.05
# The browser tells how far each thing moves that a reader sees, without what the reader has moved.
WATCH = """window.shift = 0;
new PerformanceObserver(list => list.getEntries().forEach(moved => {
    if (!moved.hadRecentInput) shift += moved.value;
})).observe({ type: 'layout-shift', buffered: true });"""


def weight(answer: Response) -> tuple[int, bool]:
    """How many bytes a server that compresses would send, and whether they are a picture."""
    kind, body = answer.headers.get("content-type", ""), answer.body()
    packed = kind.startswith(("image/png", "image/jpeg", "font/")) or answer.url.endswith((".woff", ".woff2"))
    return len(body if packed else gzip.compress(body, 6)), kind.startswith("image/")


@pytest.mark.parametrize(("name", "size"), SHOWN)
def test_a_page_is_light_and_stands_still(
    browser: Browser, site: str, name: str, size: dict[str, int]
) -> None:
    with browser.new_context(viewport=size) as context:
        page, answers = context.new_page(), []
        page.add_init_script(WATCH)
        page.on("response", lambda answer: answers.append(answer))
        page.goto(f"{site}/{name}.html", wait_until="networkidle")
        weights = [weight(answer) for answer in answers]
        shift = page.evaluate("shift")
    before_figures = sum(size for size, is_picture in weights if not is_picture)
    assert before_figures <= MOST_BYTES_BEFORE_FIGURES, (
        f"{name} weighs {before_figures:,} bytes before figures"
    )
    everything = sum(size for size, _ in weights)
    assert everything <= MOST_BYTES, f"{name} weighs {everything:,} bytes"
    assert shift < MOST_SHIFT, (
        f"{name} moves by {shift:.3f} while it loads: what comes late, has no room kept free"
    )
