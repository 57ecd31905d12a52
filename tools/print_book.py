"""Print the built book as one PDF (`make pdf`): title page, contents, chapters, evidence, back matter.

    python tools/print_book.py                               _build/pdf/book.pdf
    python tools/print_book.py chapters/06_self_attention    _build/pdf/06_self_attention.pdf

The pages of `_build/html` become one page, whose links lead within it. Chromium prints it twice: the first
time to learn on which pages the entries of the contents begin, as a style sheet cannot say. Left out are the
first page, the library's reference, and code that only draws or prints, which the pages fold away.
"""

import io
import re
import sys
import tomllib
from html import escape
from pathlib import Path

import yaml
from built_pages import (
    CHROMIUM,
    HTML,
    NO_CHROMIUM,
    ROOT,
    Place,
    article_of,
    has_class,
    path_within_the_book,
    places,
    read_page,
    stylesheets,
    text_faces,
)
from lxml import html
from lxml.html import HtmlElement
from playwright.sync_api import Page, sync_playwright
from pypdf import PdfReader

OUT = ROOT / "_build" / "pdf"
STYLE = Path(__file__).with_name("print_book.css")
SCRIPT = Path(__file__).with_name("print_book.js")
NOT_ON_PAPER = ("book/api",)
EVIDENCE, APPENDIX = "book/evidence/", "Appendix: evidence"
BACK = "Back matter"
WITH_FORMULAS = "chapters/01_factorization"
BLANK = "\N{FOUR-PER-EM SPACE}"
# What the sheet (A4) leaves between its margins, in CSS pixels. Formulas and tables are fitted to this width.
WIDTH, HEIGHT = 643, 933
PATIENCE = 900_000


def order(only: list[str]) -> list[Place]:
    """The pages on paper, all or some: as in the table of contents, but evidence behind the chapters."""
    printed = [place for place in places() if not place.name.startswith(NOT_ON_PAPER)]
    evidence = [Place(p.name, APPENDIX, 0) for p in printed if p.name.startswith(EVIDENCE)]
    rest = [place for place in printed if not place.name.startswith(EVIDENCE)]
    at = next(number for number, place in enumerate(rest) if place.part == BACK)
    ordered = rest[:at] + evidence + rest[at:]
    return [place for place in ordered if not only or place.name in only]


def slug(name: str) -> str:
    """A page's name as an anchor."""
    return name.replace("/", "-")


def printed_article(place: Place, printed: set[str]) -> HtmlElement:
    """A page's text with everything unfolded, its anchors its own, and its links within the printed book."""
    article = article_of(read_page(place.name))
    for folded in article.xpath(f".//div[{has_class('tag_hide-input')}]/details[{has_class('above-input')}]"):
        folded.drop_tree()
    is_cell = has_class("cell")
    for cell in article.xpath(f".//div[{is_cell}][starts-with(normalize-space(.), 'check(')]"):
        cell.drop_tree()
    for details in article.iter("details"):
        details.set("open", "")
        for title in details.xpath(f"./summary//*[{has_class('expanded')}]"):
            unfolded = re.sub(r"^(Show|Hide) ", "", words(title))
            title.text = unfolded[:1].upper() + unfolded[1:]
    for element in article.xpath(".//*[@id]"):
        element.set("id", f"{slug(place.name)}--{element.get('id')}")
    for picture in article.iter("img"):
        inside = path_within_the_book(place.name, picture.get("src"))
        if inside:
            picture.set("src", f"../html/{inside[0]}")
    for link in article.xpath(".//a[@href]"):
        inside = path_within_the_book(place.name, link.get("href"))
        if inside is None:
            continue
        page, anchor = str(inside[0].with_suffix("")), inside[1]
        if page in printed:
            link.set("href", f"#{slug(page)}" + (f"--{anchor}" if anchor else ""))
        else:
            link.drop_tag()
    for level in range(5, 0, -1):
        for heading in article.iter(f"h{level}"):
            heading.tag = f"h{min(6, level + place.depth + 1)}"
            heading.set("class", f"h{level}")
            keep_spaces(heading)
    article.set("id", slug(place.name))
    article.set("class", f"bd-article printed page-{slug(place.name)}")
    return article


def words(element: HtmlElement) -> str:
    """The text of an element on one line."""
    return " ".join(element.text_content().split())


def keep_spaces(heading: HtmlElement) -> None:
    """Write blanks that do not collapse: bookmarks lose the others where a heading's line ends."""
    for element in heading.iter():
        element.text = element.text and element.text.replace(" ", BLANK)
        if element is not heading:
            element.tail = element.tail and element.tail.replace(" ", BLANK)


def running_head(name: str, title: str) -> str:
    """The rule that gives a page's sheets their head."""
    shown = title.replace("\\", "").replace('"', "'")
    page = slug(name)
    return f'.page-{page} {{ page: {page} }} @page {page} {{ @top-left {{ content: "{shown}" }} }}\n'


def line_of_contents(anchor: str, title: str, kind: str) -> str:
    """A line of the contents; the style sheet adds the number of the page."""
    return f'<li class="{kind}"><a href="#{anchor}"><span>{escape(title)}</span></a></li>'


def title_page() -> str:
    """The first sheet, and what stands on its back."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    license_line = config["sphinx"]["config"]["html_theme_options"]["extra_footer"]
    return f"""<section class="title-page">
<img src="../html/_static/route-3.svg" alt="">
<p class="title">{escape(config["title"])}</p>
<p class="author">{escape(config["author"])}</p>
<p class="imprint">Edition {version}, {config["copyright"]}. {license_line}<br>
Every equation of the book runs, and every number in it was computed. Code that only draws or prints is
left out here, and so is the library's reference; both are on the book's pages, where some figures also
move.</p></section>"""


def whole_book(chosen: list[Place], with_contents: bool) -> str:
    """The printed book as one page of HTML."""
    printed = {place.name for place in chosen}
    heads: list[str] = []
    contents: list[str] = []
    body: list[str] = []
    part = ""
    for place in chosen:
        if with_contents and place.part != part:
            part = place.part
            anchor = f"part-{len(body)}"
            contents.append(line_of_contents(anchor, part, "part"))
            body.append(f'<section class="part-page"><h1 id="{anchor}">{escape(part)}</h1></section>')
        article = printed_article(place, printed)
        title = article.xpath(f".//*[{has_class('h1')}]")[0]
        heads.append(running_head(place.name, words(title)))
        contents.append(line_of_contents(slug(place.name), words(title), f"page depth-{place.depth}"))
        if place.name.startswith("chapters/"):
            for section in article.xpath(f".//section[@id]/*[{has_class('h2')}]"):
                contents.append(line_of_contents(section.getparent().get("id"), words(section), "section"))
        body.append(html.tostring(article, encoding="unicode"))
    toc = f'<nav class="listing"><h1>Contents</h1><ul>{"".join(contents)}</ul></nav>'
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{escape(yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"])}</title>
{stylesheets(read_page(WITH_FORMULAS), "../html/")}
<style>{text_faces("../html/")}{STYLE.read_text(encoding="utf-8")}{"".join(heads)}</style></head>
<body><main class="bd-main"><div class="bd-content"><div class="bd-article-container">
{title_page() + toc if with_contents else ""}{"".join(body)}
</div></div></main></body></html>"""


def laid_out(page: Page, source: Path) -> Page:
    """Load the one page as it will be printed: formulas set, and what is too wide made smaller."""
    page.set_default_timeout(PATIENCE)
    page.emulate_media(media="print", color_scheme="light")
    page.goto(source.as_uri(), wait_until="load")
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    return page


def number_the_contents(page: Page, draft: bytes) -> None:
    """Write into the contents on which page of a draft each entry begins; no line becomes longer by that."""
    reader = PdfReader(io.BytesIO(draft))
    found = {
        name.removeprefix("/"): (reader.get_destination_page_number(place) or 0) + 1
        for name, place in reader.named_destinations.items()
    }
    page.evaluate(
        """found => document.querySelectorAll('.listing a').forEach(
            entry => { entry.dataset.page = found[entry.getAttribute('href').slice(1)]; })""",
        found,
    )


def write(only: list[str]) -> Path:
    """Write the printed book, or some pages of it, as one page of HTML."""
    OUT.mkdir(parents=True, exist_ok=True)
    source = OUT / f"{Path(only[0]).name if only else 'book'}.html"
    source.write_text(whole_book(order(only), with_contents=len(only) != 1), encoding="utf-8")
    return source


def print_sheets(page: Page, target: Path) -> None:
    """Print the one page, with the numbers of its contents."""
    number_the_contents(page, page.pdf(prefer_css_page_size=True, print_background=True))
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)


def main(only: list[str]) -> int:
    """Write the page and print it."""
    if CHROMIUM is None:
        print(NO_CHROMIUM, file=sys.stderr)
        return 2
    missing = [place.name for place in order(only) if not (HTML / f"{place.name}.html").is_file()]
    if missing or not order(only):
        print(f"Not built: {', '.join(missing or only)}. Run `make book` first.", file=sys.stderr)
        return 2
    source = write(only)
    target = source.with_suffix(".pdf")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        print_sheets(laid_out(page, source), target)
        browser.close()
    print(f"{target.relative_to(ROOT).as_posix()} is ready: {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
