"""Sphinx extension of the book: what makes a build faster and changes no page.

Sphinx makes the list of all pages beside the text again for each page. Pages that the list does not show,
such as those of single modules and of their source, get the list of the page beside them.
"""

import gc
from functools import cache
from posixpath import dirname

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder


def look_for_garbage_seldom(app: Sphinx) -> None:
    """A build makes millions of objects that stay: looking at all of them again and again takes long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


def make_a_list_of_pages_once(app: Sphinx) -> None:
    """Keep the lists of pages that look alike."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder):
        return
    make = builder._get_local_toctree

    @cache
    def parents() -> dict[str, str]:
        return {page: above for above, below in app.env.toctree_includes.items() for page in below}

    def above(page: str) -> tuple[str, ...]:
        found: list[str] = []
        while page in parents() and parents()[page] not in found:
            page = parents()[page]
            found.append(page)
        return tuple(found)

    kept: dict[object, str] = {}

    def make_once(docname: str, collapse: bool = True, **kwargs: object) -> str:
        page, options = docname, kwargs
        way = above(page)
        depth = int(str(options.get("maxdepth", -1)))
        if page in app.env.found_docs and not 0 < depth < len(way):
            return make(page, collapse, **options)
        key = (dirname(page), way, collapse, tuple(sorted(options.items())))
        if key not in kept:
            kept[key] = make(page, collapse, **options)
        return kept[key]

    builder._get_local_toctree = make_once  # type: ignore[method-assign]


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension's handlers."""
    app.connect("builder-inited", look_for_garbage_seldom)
    app.connect("builder-inited", make_a_list_of_pages_once)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
