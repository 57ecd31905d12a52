"""Sphinx extension of the book: what helps to read a chapter on a screen.

Below a chapter's title stand how long it takes to read and how to run it. The first use of a term of the
glossary in each section is explained where the pointer or the keyboard is on it. Below an equation of the
sources stands the test that proves the library's code equal to it. Paper and slides leave all of it out: it
has the class `screen-only`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path

import front_page
from docutils import nodes
from equation_index import PACKAGE, Row, anchor_of, functions_of, proofs_of
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = "book/glossary"
INDEXES = ("book/equation_index", "book/equation_index_papers")
# A term is not looked for in these: they are no running text, or they lead elsewhere already.
ELSEWHERE = (
    nodes.title, nodes.literal, nodes.literal_block, nodes.reference, nodes.table, nodes.figure, nodes.math,
    nodes.raw, nodes.sidebar, nodes.strong, nodes.footnote,
)  # fmt: skip
WHERE_FROM = re.compile(r"\s*\((?:chapters? [^()]*|the primer[^()]*)\)")
MARKDOWN = (
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\{[\w:]+\}`([^`<]*?)(?: ?<[^`]*)?`"), r"\1"),
    (re.compile(r"[*`$]"), ""),
)


def is_a_chapter(page: str) -> bool:
    """Whether the page is a chapter."""
    return page.startswith("chapters/")


def time_of(page: str) -> str:
    """How long a chapter and its exercises take, from the chapter's own line *Time*."""
    reading, exercises = front_page.hours_of(front_page.prose(page.removeprefix("chapters/")))
    return f"{front_page.clock(reading)} hours, exercises {front_page.clock(exercises)} hours"


def how_to_run(page: str, repository: str) -> str:
    """How to run a chapter here and, where the repository has an address, on somebody else's computer."""
    file = f"{page}.ipynb"
    elsewhere = ""
    if repository:
        name = repository.rstrip("/").removeprefix("https://github.com/")
        binder = f"https://mybinder.org/v2/gh/{name}/main?urlpath=lab/tree/{file}"
        colab = f"https://colab.research.google.com/github/{name}/blob/main/{file}"
        elsewhere = (
            f'<p>Or without installing anything: <a href="{escape(binder)}">on Binder</a>, or '
            f'<a href="{escape(colab)}">on Colab</a>, where the first cell has to be '
            f"<code>!pip install git+{escape(repository)}</code>.</p>"
        )
    return (
        "<details><summary>Run this chapter</summary>"
        "<p>In a copy of the course, <code>make lab</code> opens JupyterLab, and installs what is missing "
        f"the first time. Open <code>{file}</code> there: every cell can be changed and run again. "
        f"It needs no GPU.</p>{elsewhere}</details>"
    )


def facts_of(page: str, repository: str) -> nodes.raw:
    """The line below a chapter's title."""
    text = (
        '<div class="page-facts screen-only">'
        f"<span>{time_of(page)}</span>{how_to_run(page, repository)}</div>"
    )
    return nodes.raw("", text, format="html")


@cache
def glossary() -> dict[str, str]:
    """The terms of the glossary, each with its explanation in plain words."""
    found = {}
    text = (ROOT / f"{GLOSSARY}.md").read_text(encoding="utf-8")
    for block in re.findall(r"^:::\{glossary\}\n(.*?)^:::", text, re.MULTILINE | re.DOTALL):
        for entry in re.split(r"\n\s*\n", block.strip()):
            lines = entry.splitlines()
            terms = [line.strip() for line in lines if not line.startswith(" ")]
            said = " ".join(line.strip() for line in lines if line.startswith(" "))
            for pattern, plain in MARKDOWN:
                said = pattern.sub(plain, said)
            found.update(dict.fromkeys(terms, WHERE_FROM.sub("", said)))
    return found


@cache
def pattern_of_terms() -> re.Pattern[str]:
    """Any term of the glossary as it stands in a sentence: longer ones first, also in the plural."""
    terms = sorted(glossary(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, terms))})(e?s)?(?![\w-])", re.IGNORECASE)


def term_of(found: str) -> str:
    """The glossary's way to write a term; acronyms count only as they are written there."""
    same = {term.lower(): term for term in glossary()}[found.lower()]
    return same if found == same or found[1:] == same[1:] or same.islower() else ""


def running_text(section: nodes.Element) -> Iterator[nodes.Text]:
    """The pieces of text of a section that are part of a sentence."""
    for text in section.findall(nodes.Text):
        above: list[nodes.Node] = []
        node = text.parent
        while node is not None and node is not section:
            above.append(node)
            node = node.parent
        if any(isinstance(outer, nodes.paragraph) for outer in above) and not any(
            isinstance(outer, ELSEWHERE) or "cell" in outer.attributes.get("classes", []) for outer in above
        ):
            yield text


def explain_terms(sections: Iterable[nodes.Element], address: str, places: dict[str, str]) -> dict[str, str]:
    """Make the first use of each term in a section a link to the glossary; return the terms' ids."""
    explained: dict[str, str] = {}
    for section in sections:
        here: set[str] = set()
        for text in list(running_text(section)):
            pieces: list[nodes.Node] = []
            end = 0
            for found in pattern_of_terms().finditer(text):
                term = term_of(found[1])
                if not term or glossary()[term] in here or term not in places:
                    continue
                here.add(glossary()[term])
                place = places[term]
                explained[term] = f"about-{place}"
                link = (
                    f'<a class="term" href="{address}#{place}" aria-describedby="about-{place}">'
                    f"{escape(found[0])}</a>"
                )
                pieces += [nodes.Text(text[end : found.start()]), nodes.raw("", link, format="html")]
                end = found.end()
            if pieces:
                text.parent.replace(text, [*pieces, nodes.Text(text[end:])])
    return explained


def explanations(explained: dict[str, str]) -> nodes.raw:
    """What the links of terms are described by, unseen until it is asked for."""
    notes = "".join(
        f'<div id="{name}">{escape(glossary()[term])}</div>' for term, name in sorted(explained.items())
    )
    return nodes.raw("", f'<div class="term-notes screen-only" hidden>{notes}</div>', format="html")


@cache
def rows_by_label() -> dict[str, list[tuple[str, Row]]]:
    """The lines of the equation indexes by the label of the equation in its chapter, each with its page."""
    found: dict[str, list[tuple[str, Row]]] = {}
    for page in INDEXES:
        text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
        for block in re.findall(r"^:::\{equation-index\}\n(.*?)^:::", text, re.MULTILINE | re.DOTALL):
            for row in map(Row.parse, block.strip().splitlines()):
                if row.label not in {"", "-"}:
                    found.setdefault(row.label, []).append((page, row))
    return found


def proof_of(label: str, page: str, builder: StandaloneHTMLBuilder) -> nodes.raw | None:
    """The line below an equation: the function that computes it, and a test of the library against it."""
    if label not in rows_by_label():
        return None
    index, row = rows_by_label()[label][0]
    objects = builder.env.domains["py"].data["objects"]
    code = []
    for function in functions_of(row)[:1]:
        name = f"{PACKAGE}.{function.name}"
        if name in objects:
            place = objects[name]
            address = f"{builder.get_relative_uri(page, place.docname)}#{place.node_id}"
            code.append(f'<a href="{address}"><code>{escape(function.name)}</code></a>')
    address = f"{builder.get_relative_uri(page, index)}#{anchor_of(row.key)}"
    tests = [f'<a href="{address}"><code>{escape(proof.name)}</code></a>' for proof in proofs_of(row)[:1]]
    if not code or not tests:
        return None
    text = f'<p class="proved screen-only">In code: {code[0]}. Proved by {tests[0]}.</p>'
    return nodes.raw("", text, format="html")


def help_to_read(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give a chapter all of this."""
    if not is_a_chapter(page) or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    chapter = next(doctree.findall(nodes.section))
    repository = str(app.config.html_theme_options.get("repository_url") or "")
    facts = facts_of(page, repository)
    objects = app.env.domains["std"].data["objects"]
    same = {term.lower(): term for term in glossary()}
    places = {
        same[name.lower()]: anchor
        for (kind, name), (_, anchor) in objects.items()
        if kind == "term" and name.lower() in same
    }
    explained = explain_terms(
        [section for section in chapter.children if isinstance(section, nodes.section)],
        app.builder.get_relative_uri(page, GLOSSARY),
        places,
    )
    for equation in list(doctree.findall(nodes.math_block)):
        proof = proof_of(str(equation.get("label") or ""), page, app.builder)
        if proof:
            at = equation.parent.index(equation)
            equation.parent.insert(at + 1, proof)
    chapter.insert(1, facts)
    chapter += explanations(explained)


def setup(app: Sphinx) -> dict[str, object]:
    """Register the handler."""
    app.connect("doctree-resolved", help_to_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
