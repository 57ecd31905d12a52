"""Sphinx extension of the book: the reference, made from the package's folders at every build.

`book/api/library/` mirrors `transformer_lib/`: a page for each public module, written before the book is read
and ignored by git; the patterns of `_toc.yml` find them. A page of `book/api` shows a package by the
directive

    :::{package} transformer_lib.data
    :::

which gives the package's docstring and a table of its modules: each with the first line of its docstring and
the names that the package's `__init__` imports from it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "transformer_lib"
PLACE = "book/api/library"


def modules_in(folder: Path) -> list[Path]:
    """The files of the public modules that lie in a folder itself."""
    return sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))


def packages_in(folder: Path) -> list[Path]:
    """The folders of the packages that lie in a folder."""
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def public_modules(folder: Path) -> Iterator[Path]:
    """The files of all public modules in a folder and below."""
    yield from modules_in(folder)
    for package in packages_in(folder):
        yield from public_modules(package)


def page_of(module: Path, package: Path) -> str:
    """The page of the module in that file of `package`, relative to the book's root and without ending."""
    return f"{PLACE}/{module.relative_to(package).with_suffix('').as_posix()}"


def name_of(path: Path, package: Path) -> str:
    """The name under which a file or folder in `package` is imported."""
    return ".".join(path.relative_to(package.parent).with_suffix("").parts)


def first_line(path: Path) -> str:
    """The first line of the docstring of a module, or of the package in a folder."""
    return (ast.get_docstring(parsed(path)) or "").partition("\n")[0]


def parsed(path: Path) -> ast.Module:
    """The parsed file of a module, or of the package in a folder."""
    file = path / "__init__.py" if path.is_dir() else path
    return ast.parse(file.read_text(encoding="utf-8"))


def exports(folder: Path, origin: str) -> list[str]:
    """The full names of what the `__init__` of a folder imports from the module or package `origin`."""
    return [
        f"{node.module}.{alias.name}"
        for node in parsed(folder).body
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{origin}.")
        for alias in node.names
    ]


def module_page(name: str) -> str:
    """The text of the page of a module."""
    title = name.removeprefix(f"{PACKAGE}.")
    return f"# `{title}`\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n```\n"


def described(folder: Path, package: Path) -> list[Path]:
    """What the table of a folder lists: its modules and, at the top, the packages, which have pages."""
    return [*(packages_in(folder) if folder == package else []), *modules_in(folder)]


def package_lines(folder: Path, package: Path) -> list[str]:
    """The docstring of the package in `folder` and the table, in Markdown."""
    lines = ["```{eval-rst}", f".. automodule:: {name_of(folder, package)}", "   :members:", ""]
    rows = described(folder, package)
    if rows:
        lines += [".. list-table::", "   :header-rows: 1", "   :class: modules", ""]
        lines += ["   * - module", "     - what is there"]
    for path in rows:
        name = name_of(path, package)
        names = ", ".join(f":py:obj:`~{export}`" for export in exports(folder, name))
        lines += [f"   * - :py:mod:`{path.stem} <{name}>`"]
        lines += [f"     - {first_line(path)}", "", f"       {names}"]
    return [*lines, "```"]


class Package(SphinxDirective):
    """`{package} transformer_lib.data`: what the package is for, and a table of its modules.

    Packages in it, such as the chapters of the experiments, are sections.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Read the folder and build the text."""
        folder = ROOT.joinpath(*self.arguments[0].split("."))
        if not (folder / "__init__.py").is_file():
            raise self.error(f"there is no package {self.arguments[0]}")
        for path in folder.rglob("*.py"):
            self.env.note_dependency(str(path))
        return self.show(folder)

    def show(self, folder: Path) -> list[nodes.Node]:
        """The package in the folder, and in sections what is below it."""
        content = nodes.Element()
        lines = StringList(package_lines(folder, ROOT / PACKAGE), source=str(folder))
        self.state.nested_parse(lines, self.content_offset, content)
        for below in [] if folder == ROOT / PACKAGE else packages_in(folder):
            section = nodes.section(ids=[nodes.make_id(below.name)], names=[below.name])
            section += [nodes.title("", "", nodes.literal(text=below.name)), *self.show(below)]
            content += section
        return content.children


def write_pages(package: Path, book: Path) -> None:
    """Write the page of each public module below `book`, and remove those of modules that are gone.

    A page that is as it should be is left alone, so that it is not built again.
    """
    wanted = {
        book / f"{page_of(path, package)}.md": module_page(name_of(path, package))
        for path in public_modules(package)
    }
    for path in (book / PLACE).rglob("*.md"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")


def write_pages_of_the_library(app: Sphinx, config: Config) -> None:
    """Write the pages before the table of contents is read, which is at the priority 900."""
    write_pages(ROOT / PACKAGE, Path(app.srcdir))


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension's handler and directive."""
    app.connect("config-inited", write_pages_of_the_library, priority=800)
    app.add_directive("package", Package)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
