"""The built pages, from which the book on paper and the slides are made: their order and their text."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import yaml
from lxml import html
from lxml.html import HtmlElement

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome", "chrome"])), None
)
NO_CHROMIUM = (
    "There is no Chromium on the PATH: apt-get install chromium on Debian, chromium-browser on Ubuntu."
)


@dataclass(frozen=True)
class Place:
    """A page's place in the table of contents: its part, and how many pages it stands below."""

    name: str
    part: str
    depth: int


def places() -> list[Place]:
    """Every page that `_toc.yml` names, in its order, without the first page and without patterns."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def below(entries: list[dict], part: str, depth: int) -> list[Place]:
        found = []
        for entry in entries:
            if "file" in entry:
                found.append(Place(entry["file"], part, depth))
            found += below(entry.get("sections", []), part, depth + 1)
        return found

    return [place for part in toc["parts"] for place in below(part["chapters"], part["caption"], 0)]


def read_page(name: str) -> HtmlElement:
    """A built page."""
    return html.fromstring((HTML / f"{name}.html").read_text(encoding="utf-8"))


def has_class(name: str) -> str:
    """The condition of XPath for an element of that class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def article_of(page: HtmlElement) -> HtmlElement:
    """What a page says, without what only a screen can use."""
    (article,) = page.xpath(f"//article[{has_class('bd-article')}]")
    for useless in article.xpath(
        f".//a[{has_class('headerlink')}] | .//script | .//style | .//div[{has_class('toctree-wrapper')}]"
        f" | .//*[{has_class('screen-only')}]"
    ):
        useless.drop_tree()
    for element in article.iter():
        for attribute in ("loading", "tabindex"):
            element.attrib.pop(attribute, None)
    return article


def path_within_the_book(page: str, address: str) -> tuple[PurePosixPath, str] | None:
    """The file that an address on a page leads to, and the anchor in it; None for another site's."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    path = PurePosixPath(page).parent / parts.path if parts.path else PurePosixPath(f"{page}.html")
    return PurePosixPath(os.path.normpath(path)), parts.fragment


def stylesheets(page: HtmlElement, to_the_book: str) -> str:
    """What a page of the book has in its head for its looks and its formulas, for a file elsewhere."""
    depth = "../"
    kept = []
    for element in page.xpath("//link[@rel='stylesheet']"):
        address = element.get("href") or ""
        if address.startswith(depth):
            element.set("href", to_the_book + address.removeprefix(depth))
        element.tail = "\n"
        kept.append(html.tostring(element, encoding="unicode"))
    return "".join(kept)


def text_faces(to_the_book: str) -> str:
    """The fonts of the text, for paper and slides: there they are waited for, however long they take."""
    return "".join(
        f'@font-face {{ font-family: "Source Serif 4"; font-style: {style}; font-weight: 200 900;'
        " font-display: block;"
        f" src: url({to_the_book}_static/fonts/source-serif-4-latin-wght-{style}.woff2); }}\n"
        for style in ("normal", "italic")
    )
