"""Sphinx extension of the course: numbers of chapters, readable types.

It is loaded by `_config.yml` (`local_extensions`), so that plain `jupyter-book build .` needs nothing else.
"""

import inspect
import re
from functools import cache
from pathlib import Path
from typing import cast

import teaching
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging
from sphinx.util.nodes import make_refnode
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles

logger = logging.getLogger(__name__)

SOURCE_LINE = re.compile(r"^Source: ")
CHAPTER = re.compile(r"^chapters/(\d\d)_")
ROOT = Path(__file__).resolve().parent.parent
MATH = re.compile(r"^( *)\.\. math::\n((?:\1 +.*\n|\s*\n)+)", re.MULTILINE)
GAP = re.compile(r"(?<=,)\s*\\q?quad\b\s*")
FORMULA_OF_ONE_LINE = 90


def number_chapters_by_file_name(env: BuildEnvironment) -> None:
    """Give `chapters/06_...` the number 6, whichever chapters there are, and its other pages none.

    Sphinx counts the pages of the table of contents, so a chapter's number would change when an earlier one
    is added, and its exercises and its evidence would be sections of it.
    """
    for name, numbers in env.toc_secnumbers.items():
        sections = cast("dict[str, tuple[int, ...] | None]", numbers)
        chapter = CHAPTER.match(name)
        if not chapter and not name.startswith(("exercises/", "book/evidence/")):
            continue
        for anchor, number in sections.items():
            numbered = (int(chapter[1]), *number[1:]) if chapter and number else None
            sections[anchor] = numbered
        for node in [env.titles[name], env.longtitles[name], *env.tocs[name].findall(nodes.reference)]:
            number = node.attributes.pop("secnumber", None)
            if chapter and number:
                node["secnumber"] = [int(chapter[1]), *number[1:]]


def install_chapter_numbers(app: Sphinx, config: Config) -> None:
    """Number the chapters whenever Sphinx numbers sections."""
    count_pages = TocTreeCollectorWithStyles.assign_section_numbers

    def assign_section_numbers(self: TocTreeCollectorWithStyles, env: BuildEnvironment) -> list[str]:
        rewritten = count_pages(self, env)
        number_chapters_by_file_name(env)
        return rewritten

    TocTreeCollectorWithStyles.assign_section_numbers = assign_section_numbers  # type: ignore[method-assign]


def link_to_the_repository(app: Sphinx, config: Config) -> None:
    """Set the theme's links to the repository, where there is an address."""
    config.html_theme_options |= repository_links(config.html_theme_options.get("repository_url"))


def repository_links(url: str | None) -> dict[str, object]:
    """The theme's options for a repository at `url`: pages can be edited there, and run elsewhere.

    Without an address the pages have no such links.
    """
    if not url:
        return {"use_edit_page_button": False, "launch_buttons": {}}
    return {
        "use_edit_page_button": True,
        "use_repository_button": True,
        "launch_buttons": {
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
            "notebook_interface": "jupyterlab",
        },
    }


def leave_out_aliases(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    """Leave out a named tuple's fields where Python made up their text; the signature names them already."""
    if not (obj.__doc__ or "").startswith("Alias for field number"):
        return None
    place = app.env.temp_data
    written = ModuleAnalyzer.for_module(place["autodoc:module"]).find_attr_docs()
    return None if (place["autodoc:class"], name) in written else True


def leave_out_imports(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    """Leave out what another module of the library describes, and functions that are a field's default."""
    if what == "class":
        return True if inspect.isfunction(obj) and "." not in obj.__qualname__ else None
    origin = obj.__module__ if inspect.isclass(obj) or inspect.isroutine(obj) else None
    elsewhere = origin != app.env.temp_data["autodoc:module"] and str(origin).startswith("transformer_lib.")
    return True if elsewhere else None


def give_sources_a_section(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Make a docstring's closing `Source: N1-N3` a section, lest it be read as part of the one before it."""
    for at, line in enumerate(lines):
        if SOURCE_LINE.match(line):
            lines[at : at + 1] = ["Source", "------", SOURCE_LINE.sub("", line)]
            return


def break_equations_at_gaps(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Put equations that share a line of a docstring below one another, so that they fit a phone."""
    lines[:] = MATH.sub(_below_one_another, "\n".join([*lines, ""])).splitlines()


def _below_one_another(block: re.Match[str]) -> str:
    indent, formula = block.groups()
    parts = GAP.split(formula.strip())
    if len(parts) == 1 or len(formula) < FORMULA_OF_ONE_LINE:
        return block[0]
    rows = r" \\".join(f"\n{indent}    & " + " ".join(part.split()) for part in parts)
    return f"{indent}.. math::\n{rows}\n\n"


def write_made_defaults_as_dots(
    app: Sphinx,
    what: str,
    name: str,
    obj: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Python shows a default that is made again for each call as `<factory>`, which is no expression."""
    return signature and signature.replace("<factory>", "..."), returns


def keep_attribute_docstrings(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Undo napoleon on attributes: it takes what stands before a colon in their first line for a type."""
    plain = app.env.temp_data.setdefault("plain_docstrings", {})
    if what in {"attribute", "data", "property"}:
        if name in plain:
            lines[:] = plain.pop(name)
        else:
            plain[name] = list(lines)


@cache
def full_names(env: BuildEnvironment) -> dict[str, list[str]]:
    """The documented names of Python by each of their endings."""
    found: dict[str, list[str]] = {}
    for name, entry in env.domains["py"].data["objects"].items():
        parts = [] if entry.aliased else name.split(".")
        for place in range(1, len(parts)):
            found.setdefault(".".join(parts[place:]), []).append(name)
    return found


def link_short_names(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Let a docstring name an object of another module by its short name, where that is unique.

    A name that a package has from one of its modules leads to that module.
    """
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].removesuffix("()")
    package, _, exported = target.rpartition(".")
    matches = full_names(env).get(target, [])
    if package and not matches:
        within = re.compile(rf"{re.escape(package)}\.\w+\.{exported}")
        matches = [name for name in full_names(env).get(exported, []) if within.fullmatch(name)]
    if len(matches) != 1:
        return None
    place = env.domains["py"].data["objects"][matches[0]]
    return make_refnode(app.builder, node["refdoc"], place.docname, place.node_id, content, matches[0])


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension's handlers."""
    app.connect("config-inited", install_chapter_numbers, priority=900)
    app.connect("config-inited", link_to_the_repository)
    teaching.setup(app)
    app.connect("autodoc-skip-member", leave_out_aliases)
    app.connect("autodoc-skip-member", leave_out_imports)
    app.connect("autodoc-process-docstring", give_sources_a_section, priority=100)
    for before_and_after_napoleon in (400, 600):
        app.connect(
            "autodoc-process-docstring", keep_attribute_docstrings, priority=before_and_after_napoleon
        )
    app.connect("autodoc-process-docstring", break_equations_at_gaps)
    app.connect("autodoc-process-signature", write_made_defaults_as_dots)
    app.connect("missing-reference", link_short_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
