"""What the repository promises of its files: pins, notebooks with their outputs, a complete reference."""

import ast
import json
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from transformer_lib.experiments.running.outputs import LIMIT, outputs_beside, read_outputs
from transformer_lib.training import read_record

ROOT = Path(__file__).resolve().parents[2]
SPEEDS = ("benchmarks", "benchmarks-sampling")  # read by the page's directive for speeds
NOTEBOOKS = sorted(
    path
    for pattern in ("chapters/*.ipynb", "exercises/*/*.ipynb", "book/*.ipynb")
    for path in ROOT.glob(pattern)
)
REGISTRY_HOSTS = [
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "download.pytorch" + ".org",
    "index" + "-url",
]

RECORDS_FOLDER = ROOT / "book" / "records"
RECORDS = sorted(RECORDS_FOLDER.glob("*.json"))

every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
every_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=lambda path: path.relative_to(ROOT).as_posix()
)


def requirements(name: str) -> dict[str, Requirement]:
    """The pinned requirements of a file, by normalized name."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return {re.sub(r"[-_.]+", "-", requirement.name).lower(): requirement for requirement in found}


def version(requirement: Requirement) -> str:
    (pin,) = requirement.specifier
    assert pin.operator == "==", f"{requirement} is not a pin"
    return pin.version


@cache
def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def tracked_files() -> list[Path]:
    run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if run.returncode:
        pytest.skip("not a git checkout")
    return [path for name in run.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("name", ["pyproject.toml", "exercises/autograder/pyproject.toml"])
def test_the_pins_satisfy_the_ranges_that_the_packages_ask_for(name: str) -> None:
    project = tomllib.loads((ROOT / name).read_text(encoding="utf-8"))["project"]
    pins = requirements("requirements.txt")
    asked = list(project.get("dependencies", []))
    asked += [line for extra in project.get("optional-dependencies", {}).values() for line in extra]
    for line in asked:
        requirement = Requirement(line)
        if requirement.name != project["name"]:
            assert version(pins[requirement.name]) in requirement.specifier, line


def test_the_lock_pins_everything_once_and_nothing_that_requirements_pins() -> None:
    chosen, lock = requirements("requirements.txt"), requirements("constraints.txt")
    assert all(version(requirement) for requirement in [*chosen.values(), *lock.values()])
    assert not set(chosen) & set(lock)


def test_no_tracked_file_names_a_package_registry() -> None:
    for path in tracked_files():
        if path.suffix in {".png", ".ttf", ".woff2", ".safetensors", ".gz"}:
            continue
        text = path.read_text(encoding="utf-8")
        assert not [host for host in REGISTRY_HOSTS if host in text], path


@every_notebook
def test_a_notebook_is_committed_as_it_ran(path: Path) -> None:
    code = [cell for cell in cells(path) if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1)), "run `make refresh`"
    assert any(cell["outputs"] for cell in code)
    for cell in code:
        assert "execution" not in cell["metadata"]
        assert not [output for output in cell["outputs"] if output.get("name") == "stderr"]


@every_notebook
def test_no_cell_escapes_the_comparison_of_its_output(path: Path) -> None:
    for cell in cells(path):
        assert "nbval-skip" not in cell["metadata"].get("tags", [])


@every_notebook
def test_a_table_is_the_last_line_of_its_cell(path: Path) -> None:
    """Elsewhere Jupyter makes the table and shows nothing."""
    for cell in cells(path):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "show_table(" in source:
            *before, _ = ast.parse(re.sub(r"^[%!].*", "pass", source, flags=re.MULTILINE)).body
            lost = [ast.unparse(line)[:60] for line in before if is_call_of("show_table", line)]
            assert not lost, f"cell {cell['id']} makes a table and shows nothing: {lost}"


def is_call_of(name: str, line: ast.stmt) -> bool:
    call = line.value if isinstance(line, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name


@every_notebook
def test_every_figure_of_a_notebook_has_alternative_text(path: Path) -> None:
    for cell in cells(path):
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
            assert len(alt.split()) >= 5, (
                "describe the figure in the cell's metadata, mystnb.image.alt: "
                + "".join(cell["source"])[:200]
            )


@every_notebook
def test_the_text_refers_to_every_figure_by_its_number(path: Path) -> None:
    figures = [cell["metadata"].get("mystnb", {}).get("figure", {}).get("name") for cell in cells(path)]
    text = "".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")
    unmentioned = [name for name in figures if name and f"{{numref}}`{name}`" not in text]
    assert not unmentioned, f"refer to {unmentioned} where the text needs it, or leave the figure out"


def test_every_notebook_for_readers_is_in_the_table_of_contents() -> None:
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    yaml.safe_load(toc)
    for path in NOTEBOOKS:
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        if path.name == "solution.ipynb":
            assert f"file: {name}\n" not in toc, f"take {name} out of _toc.yml: it is not for readers"
        else:
            assert f"file: {name}\n" in toc, f"add `- file: {name}` to _toc.yml"


@every_record
def test_a_record_comes_from_a_clean_commit(path: Path) -> None:
    commit = read_record(path).commit or "none"
    assert re.fullmatch(r"[0-9a-f]{40}", commit), (
        f"{path.name} was made from the commit {commit}: commit the code, then run it again with --overwrite"
    )


def test_outputs_beside_a_record_are_small_and_those_of_its_runs() -> None:
    for path in sorted(RECORDS_FOLDER.glob("*.gz")):
        record = path.with_name(f"{path.name.partition('.')[0]}.json")
        assert record in RECORDS, f"{path.name} belongs to no record: remove it"
        named = {run["outputs"] for run in read_record(record).result["runs"] if "outputs" in run}
        assert path in outputs_beside(record) and read_outputs(path).keys() <= named, (
            f"{path.name} has outputs of other runs: take the file that was made with {record.name}"
        )
        assert path.stat().st_size <= LIMIT, f"{path.name} is too large: keep the outputs of fewer items"


@every_record
def test_a_record_is_read_by_its_chapter_or_by_the_page_of_results(path: Path) -> None:
    number, _, experiment = path.stem.partition("_")
    chapter = next((ROOT / "chapters").glob(f"{number}_*.ipynb"), None)
    assert chapter, f"{path.name} belongs to chapter {int(number)}, which does not exist"
    code = "".join(line for cell in cells(chapter) if cell["cell_type"] == "code" for line in cell["source"])
    name = experiment.replace("_", "-")
    page = (ROOT / "book" / "results.md").read_text(encoding="utf-8")
    assert path.stem in code or name in code or f"\n{name} |" in page or name in SPEEDS, (
        f"neither {chapter.name} nor book/results.md reads {path.name}"
    )


def test_every_public_module_is_in_the_reference() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "book" / "api").rglob("*.md"))
    blocks = re.findall(r"automodule:: (\S+)\n((?:   :.*\n)*)", pages)
    shown = {module for module, _ in blocks}
    whole = {module for module, options in blocks if ":imported-members:" in options}
    for path in (ROOT / "transformer_lib").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        package = module.rpartition(".")[0]
        if module != "transformer_lib" and path.stem != "__main__":
            assert module in shown or package in whole, f"{module} is on no page of book/api"


def test_versions_and_titles_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    init = (ROOT / "transformer_lib" / "__init__.py").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    title = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
    assert citation["version"] == project["version"]
    assert f'__version__ = "{project["version"]}"' in init
    assert f"## {project['version']}" in changes
    assert citation["title"] == title
