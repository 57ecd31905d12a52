"""The built book as its tests see it: the pages, and a browser in which every host but its own is blocked."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from playwright.sync_api import BrowserContext, Page, Request

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "tools"))

from api_pages import page_of, public_modules  # noqa: E402

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
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 375, "height": 812}
PATIENCE = 120_000
# A transition that a change of the window's size cuts off never settles in some versions of Chromium, and the
# theme starts some even for those who prefer less motion. So nothing moves, and no test waits for a movement.
STILL = "*, ::before, ::after { animation: none !important; transition: none !important; }"
SOAK = "SOAK" in os.environ


def pages_of_modules() -> list[tuple[str, int]]:
    """The pages of the reference that are made at each build, and how many bytes their modules have."""
    package = ROOT / "transformer_lib"
    return [(page_of(path, package), path.stat().st_size) for path in public_modules(package)]


def pages_that_stand_for(pattern: str, modules: list[tuple[str, int]]) -> list[str]:
    """The page of the longest module that the pattern matches: they are all made alike. A soak takes all."""
    matching = [(size, page) for page, size in modules if PurePosixPath(page).match(pattern)]
    return [page for _, page in (sorted(matching) if SOAK else [max(matching)])]


def pages_of_the_toc() -> list[str]:
    modules = pages_of_modules()
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def files(entry: dict) -> Iterator[str]:
        if "file" in entry:
            yield entry["file"]
        if "glob" in entry:
            yield from pages_that_stand_for(entry["glob"], modules)
        for below in (*entry.get("chapters", ()), *entry.get("sections", ())):
            yield from files(below)

    return [toc["root"], *(file for part in toc["parts"] for file in files(part))]


PAGES = pages_of_the_toc()


@dataclass
class Visit:
    """A page as loaded, and all that went wrong on the way."""

    name: str
    page: Page
    faults: list[str] = field(default_factory=list)

    def resize(self, size: dict[str, int]) -> Page:
        """Show the page at another size, and wait until it is laid out for it."""
        self.page.set_viewport_size(size)
        self.page.wait_for_function("width => innerWidth === width", arg=size["width"])
        outcome(
            self.page,
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
        )
        return self.page


def outcome(page: Page, promise: str, argument: object = None) -> Any:
    """What a promise of the page gives, if it does so in time: `page.evaluate` would wait for ever.

    The promise must give something that JavaScript takes for true, as every list is.
    """
    return page.wait_for_function(promise, arg=argument, timeout=PATIENCE).json_value()


def visit(context: BrowserContext, site: str, path: str) -> Visit:
    """Load a page, let its scripts finish, and note every console error, failed request and foreign host.

    From then on nothing on the page moves: each change of style is there at once.
    """
    page = context.new_page()
    visit = Visit(path.removesuffix(".html"), page)

    def check_host(request: Request) -> None:
        if not request.url.startswith((site + "/", "data:", "blob:")):
            visit.faults.append(f"asked another host: {request.url}")

    page.on("request", check_host)
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
    page.add_style_tag(content=STILL)
    outcome(page, "() => document.fonts.ready.then(() => true)")
    return visit
