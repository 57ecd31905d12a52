"""Sphinx extension of the book: what its first page shows, taken from where it is kept.

- `{chapter-map}`: the chapters of `book/plan.yml` as a map. What a chapter needs and how long it takes are
  read from its own lines *Needs* and *Time*: a clause that begins with "only" or "for" names what is
  needed in part.
- `{chapter-cell} 06_self_attention`, with `:from: scores =`: the lines of a cell from that one to a blank
  one, and what the cell prints.
- `{chapter-verdict} 12 C24`, with lines such as `3: Stopped in time`: a verdict with some of its effects,
  computed from records, under short names.
- `{colophon}`: who made the book, where it lives if `_config.yml` says so, and how to cite it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from pathlib import Path

import yaml
from claims_ledger import label_of
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_lib.experiments import VERDICTS, load_results
from transformer_lib.experiments.running.verdict_box import draw_effects

ROOT = Path(__file__).resolve().parent.parent
PLAN = ROOT / "book" / "plan.yml"
CITATION = ROOT / "CITATION.cff"
NEEDS = re.compile(r"^\*Needs\*: (.+?)(?=\s\*Gives\*|$)", re.MULTILINE)
TIME = re.compile(r"\*Time\*: (.+?) hours, and (.+?) more for the \[exercises\]")
LINKED = re.compile(r"\]\((\d\d)_")
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
COLUMNS, ROWS = 4, 5

# The map's measures: percent of its width in columns, and rem in rows. The style sheet takes the latter.
COLUMN, GUTTER = 19.6, 7.2
ROW, ROW_GAP, HEAD = 4.4, 0.7, 5.6


@dataclass(frozen=True)
class Chapter:
    """A chapter's place in the plan, and what it says of itself: what it needs, in full or in part; hours."""

    name: str
    title: str
    part: int
    row: int
    needs: frozenset[int]
    partly: frozenset[int]
    reading: float
    exercises: float

    @property
    def number(self) -> int:
        """The number in the file's name."""
        return int(self.name[:2])


@cache
def cells(name: str) -> list[dict]:
    """The cells of a chapter."""
    return json.loads((ROOT / "chapters" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def prose(name: str) -> str:
    """The text of a chapter."""
    return "\n\n".join("".join(cell["source"]) for cell in cells(name) if cell["cell_type"] == "markdown")


def needs_of(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """The chapters that a chapter's text says it needs, and those that it needs in part."""
    found = NEEDS.search(text)
    whole: set[int] = set()
    partly: set[int] = set()
    for clause in found[1].split(";") if found else []:
        kind = partly if clause.strip().startswith(("only ", "for ")) else whole
        kind |= {int(number) for number in LINKED.findall(clause)}
    return frozenset(whole), frozenset(partly - whole)


def hours_of(text: str) -> tuple[float, float]:
    """The hours that a chapter's text gives to reading it and to its exercises."""
    found = TIME.search(text)
    if not found:
        raise ValueError("write the line *Time*: ... hours, and ... more for the [exercises](...)")
    return _number(found[1]), _number(found[2])


def _number(words: str) -> float:
    return WORDS[words.removesuffix(" and a half")] + 0.5 * words.endswith(" and a half")


def read_plan() -> list[dict]:
    """The parts of the book."""
    return yaml.safe_load(PLAN.read_text(encoding="utf-8"))


def chapters() -> list[Chapter]:
    """The chapters in the order of the plan."""
    found = []
    for part, planned in enumerate(read_plan()):
        for row, (name, title) in enumerate(planned["chapters"].items()):
            text = prose(name)
            found.append(Chapter(name, title, part, row, *needs_of(text), *hours_of(text)))
    return found


def before(needs: dict[int, frozenset[int]], number: int) -> set[int]:
    """All chapters on the way to a chapter."""
    return {one for need in needs[number] for one in {need} | before(needs, need)}


def arrows(found: list[Chapter]) -> list[tuple[int, int, bool]]:
    """What the map draws: (from, to, whether in part), without what follows from the others."""
    whole = {one.number: one.needs for one in found}
    every = {one.number: one.needs | one.partly for one in found}
    drawn = []
    for one in found:
        for all_of, ways, is_partly in ((one.needs, whole, False), (one.partly, every, True)):
            implied = {far for need in ways[one.number] for far in before(ways, need)}
            drawn += [(need, one.number, is_partly) for need in sorted(all_of - implied)]
    return drawn


def clock(hours: float) -> str:
    """Hours as a reader writes them: 2½."""
    return f"{int(hours) or ''}½" if hours % 1 else f"{hours:.0f}"


def listed(things: Sequence[object]) -> str:
    """The numbers 8, 9 and 10."""
    *first, last = map(str, things)
    return f"{', '.join(first)} and {last}" if first else last


def needs_in_words(number: int, drawn: list[tuple[int, int, bool]]) -> str:
    """What stands on a chapter's box: after 8, a little of 9."""
    whole, partly = ([a for a, b, part in drawn if b == number and part is kind] for kind in (False, True))
    said = {"after": whole, "a little of": partly}
    return ", ".join(f"{how} {listed(numbers)}" for how, numbers in said.items() if numbers)


def wide_path(one: Chapter, other: Chapter) -> str:
    """A line between two boxes side by side in columns: between the columns and rows, behind no box."""
    step = COLUMN + GUTTER
    height = ROW + ROW_GAP
    top = one.row * height
    y, end = (chapter.row * height + ROW / 2 for chapter in (one, other))
    left, right = one.part * step, one.part * step + COLUMN
    if one.part == other.part and other.row == one.row + 1:
        return f"M{left + COLUMN / 2:.2f} {top + ROW:.2f}V{top + height:.2f}"
    if one.part == other.part:
        lane = left - GUTTER * (0.05 + 0.09 * (other.row - one.row))
        return f"M{left:.2f} {y + 0.6:.2f}H{lane:.2f}V{end - 0.6:.2f}H{left:.2f}"
    lane = right + GUTTER * (0.16 + 0.1 * one.row)
    target = other.part * step
    if one.part + 1 == other.part:
        return f"M{right:.2f} {y:.2f}H{lane:.2f}V{end:.2f}H{target:.2f}"
    between = (other.row + 1) * height - ROW_GAP / 2
    last = target - GUTTER * 0.12
    return f"M{right:.2f} {y:.2f}H{lane:.2f}V{between:.2f}H{last:.2f}V{end + 0.8:.2f}H{target:.2f}"


def narrow_path(one: Chapter, other: Chapter) -> str:
    """An arc in the margin of a single column."""

    def at(chapter: Chapter) -> float:
        part = HEAD + ROWS * (ROW + ROW_GAP)
        return chapter.part * part + HEAD + chapter.row * (ROW + ROW_GAP) + ROW / 2

    y, end = at(one) + 0.5, at(other) - 0.5
    reach = 100 - 130 * min(1.0, 0.16 + (other.number - one.number) / 14)
    return f"M100 {y:.2f}C{reach:.0f} {y:.2f} {reach:.0f} {end:.2f} 100 {end:.2f}"


def drawing(kind: str, found: list[Chapter], drawn: list[tuple[int, int, bool]]) -> str:
    """The lines of the map, which its boxes say in words."""
    by = {one.number: one for one in found}
    height = ROWS * (ROW + ROW_GAP) - ROW_GAP
    path = wide_path
    if kind == "narrow":
        height, path = COLUMNS * (HEAD + ROWS * (ROW + ROW_GAP)), narrow_path
    lines = "".join(
        f'<path class="map-line{" is-partly" * partly}" data-from="{a}" data-to="{b}" '
        f'd="{path(by[a], by[b])}"/>'
        for a, b, partly in drawn
    )
    return (
        f'<svg class="map-lines map-{kind}" aria-hidden="true" preserveAspectRatio="none" '
        f'viewBox="0 0 100 {height:.2f}">{lines}</svg>'
    )


class ChapterMap(SphinxDirective):
    """The map of the chapters: boxes that say all in words, and lines between them."""

    def run(self) -> list[nodes.Node]:
        """Draw the map."""
        self.env.note_reread()
        found = chapters()
        drawn = arrows(found)
        parts = "".join(
            self.part(at, planned, [one for one in found if one.part == at], drawn)
            for at, planned in enumerate(read_plan())
        )
        style = f"--row: {ROW}rem; --row-gap: {ROW_GAP}rem; --head: {HEAD}rem; --column-gap: {GUTTER}%"
        lines = drawing("wide", found, drawn) + drawing("narrow", found, drawn)
        reading, exercises = sum(one.reading for one in found), sum(one.exercises for one in found)
        told = (
            f"All of it: {reading:.0f} hours of reading, and {exercises:.0f} of exercises. A line leads from "
            "a chapter to what builds on it, a dashed one to what uses a little of it."
        )
        html = (
            f'<div class="course-map" style="{style}">{lines}{parts}</div>'
            f'<p class="map-note" role="status">{told}</p>'
            '<p class="map-progress" hidden>✓ You have been at the end of these chapters. Your browser '
            'remembers it, and nobody else. <button type="button" class="map-forget">Forget it</button></p>'
        )
        return [nodes.raw("", html, format="html")]

    def part(self, at: int, planned: dict, found: list[Chapter], drawn: list[tuple[int, int, bool]]) -> str:
        """A part of the book: its picture, what it asks, its chapters."""
        boxes = "".join(
            f'<li><a class="map-chapter" data-chapter="{one.number}" data-hours="{one.reading}" '
            f'href="{self.address(f"chapters/{one.name}")}">'
            f'<span class="map-title">{one.number} {escape(one.title)}</span> '
            f'<span class="map-words">{clock(one.reading)} + {clock(one.exercises)} h'
            f"{f', {words}' if (words := needs_in_words(one.number, drawn)) else ''}</span></a></li>"
            for one in found
        )
        picture = (
            f'<img src="{self.address("")}_static/route-{at + 1}.svg" alt="{escape(planned["picture"])}">'
        )
        return (
            f'<section class="map-part"><div class="map-head">{picture}'
            f"<p><strong>{escape(planned['part'])}</strong> {escape(planned['asks'])}</p></div>"
            f"<ol>{boxes}</ol></section>"
        )

    def address(self, page: str) -> str:
        """A page's address from this one; without a page, that of the book's folder."""
        if not page:
            return "../" * self.env.docname.count("/")
        return self.env.app.builder.get_relative_uri(self.env.docname, page)


class ChapterCell(SphinxDirective):
    """Some lines of a chapter's cell, and the output that it has in the notebook."""

    required_arguments = 1
    option_spec = {"from": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Show the code and what it prints."""
        self.env.note_reread()
        code, output = code_and_output(self.arguments[0], self.options["from"])
        shown = nodes.literal_block(code, code, language="python")
        printed = nodes.literal_block(output, output, language="none", classes=["front-printed"])
        return [shown, printed]


def code_and_output(chapter: str, start: str) -> tuple[str, str]:
    """Of the one cell that has a line with that start: the lines from there to a blank one; its output."""
    found = [cell for cell in cells(chapter) if cell["cell_type"] == "code"]
    found = [cell for cell in found if f"\n{start}" in "\n" + "".join(cell["source"])]
    if len(found) != 1:
        raise ValueError(f"{len(found)} cells of chapter {chapter} have a line that begins {start!r}")
    code = ("\n" + "".join(found[0]["source"])).partition(f"\n{start}")[2]
    printed = "".join("".join(output.get("text", "")) for output in found[0]["outputs"])
    return start + code.partition("\n\n")[0], printed.rstrip()


class ChapterVerdict(SphinxDirective):
    """A verdict of a chapter with some of its effects, each by its place and a name, and a link to it."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Draw the effects as their records give them."""
        self.env.note_reread()
        chapter, claim = int(self.arguments[0]), self.arguments[1]
        (verdict,) = (one for one in VERDICTS[chapter] if one.claim == claim)
        effects = verdict.effects(load_results)
        chosen = []
        for line in self.content:
            place, name = line.split(": ", maxsplit=1)
            effect = effects[int(place) - 1]
            chosen.append(replace(effect, contrast=replace(effect.contrast, label=name)))
        container = nodes.container(classes=["front-verdict"])
        container += nodes.raw("", draw_effects(chosen), format="html")
        said = (
            f"*{verdict.status}:* {verdict.sentence} {{ref}}`Chapter {chapter} <{label_of(chapter, claim)}>`"
        )
        text = StringList([said], self.get_location())
        self.state.nested_parse(text, self.content_offset, container)
        return [container]


class Colophon(SphinxDirective):
    """Who made the book, where it lives, and how to cite it."""

    def run(self) -> list[nodes.Node]:
        """Write it from `CITATION.cff` and the configuration."""
        for file in (CITATION, ROOT / "_config.yml"):
            self.env.note_dependency(str(file))
        url = self.env.config.html_theme_options.get("repository_url") or ""
        citation = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
        lines, entry = colophon(citation, url)
        container = nodes.container(classes=["colophon"])
        self.state.nested_parse(StringList(lines, self.get_location()), self.content_offset, container)
        container += nodes.literal_block(entry, entry, language="bibtex")
        return [container]


def colophon(citation: dict, url: str) -> tuple[list[str], str]:
    """What the page says of the book's makers and its address, and the entry for a bibliography."""
    names = [
        author.get("name") or f"{author['given-names']} {author['family-names']}"
        for author in citation["authors"]
    ]
    year = str(citation["date-released"])[:4]
    makers = re.sub(r"^The ", "the ", listed(names))
    made = f"The book, its library and its graders are by {makers}"
    lines = [f"{made}; version {citation['version']}, {year}." + (f" They live at <{url}>." if url else "")]
    fields = {"author": " and ".join(f"{{{name}}}" for name in names), "title": f"{{{citation['title']}}}"}
    fields |= {"version": citation["version"], "year": year} | ({"url": url} if url else {})
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return lines, f"@misc{{transformers_equation_by_equation,\n{body}\n}}"


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directives."""
    for name, directive in {
        "chapter-map": ChapterMap,
        "chapter-cell": ChapterCell,
        "chapter-verdict": ChapterVerdict,
        "colophon": Colophon,
    }.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
