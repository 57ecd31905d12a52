"""Sphinx extension of the book: MathJax sets the formulas during the build, not in the reader's browser.

A page then has no script for formulas and does not move when they appear. Node comes with Playwright, and
MathJax with sphinx-mathjax-offline, both by pip. Where one of them is missing the book still builds: Sphinx's
own renderer then takes MathJax from its content network.

What formulas look like is in `_static/formulas.css`: MathJax's rules for the characters that the book has,
and its fonts with these characters alone.
"""

import base64
import html
import importlib.util
import json
import re
import subprocess
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

from docutils import nodes
from fontTools import subset
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.ext import mathjax
from sphinx.util import logging

logger = logging.getLogger(__name__)

SERVER = Path(__file__).with_name("typeset.js")
STYLE = "formulas.css"
BETWEEN_TAGS = re.compile(r">([^<>]+)</(?:span|div)>\s*$")
RULE = re.compile(r'([^{}]+)\{((?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}')
CHARACTER = re.compile(r"mjx-c\.mjx-c([0-9A-F]+)(?:\.(TEX-\w+))?::before")
STRETCHED = re.compile(r"^mjx-stretchy-[vh]\.mjx-c([0-9A-F]+)")
STRETCHED_FAMILIES = ("MJXTEX-S1", "MJXTEX-S4", "MJXTEX", "MJXTEX-A")
CLASS = re.compile(r'class="mjx-c([0-9A-F]+(?: TEX-\w+)?)"')
CONTENT = re.compile(r'content: "((?:[^"\\]|\\.)*)"')
FAMILY = re.compile(r"font-family: ([\w-]+)")
FONT = re.compile(r'(?<=url\(")fonts/([\w-]+\.woff)(?="\))')
DELIMITERS = {"\\(": "\\)", "\\[": "\\]"}


def mathjax_folder() -> Path | None:
    """MathJax as packaged by sphinx-mathjax-offline, or None where that is not installed."""
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    return Path(found.origin).parent / "static" / "mathjax" if found and found.origin else None


def node_program() -> str | None:
    """The Node that comes with Playwright, or None where there is none."""
    with suppress(Exception):
        from playwright._impl._driver import compute_driver_executable

        return str(compute_driver_executable()[0])
    return None


class Typesetter:
    """MathJax in a process of Node, from the first formula on."""

    def __init__(self, options: dict[str, object]) -> None:
        program, folder = node_program(), mathjax_folder()
        assert program, "Playwright has no Node."
        assert folder, "There is no MathJax."
        command = [program, str(SERVER), folder.as_posix(), json.dumps(options)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.html = cache(self._html)

    def ask(self, line: str) -> dict[str, str]:
        """Send a line, and read the answer."""
        assert self.process.stdin, "The process was started with pipes."
        assert self.process.stdout, "The process was started with pipes."
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def _html(self, tex: str, display: bool) -> str:
        return self.ask(json.dumps({"tex": tex, "display": display}))["html"]

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def typesetter_of(app: Sphinx) -> Typesetter:
    """The build's one process."""
    if not hasattr(app, "typesetter"):
        app.typesetter = Typesetter((app.config.mathjax3_config or {}).get("chtml", {}))  # type: ignore[attr-defined]
    return app.typesetter  # type: ignore[attr-defined]


def setting(visit: Callable, display: bool) -> Callable:
    """Sphinx's own way to write a formula, and then MathJax's HTML in the place of its TeX."""

    def visit_and_set(self, node: nodes.Node) -> None:
        begin = len(self.body)
        with suppress(nodes.SkipNode):
            visit(self, node)
        written = "".join(self.body[begin:])
        found = BETWEEN_TAGS.search(written)
        assert found, "Sphinx writes a formula as the last text of its element."
        tex = html.unescape(found[1]).strip()
        if DELIMITERS.get(tex[:2]) == tex[-2:]:
            tex = tex[2:-2]
        shown = typesetter_of(self.builder.app).html(tex.strip(), display)
        if "<mjx-merror" in shown or "data-mjx-error" in shown:
            logger.warning("MathJax cannot read the formula %s", tex, location=node)
        self.body[begin:] = [written[: found.start(1)], shown, written[found.end(1) :]]
        raise nodes.SkipNode

    return visit_and_set


def choose_the_renderer(app: Sphinx, config: Config) -> None:
    """Set formulas during the build where that is possible."""
    if node_program() and mathjax_folder():
        config.html_math_renderer = "typeset"
        app.add_css_file(STYLE)
    else:
        config.html_math_renderer = "mathjax"
        logger.info("Playwright or sphinx-mathjax-offline is missing: formulas will need a network")


def letters(body: str) -> set[int]:
    """The characters that a rule of a style sheet writes."""
    content = CONTENT.search(body)
    if not content:
        return set()
    plain = re.sub(r"\\([0-9A-Fa-f]{1,6}) ?", lambda code: chr(int(code[1], 16)), content[1])
    return {ord(letter) for letter in re.sub(r"\\(.)", r"\1", plain)}


def font_with(file: Path, characters: set[int], **settings: object) -> bytes:
    """A font with these characters alone; `settings` are fontTools' for subsets."""
    options = subset.Options(flavor="woff", hinting=False, **settings)
    font = subset.load_font(file, options)
    chooser = subset.Subsetter(options)
    chooser.populate(unicodes=characters)
    chooser.subset(font)
    smaller = BytesIO()
    subset.save_font(font, smaller, options)
    return smaller.getvalue()


def smaller_font(file: Path, characters: set[int]) -> str:
    """A font with these characters alone, as an address that holds it."""
    has_none = file.stem == "MathJax_Zero"  # Its height alone counts.
    font = file.read_bytes() if has_none else font_with(file, characters, drop_tables=["FFTM"])
    return f"data:font/woff;base64,{base64.b64encode(font).decode()}"


def style_for(css: str, used: set[str], fonts: Path) -> str:
    """MathJax's style sheet for the characters in use alone, with its fonts inside.

    `used` has the classes of characters as they stand in the pages, such as `1D44E TEX-I` or `3D`.
    """
    codes = {name.split(" ")[0] for name in used}
    rules = []
    by_family: dict[str, set[int]] = {"MJXZERO": {0x20}}
    for found in RULE.findall(re.sub(r"/\*.*?\*/", "", css)):
        selector, body = found[0].strip(), re.sub(r"\s*\n\s*", "", found[1])
        character = CHARACTER.match(selector)
        if character:
            code, variant = character.groups()
            if f"{code} {variant}".removesuffix(" None") not in used:
                continue
            by_family.setdefault(f"MJX{variant or 'TEX'}", set()).update(letters(body))
        elif selector.startswith("mjx-stretchy"):
            code = STRETCHED.search(selector)
            if code and code[1] not in codes:
                continue
            for family in STRETCHED_FAMILIES:
                by_family.setdefault(family, set()).update(letters(body))
        rules.append((selector, body))
    written = []
    for selector, body in rules:
        name, font = FAMILY.match(body), FONT.search(body)
        if name and font:
            if name[1] not in by_family:
                continue
            address = smaller_font(fonts / font[1], by_family[name[1]])
            body = body[: font.start()] + address + body[font.end() :]
        written.append(f"{selector}{{{body}}}\n")
    return "".join(written)


def write_the_style(app: Sphinx, exception: Exception | None) -> None:
    """Write the style sheet for the characters of all pages, whichever this build has written."""
    if exception or app.builder.format != "html" or app.config.html_math_renderer != "typeset":
        return
    used: set[str] = set()
    for page in Path(app.outdir).rglob("*.html"):
        used.update(CLASS.findall(page.read_text(encoding="utf-8")))
    folder = mathjax_folder()
    assert folder, "The renderer was chosen because there is a MathJax."
    typesetter = typesetter_of(app)
    css = style_for(typesetter.ask("css")["css"], used, folder / "output" / "chtml" / "fonts" / "woff-v2")
    (Path(app.outdir) / "_static" / STYLE).write_text(css, encoding="utf-8")
    typesetter.close()


def setup(app: Sphinx) -> dict[str, object]:
    """Register the renderer."""
    app.setup_extension("sphinx.ext.mathjax")
    app.add_html_math_renderer(
        "typeset",
        (setting(mathjax.html_visit_math, False), None),
        (setting(mathjax.html_visit_displaymath, True), None),
    )
    app.connect("config-inited", choose_the_renderer)
    app.connect("build-finished", write_the_style)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
