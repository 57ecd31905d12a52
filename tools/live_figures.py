"""Sphinx extension of the book: the scripts of live figures, on the pages that have one and on no other.

A live figure is an admonition of the class `live`, with a name:

    :::{admonition} Try it: title
    :class: live
    :name: live-softmax
    What to try, and what one would see.
    :::

Its text is the figure on paper, in JupyterLab and for readers without JavaScript. In the browser
`book/_static/live/softmax.js` adds what can be moved, with its parts `softmax-*.js` if it has any.

The directive `{live-figures}` gathers the live figures of all chapters on a page, each once: of two with the
same name it takes the later one.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "book" / "_static" / "live"
SOURCE = re.compile(r"^:::\{admonition\}.*?^:::$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^:name: live-(\w+)\n", re.MULTILINE)


def figures_of(doctree: nodes.document) -> list[str]:
    """The names of a page's live figures, without `live-`."""
    return [
        name.removeprefix("live-")
        for node in doctree.findall(nodes.admonition)
        if "live" in node["classes"]
        for name in node["ids"]
        if name.startswith("live-")
    ]


def prose_of(chapter: Path) -> str:
    """The text of a notebook."""
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def figures_by_chapter(folder: Path = ROOT / "chapters") -> dict[Path, dict[str, str]]:
    """The source of each live figure by its name, below the last chapter that has it."""
    sources = {
        path: {
            name[1]: source
            for source in SOURCE.findall(prose_of(path))
            if ":class: live" in source and (name := NAME.search(source))
        }
        for path in sorted(folder.glob("[0-9]*.ipynb"))
    }
    last = {name: path for path, figures in sources.items() for name in figures}
    found = {
        path: {name: source for name, source in figures.items() if last[name] == path}
        for path, figures in sources.items()
    }
    return {path: figures for path, figures in found.items() if figures}


class LiveFigures(SphinxDirective):
    """The live figures of all chapters, in a section for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Write the sections."""
        self.env.note_reread()
        return [self.section(path, figures) for path, figures in figures_by_chapter().items()]

    def section(self, chapter: Path, figures: dict[str, str]) -> nodes.section:
        """A section of figures; their links to other chapters start in this page's folder."""
        title = prose_of(chapter).partition("\n")[0].removeprefix("# ")
        section = nodes.section(ids=[f"figures-of-{chapter.stem.replace('_', '-')}"])
        section += nodes.title("", f"Chapter {int(chapter.name[:2])}: {title}")
        lines = [f"From {{doc}}`/chapters/{chapter.stem}`:"]
        self.state.nested_parse(StringList(lines, self.get_location()), self.content_offset, section)
        for name, source in figures.items():
            text = NAME.sub("", source).replace("](", "](../chapters/")
            self.state.nested_parse(
                StringList(text.splitlines(), self.get_location()), self.content_offset, section
            )
            section[-1]["ids"].append(f"live-{name}")
        return section


def scripts_of(figure: str) -> list[str]:
    """The names of a figure's scripts: its parts, and the one that builds it last."""
    return [*sorted(path.stem for path in FOLDER.glob(f"{figure}-*.js")), figure]


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Give a page with live figures what these share, and a script for each."""
    figures = figures_of(doctree) if doctree else []
    if not figures:
        return
    app.add_css_file("live/live.css")
    for name in ["live", *(script for figure in figures for script in scripts_of(figure))]:
        if (FOLDER / f"{name}.js").is_file():
            app.add_js_file(f"live/{name}.js", loading_method="defer")
        else:
            logger.warning(
                "no script %s for the live figure of this page", FOLDER / f"{name}.js", location=page
            )


def setup(app: Sphinx) -> dict[str, object]:
    """Register the handler and the directive."""
    app.add_directive("live-figures", LiveFigures)
    app.connect("html-page-context", load_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
