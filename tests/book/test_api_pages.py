"""The reference: a page for each public module, a table for each package, and nothing to edit."""

import zlib
from pathlib import Path

import pytest
from api_pages import PLACE, name_of, package_lines, packages_in, page_of, public_modules, write_pages
from bs4 import BeautifulSoup
from built_book import HTML, ROOT

PACKAGE = ROOT / "transformer_lib"
MOST_BYTES = 300_000


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a module of its own and, two folders down, another one."""
    files = {
        "lib/__init__.py": '"""A library."""\nfrom lib.tools.saw import Saw\n',
        "lib/alone.py": '"""A module without a package."""\n',
        "lib/__main__.py": "",
        "lib/tools/__init__.py": '"""Tools."""\nfrom lib.tools.saw import Saw, cut\n',
        "lib/tools/saw.py": '"""What saws.\n\nAnd more.\n"""\n',
        "lib/tools/saws.py": '"""Something else."""\n',
        "lib/tools/_hidden.py": "",
        "lib/tools/deep/__init__.py": '"""Deep tools."""\n',
        "lib/tools/deep/drill.py": '"""What drills."""\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "lib"


def test_each_public_module_has_a_page_that_mirrors_its_place(package: Path, tmp_path: Path) -> None:
    write_pages(package, tmp_path)
    written = {path.relative_to(tmp_path / PLACE).as_posix() for path in tmp_path.rglob("*.md")}
    assert written == {"alone.md", "tools/saw.md", "tools/saws.md", "tools/deep/drill.md"}, (
        "mend write_pages in tools/api_pages.py"
    )
    text = (tmp_path / PLACE / "tools" / "saw.md").read_text(encoding="utf-8")
    assert ".. automodule:: lib.tools.saw\n   :members:" in text, "mend module_page in tools/api_pages.py"


def test_pages_follow_the_modules_and_are_left_alone_where_nothing_changed(
    package: Path, tmp_path: Path
) -> None:
    write_pages(package, tmp_path)
    kept = tmp_path / PLACE / "tools" / "saw.md"
    before = kept.stat().st_mtime_ns
    (package / "tools" / "deep" / "drill.py").rename(package / "tools" / "deep" / "press.py")
    write_pages(package, tmp_path)
    written = {path.name for path in (tmp_path / PLACE / "tools" / "deep").glob("*")}
    assert written == {"press.md"}, "remove the pages of modules that are gone, and write those of new ones"
    assert kept.stat().st_mtime_ns == before, "a page that is written again is built again: leave it alone"


def test_a_package_shows_each_module_with_its_first_line_and_the_names_it_exports(package: Path) -> None:
    text = "\n".join(package_lines(package / "tools", package))
    saw = text.index("`saw <lib.tools.saw>`\n     - What saws.\n")
    saws = text.index("`saws <lib.tools.saws>`\n     - Something else.\n")
    for name in ("Saw", "cut"):
        link = f":py:obj:`~lib.tools.saw.{name}`"
        assert saw < text.index(link) < saws, f"{name} stands beside saw: mend exports in tools/api_pages.py"
        assert text.count(link) == 1, f"{name} comes from one module: mend exports in tools/api_pages.py"
    assert "_hidden" not in text, "a module whose name begins with _ is not public"


def test_packages_at_the_top_are_rows_and_lead_to_pages_of_their_own(package: Path) -> None:
    top = "\n".join(package_lines(package, package))
    assert "`tools <lib.tools>`\n     - Tools.\n" in top, "a package at the top has a page of its own"
    assert ":py:obj:`~lib.tools.saw.Saw`" in top, "the library's exports stand beside their package"
    assert "drill" not in top, "the page of `tools` shows what is in it"


def pages_of_the_reference() -> list[Path]:
    found = sorted((HTML / "book" / "api").rglob("*.html"))
    if not found:
        pytest.fail("there is no built book to test: run `make book` first")
    return found


@pytest.mark.slow
def test_no_page_of_the_reference_is_heavy() -> None:
    sizes = {path.relative_to(HTML).as_posix(): path.stat().st_size for path in pages_of_the_reference()}
    heavy = {name: size for name, size in sizes.items() if size >= MOST_BYTES}
    assert not heavy, f"part the modules of these pages, so that each is under {MOST_BYTES} bytes: {heavy}"


@pytest.mark.slow
def test_the_built_reference_describes_every_public_module_once_and_no_other() -> None:
    data = (HTML / "objects.inv").read_bytes().split(b"\n", 4)[4]
    entries = [line.split(" ") for line in zlib.decompress(data).decode().splitlines()]
    built = {name: place.partition("#")[0] for name, kind, _, place, *_ in entries if kind == "py:module"}
    wanted = {name_of(path, PACKAGE): f"{page_of(path, PACKAGE)}.html" for path in public_modules(PACKAGE)}
    packages = {"transformer_lib": "book/api/index.html"}
    for folder in packages_in(PACKAGE):
        names = [name_of(path.parent, PACKAGE) for path in folder.rglob("__init__.py")]
        packages |= {name: f"book/api/{folder.name}.html" for name in names}
    assert built == wanted | packages, "run `make book`; if that changes nothing, mend tools/api_pages.py"


@pytest.mark.slow
@pytest.mark.parametrize("folder", packages_in(PACKAGE), ids=lambda folder: folder.name)
def test_the_page_of_a_package_begins_with_its_docstring_and_leads_to_its_modules(folder: Path) -> None:
    page = HTML / "book" / "api" / f"{folder.name}.html"
    document = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    tables = document.select("article table.modules")
    links = {link["href"].partition("#")[2] for table in tables for link in table.select("a")}
    missing = [name_of(path, PACKAGE) for path in public_modules(folder)]
    missing = [name for name in missing if f"module-{name}" not in links]
    assert not missing, f"{page.name} has no link to {missing}: mend package_lines in tools/api_pages.py"
    anchors = [tag["id"] for tag in document.select("article [id^=module-]")]
    packages = [name_of(path.parent, PACKAGE) for path in sorted(folder.rglob("__init__.py"))]
    assert anchors == [f"module-{name}" for name in packages], (
        f"{page.name} should show the package first, then those in it: mend Package in tools/api_pages.py"
    )
