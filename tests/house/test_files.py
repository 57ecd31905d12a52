"""What the repository promises of its files: pins, notebooks with their outputs, a complete reference."""

import ast
import json
import re
import subprocess
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
import yaml
from api_pages import packages_in, page_of, public_modules
from notebooks import course_notebooks
from packaging.requirements import Requirement

from transformer_lib.experiments import VERDICTS
from transformer_lib.experiments.running.outputs import LIMIT, outputs_beside, read_outputs
from transformer_lib.notebook import LONGEST_LINE
from transformer_lib.training import read_record

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "transformer_lib"
SPEEDS = ("benchmarks", "benchmarks-sampling")  # read by the page's directive for speeds
NOTEBOOKS = course_notebooks()
REGISTRY_HOSTS = [
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "download.pytorch" + ".org",
    "index" + "-url",
]

DEVICE = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[\d¹²³])")
RECORDS_FOLDER = ROOT / "book" / "records"
RECORDS = sorted(RECORDS_FOLDER.glob("*.json"))


def requirements(name: str) -> dict[str, Requirement]:
    """The pinned requirements of a file, by normalized name."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return {re.sub(r"[-_.]+", "-", requirement.name).lower(): requirement for requirement in found}


def version(requirement: Requirement) -> str:
    (pin,) = requirement.specifier
    assert pin.operator == "==", f"pin {requirement.name} to one version with =="
    return pin.version


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def every_cell() -> Iterator[tuple[str, dict, str]]:
    """Each cell of the notebooks: where it stands, the cell, and its text."""
    for path in NOTEBOOKS:
        for cell in cells(path):
            yield f"{place(path)}, cell {cell['id']}", cell, "".join(cell["source"])


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
            assert version(pins[requirement.name]) in requirement.specifier, (
                f"{name} asks for {line}: change that range, or the pin in requirements.txt"
            )


def test_the_lock_pins_everything_once_and_nothing_that_requirements_pins() -> None:
    chosen, lock = requirements("requirements.txt"), requirements("constraints.txt")
    for requirement in [*chosen.values(), *lock.values()]:
        version(requirement)
    assert not set(chosen) & set(lock), "pinned in both files, so run `make lock`"


def test_no_tracked_file_names_a_package_registry() -> None:
    for path in tracked_files():
        if path.suffix in {".png", ".ttf", ".woff2", ".safetensors", ".gz"}:
            continue
        text = path.read_text(encoding="utf-8")
        named = [host for host in REGISTRY_HOSTS if host in text]
        assert not named, f"take {named} out of {place(path)}: readers may use a mirror of their own"


def test_a_notebook_is_committed_as_it_ran() -> None:
    faults = []
    for path in NOTEBOOKS:
        code = [
            cell for cell in cells(path) if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
        ]
        outputs = [output for cell in code for output in cell["outputs"]]
        if [cell["execution_count"] for cell in code] != list(range(1, len(code) + 1)):
            faults.append(f"{place(path)}: its cells were not run once each from top to bottom")
        if not outputs:
            faults.append(f"{place(path)}: it has no outputs")
        if any("execution" in cell["metadata"] for cell in code):
            faults.append(f"{place(path)}: it stores when its cells ran")
        if any(output.get("name") == "stderr" for output in outputs):
            faults.append(f"{place(path)}: it shows a warning or an error")
    assert not faults, f"run `make refresh`, and mend what prints to stderr: {faults}"


def test_no_cell_escapes_the_comparison_of_its_output() -> None:
    hidden = [where for where, cell, _ in every_cell() if "nbval-skip" in cell["metadata"].get("tags", [])]
    assert not hidden, f"take the tag nbval-skip off {hidden}: every output is compared"


def test_only_words_that_a_model_draws_may_differ() -> None:
    """They depend on the processor's rounding; no number is printed there."""
    numbers = [
        where
        for where, cell, _ in every_cell()
        if "nbval-ignore-output" in cell["metadata"].get("tags", [])
        for output in cell["outputs"]
        if output["output_type"] != "stream" or any(c.isdigit() for c in "".join(output["text"]))
    ]
    assert not numbers, f"take the tag nbval-ignore-output off {numbers}: numbers and figures are compared"


def test_code_of_a_notebook_is_at_most_80_columns_wide() -> None:
    wide = [
        where
        for where, cell, source in every_cell()
        if cell["cell_type"] == "code" and any(len(line) > LONGEST_LINE for line in source.splitlines())
    ]
    assert not wide, f"break the lines of more than {LONGEST_LINE} columns in {wide}"


def test_a_table_is_the_last_line_of_its_cell() -> None:
    """Elsewhere Jupyter makes the table and shows nothing."""
    lost = []
    for where, cell, source in every_cell():
        if cell["cell_type"] == "code" and "show_table(" in source:
            *before, _ = ast.parse(re.sub(r"^[%!].*", "pass", source, flags=re.MULTILINE)).body
            lost += [
                f"{where}: {ast.unparse(line)[:60]}" for line in before if is_call_of("show_table", line)
            ]
    assert not lost, f"make each table the last line of its cell, where Jupyter shows it: {lost}"


def is_call_of(name: str, line: ast.stmt) -> bool:
    call = line.value if isinstance(line, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name


def test_every_figure_of_a_notebook_has_alternative_text() -> None:
    wordless = []
    for where, cell, _ in every_cell():
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
            wordless += [where] if len(alt.split()) < 5 else []
    assert not wordless, f"describe the figure in the cell's metadata, mystnb.image.alt: {wordless}"


def test_the_text_refers_to_every_figure_by_its_number() -> None:
    unmentioned = []
    for path in NOTEBOOKS:
        figures = [cell["metadata"].get("mystnb", {}).get("figure", {}).get("name") for cell in cells(path)]
        text = "".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")
        unmentioned += [
            f"{place(path)}: {name}" for name in figures if name and f"{{numref}}`{name}`" not in text
        ]
    assert not unmentioned, (
        f"refer to each figure where the text needs it, {{numref}}`name`, or leave it out: {unmentioned}"
    )


def test_every_notebook_for_readers_is_in_the_table_of_contents() -> None:
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    yaml.safe_load(toc)
    for path in NOTEBOOKS:
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        if path.name == "solution.ipynb":
            assert f"file: {name}\n" not in toc, f"take {name} out of _toc.yml: it is not for readers"
        else:
            assert f"file: {name}\n" in toc, f"add `- file: {name}` to _toc.yml"


def test_a_record_comes_from_a_clean_commit() -> None:
    commits = {path.name: read_record(path).commit or "none" for path in RECORDS}
    unclean = {name: commit for name, commit in commits.items() if not re.fullmatch(r"[0-9a-f]{40}", commit)}
    assert not unclean, f"commit the code first, then make these records again: {unclean}"


def test_outputs_beside_a_record_are_small_and_those_of_its_runs() -> None:
    for path in sorted(RECORDS_FOLDER.glob("*.gz")):
        record = path.with_name(f"{path.name.partition('.')[0]}.json")
        assert record in RECORDS, f"{path.name} belongs to no record: remove it"
        named = {run["outputs"] for run in read_record(record).result["runs"] if "outputs" in run}
        assert path in outputs_beside(record) and read_outputs(path).keys() <= named, (
            f"{path.name} has outputs of other runs: take the file that was made with {record.name}"
        )
        assert path.stat().st_size <= LIMIT, f"{path.name} is too large: keep the outputs of fewer items"


def test_a_record_is_read_by_its_chapter_or_by_the_page_of_results() -> None:
    page = (ROOT / "book" / "results.md").read_text(encoding="utf-8")
    for path in RECORDS:
        number, _, experiment = path.stem.partition("_")
        chapter = next((ROOT / "chapters").glob(f"{number}_*.ipynb"), None)
        assert chapter, (
            f"{path.name} belongs to chapter {int(number)}, which does not exist: name it after another"
        )
        code = "".join(
            line for cell in cells(chapter) if cell["cell_type"] == "code" for line in cell["source"]
        )
        name = experiment.replace("_", "-")
        compared = {
            contrasted
            for verdict in VERDICTS.get(int(number), [])
            for contrast in verdict.contrasts
            for contrasted in (contrast.experiment, contrast.other_experiment)
        }
        read = path.stem in code or name in code or name in compared or name in SPEEDS
        evidence = ROOT / "book" / "evidence" / f"{number}.md"
        shown = evidence.exists() and f"\n{name} " in evidence.read_text(encoding="utf-8")
        assert read or shown or f"\n{name} |" in page, (
            f"read {path.name} in {chapter.name}, in its verdicts, on its page of evidence or in "
            "book/results.md, or delete it"
        )


def test_every_public_module_is_in_the_reference() -> None:
    """Its page is made when the book is built; the table of contents must have a place for it."""
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    patterns = re.findall(r"- glob: (\S+)", toc)
    for path in public_modules(PACKAGE):
        page = PurePosixPath(page_of(path, PACKAGE))
        assert any(page.match(pattern) for pattern in patterns), (
            f"no pattern of _toc.yml matches {page}: add `- glob: {page.parent}/*` below its package's page"
        )


def test_every_package_is_in_the_reference() -> None:
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    for folder in packages_in(PACKAGE):
        page = f"book/api/{folder.name}"
        assert f"file: {page}\n" in toc, f"add `- file: {page}` to _toc.yml, below book/api/index"
        text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
        assert f"{{package}} transformer_lib.{folder.name}\n" in text, (
            f"show the package in {page}.md by the directive {{package}}"
        )


def test_versions_and_titles_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    init = (ROOT / "transformer_lib" / "__init__.py").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    title = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
    number = project["version"]
    assert citation["version"] == number, f"write {number}, pyproject.toml's number, in CITATION.cff"
    assert f'__version__ = "{number}"' in init, f"write {number} in transformer_lib/__init__.py"
    assert f"## {number}" in changes, f"begin a section '## {number}' in CHANGELOG.md"
    assert citation["title"] == title, f"give CITATION.cff the title of _config.yml, {title!r}"


def test_every_clone_has_the_line_ends_that_are_committed() -> None:
    """Also with core.autocrlf, as Git for Windows sets it."""
    asked = ["tools/environment.sh", "Makefile", "transformer_lib/checks.py", "a/new/file.tsv"]
    command = ["git", "-C", str(ROOT), "check-attr", "eol", "text", "--", *asked]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    right = [f"{name}: {value}" for name in asked for value in ("eol: lf", "text: auto")]
    assert told == right, f".gitattributes has to give each text 'text=auto eol=lf'; git says {told}"


def test_every_file_can_be_checked_out_on_windows_and_macos() -> None:
    """Windows forbids names and signs, and neither tells names apart that differ in case alone."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    files = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    assert files, "git lists no files: run the tests in a clone"
    spelled: dict[str, str] = {}
    for path in map(PurePosixPath, files):
        for part in path.parts:
            is_legal = not re.search(r'[<>:"\\|?*\x00-\x1f]|[. ]$', part)
            assert is_legal, f"rename {path}: Windows has no file with the name {part!r}"
            device = DEVICE.fullmatch(part.partition(".")[0].rstrip())
            assert not device, f"rename {path}: {part!r} is a device of Windows"
        for place in map(str, (path, *path.parents)):
            other = spelled.setdefault(unicodedata.normalize("NFC", place.casefold()), place)
            assert other == place, f"rename {place}: Windows and macOS take it for {other}"
