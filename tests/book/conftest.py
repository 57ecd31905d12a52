"""One server, one browser, and each page loaded once for all the tests that take `seen`.

Build the book first (`make book`). A page is as the test before has left it, so each test of `seen` sets the
size that it needs. Of several processes (`-n 2 --dist loadgroup`) each has a server and a browser, and all
tests of a page are in one of them.
"""

import threading
from collections.abc import Iterator

import pytest
from built_book import CHROMIUM, DESKTOP, FLAGS, HTML, PAGES, Visit, visit
from playwright.sync_api import Browser, BrowserContext, sync_playwright


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if "seen" in parameters:
            item.add_marker(pytest.mark.xdist_group(parameters["seen"]))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    from serve import book_server

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
    if CHROMIUM is None:
        pytest.skip("no Chromium on the PATH; apt-get install chromium on Debian, chromium-browser on Ubuntu")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        yield context


@pytest.fixture(scope="session", params=PAGES)
def seen(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Visit]:
    """A page of the table of contents in the light theme, visited once for all the tests that take it."""
    with browser.new_context(viewport=DESKTOP, color_scheme="light") as context:
        yield visit(context, site, f"{request.param}.html")
