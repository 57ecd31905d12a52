"""Sphinx extension of the book: the scripts of live figures, on the pages that have one and on no other.

A live figure is an admonition of the class `live`, with a name:

    :::{admonition} Try it: title
    :class: live
    :name: live-softmax
    What to try, and what one would see.
    :::

Its text is the figure on paper, in JupyterLab and for readers without JavaScript. In the browser
`book/_static/live/softmax.js` adds what can be moved.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).resolve().parent.parent / "book" / "_static" / "live"


def figures_of(doctree: nodes.document) -> list[str]:
    """The names of a page's live figures, without `live-`."""
    return [
        name.removeprefix("live-")
        for node in doctree.findall(nodes.admonition)
        if "live" in node["classes"]
        for name in node["names"]
    ]


def load_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Give a page with live figures what these share, and a script for each."""
    figures = figures_of(doctree) if doctree else []
    if not figures:
        return
    app.add_css_file("live/live.css")
    for name in ["live", *figures]:
        if (FOLDER / f"{name}.js").is_file():
            app.add_js_file(f"live/{name}.js", loading_method="defer")
        else:
            logger.warning(
                "no script %s for the live figure of this page", FOLDER / f"{name}.js", location=page
            )


def setup(app: Sphinx) -> dict[str, object]:
    """Register the handler."""
    app.connect("html-page-context", load_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
