"""Write a deck of slides for each chapter (`make slides`), from the built pages, for reveal.js.

    python tools/slides.py                               _build/html/slides, and an index of the decks
    python tools/slides.py chapters/06_self_attention    one deck

What a slide holds follows from the chapter's structure: its equations, figures, visible code and verdicts,
each below the sentence that introduces it. The text becomes speaker's notes, which begin with a plan of 90
minutes.
"""

import re
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from built_pages import HTML, ROOT, article_of, has_class, places, read_page, stylesheets, text_faces
from lxml import html
from lxml.html import HtmlElement

OUT = HTML / "slides"
STYLE = Path(__file__).with_name("slides.css")
SCRIPT = Path(__file__).with_name("slides.js")
MINUTES, OPENING, QUESTIONS = 90, 2, 8
# Lines of text that a slide holds, and how much of one a line of code takes.
ROOM, CODE_LINE, LEAD = 16.0, 0.78, 1.6
# What code prints stands below it if that takes no more lines than this: it is then set a little smaller.
WITH_OUTPUT = 20.0
LONGEST_CELL = 21
MOST_POINTS = 5
BOOK = "Transformers, Equation by Equation"
# A sentence of fewer letters, such as "Then", says nothing without the one before it.
SHORT = 22
NOT_POINTS = ("Beside the text:", "Needs:")
EXPLAINED = ("output", "figure", "table")
LEFT_OUT = ("Further reading",)
# A sentence ends here. Abbreviations such as "et al." are followed by a citation, not by a capital letter.
SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[A-Z*“\"(])")
TEXT = ("p", "ul", "ol", "dl", "blockquote")
SHEETS = ("pygments", "course.css", "mystnb", "formulas.css")


@dataclass
class Thing:
    """What a slide shows: its HTML, how many lines of text it is high, and how many minutes it is worth."""

    kind: str
    shown: str
    lines: float
    worth: float


@dataclass
class Slide:
    """One slide: what is on it and what is said."""

    heading: str
    section: str
    shown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    lines: float = 0.0
    worth: float = 0.0
    seconds: int = 0

    def add(self, thing: Thing) -> None:
        """Show one more thing."""
        self.shown.append(thing.shown)
        self.kinds.append(thing.kind)
        self.lines += thing.lines
        self.worth += thing.worth


def markup(element: HtmlElement) -> str:
    """An element as HTML, without what follows it."""
    alone = deepcopy(element)
    alone.tail = None
    return html.tostring(alone, encoding="unicode")


def inner(element: HtmlElement) -> str:
    """What is within an element, as HTML."""
    return escape(element.text or "", quote=False) + "".join(
        html.tostring(child, encoding="unicode") for child in element
    )


def words(element: HtmlElement) -> str:
    """The text of an element on one line."""
    return " ".join(element.text_content().split())


def classes(element: HtmlElement) -> set[str]:
    """The classes of an element."""
    return set((element.get("class") or "").split())


def sentences(paragraph: HtmlElement) -> list[str]:
    """The sentences of a paragraph, as HTML. None ends within an element, such as a formula."""
    found = [""]

    def text(piece: str | None) -> None:
        first, *others = SENTENCE.split(piece or "")
        found[-1] += escape(first, quote=False)
        found.extend(escape(other, quote=False) for other in others)

    text(paragraph.text)
    for child in paragraph:
        found[-1] += markup(child)
        text(child.tail)
    return [sentence.strip() for sentence in found if sentence.strip()]


def headed(section: HtmlElement, heading: str = "", top: str = "") -> Iterator[tuple[str, str, HtmlElement]]:
    """The blocks of a section in their order, each with its heading and that of its chapter's section."""
    for block in section:
        if not isinstance(block.tag, str):
            continue
        if block.tag in {"h1", "h2", "h3", "h4"}:
            heading = inner(block)
            top = words(block) if block.tag in {"h1", "h2"} else top
        elif block.tag == "section":
            yield from headed(block, heading, top)
        else:
            yield heading, top, block


def code(cell: HtmlElement) -> Iterator[Thing]:
    """The visible code of a cell, in parts if it is long; what it prints goes with the last."""
    visible = cell.xpath(f"./div[{has_class('cell_input')}]//pre")
    lines = inner(visible[0]).strip("\n").split("\n") if visible else []
    printed = cell.xpath(
        f"./div[{has_class('cell_output')}]//div[{has_class('stream')} or {has_class('text_plain')}]//pre"
    )
    output = "\n".join(inner(pre).strip("\n") for pre in printed)
    parts = in_parts(lines)
    for part in parts:
        shown = f'<div class="highlight"><pre>{chr(10).join(part)}</pre></div>'
        yield Thing("code", shown, CODE_LINE * len(part) + 0.8, 1 + len(part) / 8)
    if output:
        length = len(output.split("\n"))
        shown = f'<pre class="printed">{output}</pre>'
        yield Thing("output", shown, CODE_LINE * length + 0.5, 0.5)


def in_parts(lines: list[str]) -> list[list[str]]:
    """Lines of code in parts that fit a slide, about equally long, cut between statements."""
    plain = [re.sub(r"<[^>]*>", "", line) for line in lines]
    number = -(-len(lines) // LONGEST_CELL)
    starts = [0]
    for part in range(1, number):
        wanted = len(lines) * part // number

        def cost(at: int, wanted: int = wanted) -> float:
            line, before = plain[at].rstrip(), plain[at - 1].rstrip()
            within = not line or line.lstrip()[0] in ")]}" or before.endswith(("(", "[", "{", ",", ":"))
            return abs(at - wanted) + len(line) - len(line.lstrip()) + 100 * within

        near = range(max(starts[-1] + 3, wanted - 6), min(len(lines) - 2, wanted + 7))
        starts.append(min(near, key=cost))
    parts = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])] if lines else []
    return ["\n".join(part).strip("\n").split("\n") for part in parts]


def output_of(cell: HtmlElement) -> Iterator[Thing]:
    """The figures, verdicts and tables of a cell's output."""
    for output in cell.xpath(f"./div[{has_class('cell_output')}] | .//figure[not({has_class('source')})]"):
        if "cell_output" in classes(output) and output.xpath(f".//figure[not({has_class('source')})]"):
            continue
        if output.xpath(f".//figure[{has_class('source')}]"):
            continue
        if output.xpath(".//img"):
            yield figure(output)
        elif output.xpath(f".//*[{has_class('verdict-box')}]"):
            (box, *_) = output.xpath(f".//*[{has_class('verdict-box')}]")
            yield Thing("verdict", markup(box), 9, 3)
        elif output.xpath(f".//div[{has_class('text_html')}]"):
            for made in output.xpath(f".//div[{has_class('text_html')}]/*"):
                rows = len(made.xpath(".//tr | .//dd")) or 2
                yield Thing("table", f'<div class="made">{markup(made)}</div>', 1.1 * rows + 1, 1)


def figure(output: HtmlElement) -> Thing:
    """A picture with the first sentence of its caption."""
    for picture in output.xpath(".//img"):
        for size in ("style", "width", "height"):
            picture.attrib.pop(size, None)
    pictures = "".join(markup(picture) for picture in output.xpath(".//img"))
    number = "".join(markup(part) for part in output.xpath(f".//*[{has_class('caption-number')}]"))
    captions = output.xpath(f".//*[{has_class('caption-text')}]")
    caption = f"<figcaption>{number} {sentences(captions[0])[0]}</figcaption>" if captions else ""
    return Thing("figure", f"<figure>{pictures}{caption}</figure>", 12, 3)


def things_of(block: HtmlElement) -> list[Thing]:
    """What a block of a chapter brings to a slide: nothing, for plain text."""
    kinds = classes(block)
    if "cell" in kinds:
        return [] if "tag_hide-cell" in kinds else [*code(block), *output_of(block)]
    if "math" in kinds and block.tag == "div":
        rows = 1 + len(block.xpath(".//mtr")) - len(block.xpath(".//mtable"))
        return [Thing("equation", markup(block), 1.35 * rows + 0.7, 2)]
    if "admonition" in kinds and "live" not in kinds:
        firsts = [sentences(first_paragraph(item))[0] for item in block.iter("li")]
        paragraphs = block.xpath("./p[position() > 1]")
        return [points_of((firsts or [said for p in paragraphs for said in sentences(p)])[:MOST_POINTS])]
    if block.tag == "table" or (block.xpath(".//table") and block.tag == "div"):
        rows = len(block.xpath(".//tr"))
        return [Thing("table", markup(block), 1.1 * rows + 1, 2)]
    if block.tag in {"ul", "ol"}:
        return [
            points_of([sentences(first_paragraph(item))[0] for item in block.findall("li")][:MOST_POINTS])
        ]
    return []


def first_paragraph(item: HtmlElement) -> HtmlElement:
    """The first paragraph of an item of a list, which may have none."""
    paragraph = item.find("p")
    return item if paragraph is None else paragraph


def points_of(points: list[str]) -> Thing:
    """A list."""
    return Thing(
        "points", f"<ul>{''.join(f'<li>{p}</li>' for p in points)}</ul>", 1.7 * len(points), len(points) / 2
    )


def slides_of(article: HtmlElement) -> list[Slide]:
    """The slides of a chapter, without the first and the last."""
    slides: list[Slide] = []
    said: list[HtmlElement] = []
    unexplained: Slide | None = None
    for heading, top, block in headed(article):
        if top.endswith(LEFT_OUT) or block.tag == "details":
            continue
        if "admonition" in classes(block) and "live" not in classes(block):
            heading = inner(block.find("p"))
        if not slides or slides[-1].heading != heading:
            slides.append(Slide(heading, top))
            said, unexplained = [], None
        if block.tag == "aside":
            slides[-1].notes.append(f"<p>Beside the text: {words(block)}</p>")
            continue
        things = things_of(block)
        if block.tag in TEXT or "admonition" in classes(block):
            slides[-1].notes.append(markup(block))
        if not things:
            said.append(block)
            if unexplained and block.tag == "p":
                unexplained.add(Thing("lead", f'<p class="lead">{sentences(block)[0]}</p>', LEAD, 0.5))
                unexplained = None
            continue
        for number, thing in enumerate(things):
            leads = introduction(said, first=not slides[-1].shown) if number == 0 else []
            room = WITH_OUTPUT if thing.kind == "output" else ROOM
            if slides[-1].shown and slides[-1].lines + thing.lines + LEAD * len(leads) > room:
                slides.append(Slide(heading, top))
            # What begins a slide without an introduction is followed by the sentence that says what it shows.
            unexplained = slides[-1] if not (leads or slides[-1].shown) and thing.kind in EXPLAINED else None
            for lead in leads:
                slides[-1].add(Thing("lead", f'<p class="lead">{lead}</p>', LEAD, 0.5))
            slides[-1].add(thing)
        said = []
    for slide in slides:
        if not slide.shown:
            spoken = [p for note in slide.notes for p in html.fragments_fromstring(note)]
            spoken = [p for p in spoken if p.tag == "p" and not words(p).startswith(NOT_POINTS)]
            slide.add(points_of([sentence for p in spoken for sentence in sentences(p)][:MOST_POINTS]))
    return [slide for slide in slides if slide.lines]


def introduction(said: list[HtmlElement], first: bool) -> list[str]:
    """The sentences that introduce what is shown: the last before it, and the first of a new section."""
    spoken = [sentence for block in said if block.tag == "p" for sentence in sentences(block)]
    if (
        len(spoken) > 1
        and len(html.fragment_fromstring(spoken[-1], create_parent="p").text_content()) < SHORT
    ):
        spoken[-2:] = [" ".join(spoken[-2:])]
    chosen = [spoken[0], spoken[-1]] if first and len(spoken) > 1 else spoken[-1:]
    return [re.sub(r",$", ":", sentence) for sentence in chosen]


def share_the_time(slides: list[Slide]) -> None:
    """Give each slide its seconds: together they take the lecture without its opening and its questions."""
    total = 60 * (MINUTES - OPENING - QUESTIONS)
    worth = sum(slide.worth for slide in slides)
    spent, gone = 0, 0.0
    for slide in slides:
        gone += slide.worth
        slide.seconds = round(total * gone / worth) - spent
        spent += slide.seconds


def plan(slides: list[Slide]) -> str:
    """The plan of the lecture: from which minute to which each section goes."""
    rows, clock = [f"<li>0 to {OPENING}: the question</li>"], 60 * OPENING
    for top in dict.fromkeys(slide.section for slide in slides):
        begun, clock = clock, clock + sum(slide.seconds for slide in slides if slide.section == top)
        rows.append(f"<li>{round(begun / 60)} to {round(clock / 60)}: {escape(top)}</li>")
    rows.append(f"<li>{round(clock / 60)} to {MINUTES}: questions, and the exercises</li>")
    return f"<p>A plan of {MINUTES} minutes:</p><ul>{''.join(rows)}</ul>"


def section(shown: str, notes: str, seconds: int, kind: str = "") -> str:
    """A slide for reveal.js."""
    said = f'<aside class="notes">{notes}</aside>'
    return f'<section class="{kind}" data-timing="{seconds}">{shown}{said}</section>'


def without_links(fragment: str) -> str:
    """Slides lead nowhere: links become text, anchors go."""
    whole = html.fragment_fromstring(fragment, create_parent="div")
    for link in whole.xpath(".//a"):
        link.drop_tag()
    for element in whole.xpath(".//*[@id]"):
        del element.attrib["id"]
    for aside in whole.xpath(f".//aside[{has_class('notes')}]"):
        for formula in aside.xpath(f".//*[{has_class('math')}]"):
            # The speaker's window has no style sheet of the book; MathML is drawn by the browser itself.
            (readable,) = formula.xpath(".//math")
            readable.tail = None
            for child in list(formula):
                formula.remove(child)
            formula.text = None
            formula.append(readable)
    return inner(whole)


def deck(name: str) -> str:
    """The deck of a chapter as a page of HTML."""
    page = read_page(name)
    article = article_of(page)
    title = words(article.xpath(".//h1")[0])
    chapter = article.xpath("./section")[0]
    slides = slides_of(chapter)
    share_the_time(slides)
    needs = [p for p in chapter.iterchildren("p") if words(p).startswith("Needs:")]
    question = next((inner(strong) for p in chapter.iterchildren("p") for strong in p.iter("strong")), "")
    exercise = name.replace("chapters/", "exercises/") + "/exercise"
    tasks = [words(h) for h in article_of(read_page(exercise)).xpath(".//h2")]
    gives = "".join(markup(p) for p in needs)
    first = f'<p class="book">{BOOK}</p><h1>{escape(title)}</h1><p class="question">{question}</p>'
    last = f"<h2>Exercises</h2><ul>{''.join(f'<li>{escape(task)}</li>' for task in tasks)}</ul>"
    parts = [section(first, plan(slides) + gives, 60 * OPENING, "title")]
    for slide in slides:
        above = "" if words(html.fromstring(f"<p>{slide.heading}</p>")) == slide.section else slide.section
        body = f"<div class='body'><div class='fit'>{''.join(slide.shown)}</div></div>"
        shown = f"<p class='above'>{escape(above)}</p><h2>{slide.heading}</h2>{body}"
        parts.append(
            section(shown, "".join(slide.notes), slide.seconds, " ".join(dict.fromkeys(slide.kinds)))
        )
    parts.append(section(last, "<p>Which exercises are due, and when.</p>", 60 * QUESTIONS, "questions"))
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}: slides</title>
{heads(page)}<link rel="stylesheet" href="../_static/reveal/reveal.css">
<style>{text_faces("../")}{STYLE.read_text(encoding="utf-8")}</style></head>
<body><div class="reveal bd-article"><div class="slides">{without_links("".join(parts))}</div></div>
<script src="../_static/reveal/reveal.js"></script><script src="../_static/reveal/notes.js"></script>
<script>{SCRIPT.read_text(encoding="utf-8")}</script></body></html>
"""


def heads(page: HtmlElement) -> str:
    """The book's style of code, tables, verdicts and formulas, without the theme of its pages."""
    lines = stylesheets(page, "../").splitlines(keepends=True)
    return "".join(line for line in lines if any(sheet in line for sheet in SHEETS))


def index(titles: dict[str, str]) -> str:
    """The page that lists the decks."""
    rows = "".join(f'<li><a href="{name}.html">{escape(title)}</a></li>' for name, title in titles.items())
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Slides</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="../_static/course.css"><style>{STYLE.read_text(encoding="utf-8")}</style></head>
<body class="index bd-article"><h1>Slides</h1>
<p>A deck for each chapter. S opens the speaker's window, with notes and a clock;
O shows all slides.</p><ul>{rows}</ul></body></html>
"""


def main(only: list[str]) -> int:
    """Write the decks."""
    chapters = [p.name for p in places() if p.name.startswith("chapters/") and (not only or p.name in only)]
    missing = [name for name in chapters if not (HTML / f"{name}.html").is_file()]
    if missing or not chapters:
        print(f"Not built: {', '.join(missing or only)}. Run `make book` first.", file=sys.stderr)
        return 2
    OUT.mkdir(exist_ok=True)
    titles = {}
    for name in chapters:
        text = deck(name)
        # Put in place at once, because tests may be reading the deck.
        written = OUT / f"{Path(name).name}.tmp"
        written.write_text(text, encoding="utf-8")
        written.replace(written.with_suffix(".html"))
        titles[Path(name).name] = re.findall(r"<h1>(.*?)</h1>", text)[0]
    if not only:
        (OUT / "index.html").write_text(index(titles), encoding="utf-8")
    print(f"{len(chapters)} decks are in {OUT.relative_to(ROOT).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
