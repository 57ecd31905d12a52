"""Sphinx extension of the book: pages that are light and do not move while they load.

Scripts that no page needs are left out, the theme's fonts of icons are cut down to the icons that the book
has, and pictures have their sizes in the HTML.
"""

import base64
import re
from pathlib import Path
from urllib.parse import unquote

from built_formulas import font_with
from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

SCRIPT = r'[ \t]*<script [^>]*src="[^"]*/?{}\.js[^"]*"></script>\n?'
PICTURE = re.compile(r'<img\b(?![^>]*\bwidth=)(?=[^>]*\bsrc="([^"]+\.(?:png|jpe?g|webp))")')
FONT = re.compile(r'url\("(fonts/[\w-]+\.woff2)"\)')
THEME = "styles/pydata-sphinx-theme.css"
ICON = re.compile(r"\bfa-([a-z][a-z-]*)")
ICON_RULE = re.compile(r'((?:\.fa-[\w-]+:before,?)+)\{content:"(?:\\([0-9a-f]+)|[^"\\]|\\.)"\}')
ICON_FACE = re.compile(r"@font-face\{[^}]*fontawesome/webfonts/([\w-]+)\.woff2[^}]*\}")
ICON_SOURCES = re.compile(
    r'src:url\(([^)]*)\.woff2\) format\("woff2"\),url\([^)]*\.ttf\) format\("truetype"\)'
)
ICON_VARIABLE = re.compile(r'--pst-icon-[\w-]+:\s*"([^"]+)"')


def without_scripts(head: str, *names: str) -> str:
    """The HTML without the elements that load these scripts."""
    for name in names:
        head = re.sub(SCRIPT.format(name), "", head)
    return head


def add_filters(app: Sphinx) -> None:
    """Give the templates their filters."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.templates.environment.filters["without_scripts"] = without_scripts


def give_pictures_their_sizes(
    app: Sphinx, page: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Write width and height of each picture, so that the browser keeps the room for it free."""
    if "body" not in context or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    sources = {name: source for source, name in app.builder.images.items()}

    def sized(found: re.Match[str]) -> str:
        source = sources.get(unquote(found[1]).rpartition("/")[2])
        if not source:
            return found[0]
        with Image.open(Path(app.srcdir) / source) as picture:
            width, height = picture.size
        return f'<img width="{width}" height="{height}"'

    context["body"] = PICTURE.sub(sized, str(context["body"]))


def keep_the_icons_in_use(app: Sphinx, exception: Exception | None) -> None:
    """Cut the theme's icons down to those that its pages and scripts name."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    names: set[str] = set()
    for file in [*Path(app.outdir).rglob("*.html"), static / "scripts" / "pydata-sphinx-theme.js"]:
        names.update(ICON.findall(file.read_text(encoding="utf-8")))
    sheet = static / THEME
    css = sheet.read_text(encoding="utf-8")
    book_theme = (static / "styles" / "sphinx-book-theme.css").read_text(encoding="utf-8")
    characters = {ord(character) for icon in ICON_VARIABLE.findall(css) for character in icon}
    characters |= {int(code, 16) for code in re.findall(r'content:"\\(f[0-9a-f]{3})"', book_theme)}

    def rule_in_use(rule: re.Match[str]) -> str:
        if not names & set(re.findall(r"\.fa-([\w-]+):before", rule[1])):
            return ""
        characters.add(int(rule[2], 16))
        return rule[0]

    css = ICON_RULE.sub(rule_in_use, css)
    fonts = static / "vendor" / "fontawesome" / "webfonts"
    for name in ICON_FACE.findall(css):
        (fonts / f"{name}.woff").write_bytes(font_with(fonts / f"{name}.ttf", characters, layout_features=[]))
    sheet.write_text(ICON_SOURCES.sub(r'src:url(\1.woff) format("woff")', css), encoding="utf-8")
    for left_out in ("*.ttf", "*.woff2", "fontawesome.js*", "*.map"):
        for file in [*fonts.glob(left_out), *(static / "scripts").glob(left_out)]:
            file.unlink()


def put_the_fonts_into_the_style_sheet(app: Sphinx, exception: Exception | None) -> None:
    """Write the fonts of the text into the sheet that names them: no line is broken before they are there."""
    if exception or app.builder.format != "html":
        return
    sheet = Path(app.outdir) / "_static" / "course.css"

    def held(found: re.Match[str]) -> str:
        font = base64.b64encode((sheet.parent / found[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{font}")'

    sheet.write_text(FONT.sub(held, sheet.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension's handlers."""
    app.connect("builder-inited", add_filters)
    app.connect("html-page-context", give_pictures_their_sizes)
    app.connect("build-finished", keep_the_icons_in_use)
    app.connect("build-finished", put_the_fonts_into_the_style_sheet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
