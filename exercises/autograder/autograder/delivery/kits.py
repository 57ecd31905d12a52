"""The two zips that people get: the students' kit and the instructor's.

Both hold the files of a list, never a whole folder, and are the same bytes wherever they are made. The
student's kit has only those modules of this package that ``check`` needs.
"""

import argparse
import ast
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.authoring.layers import find_exercises
from autograder.authoring.spec import SpecificationError
from autograder.delivery.build import problems
from autograder.files import Files, read_files, write_bytes, zip_bytes
from autograder.judging.fixtures import read_exam
from autograder.worker.session import Session

CHECKING = ("judging.checking", "worker.__main__")
GIVEN = ("exercise.ipynb", "fixtures.json")
SOURCES = ("exercise.md", "inputs.py", "q[0-9]*/*.py", "data/**/*")
NOTEBOOK_TOOLS = ("jupyterlab", "ipykernel")
AUTHOR_TOOLS = ("jupytext", "nbclient", "nbformat", "matplotlib")
LIBRARY = "packages/transformer-lib"
LIBRARY_README = "The companion library of the course 'Transformers, Equation by Equation'.\n"
EXAM = "exam/exam.md"
ANSWERS = re.compile(r"^\*\*Answer\.\*\*.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAM_TITLE = re.compile(r"^## (\d+)\. .*, (\d) minutes\)$", re.MULTILINE)
QUESTIONS_HEAD = "# Exam\n\nThere are as many points as minutes.\n\n"
PIN = re.compile(r"([A-Za-z0-9._-]+)==\S+")


def checking_modules(package: Path) -> list[str]:
    """The files of this package that ``check`` and its worker import, directly or not."""
    waiting, found = list(CHECKING), set()
    while waiting:
        name = waiting.pop()
        path = package.joinpath(*name.split("."))
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if module in found or not module.is_file():
            continue
        found.add(module)
        waiting.append(name.rpartition(".")[0])
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder."):
                base = str(node.module).removeprefix("autograder.")
                waiting += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return sorted(path.relative_to(package).as_posix() for path in found)


def checking_package(root: Path) -> Files:
    """What ``check`` needs, as a package to put beside a notebook: ``autograder/...``."""
    package = root / "autograder" / "autograder"
    return read_files(package, checking_modules(package), "autograder")


def library_folder(root: Path) -> Path:
    """The folder of transformer_lib's pyproject.toml: the course's own, or packages/ in a kit."""
    for folder in (root.parent, root.parent / LIBRARY):
        if (folder / "transformer_lib").is_dir():
            return folder
    raise SpecificationError(f"{root.parent}: holds no transformer_lib, which the exercises import")


def _library(root: Path) -> Files:
    folder = library_folder(root)
    files = read_files(folder, ["pyproject.toml", "LICENSE", "transformer_lib/**/*.py"], LIBRARY)
    files[f"{LIBRARY}/transformer_lib/py.typed"] = b""
    return {**files, f"{LIBRARY}/README.md": LIBRARY_README.encode()}


def needs_library(folders: Iterable[Path]) -> bool:
    """Whether a cell of an exercise, marked or not, imports transformer_lib."""
    text = "".join((folder / "exercise.md").read_text(encoding="utf-8") for folder in folders)
    return re.search(r"^\s*(?:from|import) transformer_lib\b", text, re.MULTILINE) is not None


def pins(root: Path, names: Iterable[str]) -> list[str]:
    """The course's pinned requirements of these names, in its order."""
    wanted = {name.lower() for name in names}
    lines = (root.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if (found := PIN.fullmatch(line)) and found[1].lower() in wanted]


def dependencies(project: Path, *extras: str) -> list[str]:
    """The names that a pyproject.toml depends on, with these extras."""
    table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    lines = [*table["dependencies"], *(n for e in extras for n in table["optional-dependencies"][e])]
    return [re.split(r"[^A-Za-z0-9._-]", line)[0] for line in lines]


def _requirements(root: Path, autograder: str, tools: Iterable[str], library: bool) -> str:
    names = [*tools, *dependencies(root / "autograder" / "pyproject.toml")]
    folders = [autograder]
    if library:
        names += dependencies(library_folder(root) / "pyproject.toml", "data")
        folders.append(f"./{LIBRARY}[data]")
    return "\n".join(["-c constraints.txt", *pins(root, names), *folders, ""])


def _start(root: Path, name: str, folders: Iterable[Path]) -> str:
    """The one-page guide of a kit, with the table of its exercises."""
    rows = ["| exercise | questions | points | minutes |", "|---|---|---|---|"]
    for folder in folders:
        questions = read_exam((folder / "fixtures.json").read_text(encoding="utf-8"), folder.name).questions
        sums = [sum(getattr(q, field) for q in questions.values()) for field in ("points", "minutes")]
        rows.append(f"| `{folder.name}` | {len(questions)} | {sums[0]} | {sums[1]} |")
    text = (root / "kits" / name).read_text(encoding="utf-8")
    conditions = (root / "kits/conditions.md").read_text(encoding="utf-8")
    return text.replace("{exercises}", "\n".join(rows)).replace("{conditions}", conditions)


def _common(root: Path, folders: list[Path], start: str, autograder: str, tools: Iterable[str]) -> Files:
    library = needs_library(folders)
    return {
        "START.md": _start(root, start, folders).encode(),
        "requirements.txt": _requirements(root, autograder, tools, library).encode(),
        "constraints.txt": (root.parent / "constraints.txt").read_bytes(),
        **(_library(root) if library else {}),
    }


def student_kit(root: Path, folders: list[Path]) -> Files:
    """Everything that a student needs for these exercises of the course in ``root``."""
    files = _common(root, folders, "student.md", "./packages/autograder", NOTEBOOK_TOOLS)
    for folder in folders:
        files |= read_files(folder, [*GIVEN, "data/**/*"], f"exercises/{folder.name}")
    for name, content in checking_package(root).items():
        files[f"packages/autograder/{name}"] = content
    project = (root / "autograder" / "pyproject.toml").read_bytes()
    return {**files, "packages/autograder/pyproject.toml": project}


def exam_questions(answered: str) -> str:
    """The questions of an exam without answers, without titles, and without the words to the instructor."""
    questions = EXAM_TITLE.sub(r"## \1 (\2 minutes)", ANSWERS.sub("", answered))
    return QUESTIONS_HEAD + re.sub(r"\n{3,}", "\n\n", questions[questions.index("## ") :]).rstrip() + "\n"


def _exam(root: Path) -> Files:
    """The exam with its answers, and to print without them; nothing in a course that has none."""
    files = read_files(root, [EXAM], "exercises")
    if files:
        files["exam.md"] = exam_questions(files[f"exercises/{EXAM}"].decode()).encode()
    return files


def instructor_kit(root: Path, folders: list[Path]) -> Files:
    """Sources, solutions, banks and the whole autograder: all of its commands work in this kit."""
    tools = (*NOTEBOOK_TOOLS, *AUTHOR_TOOLS)
    files = _common(root, folders, "instructor.md", "-e ./exercises/autograder", tools)
    for folder in folders:
        files |= read_files(folder, [*SOURCES, *GIVEN, "solution.ipynb"], f"exercises/{folder.name}")
    shared = ["README.md", "kits/*.md", "autograder/pyproject.toml", "autograder/AUTHORS.md"]
    files |= read_files(root, [*shared, "autograder/autograder/**/*.py"], "exercises")
    return {**files, **_exam(root)}


KITS: dict[str, Callable[[Path, list[Path]], Files]] = {"student": student_kit, "instructor": instructor_kit}


def write_kits(root: Path, output: Path, session: Session) -> list[str]:
    """Write both zips and return a line for each; if something is stale or leaks, write nothing and fail."""
    folders = find_exercises(root)
    if not folders or not (root / "autograder" / "pyproject.toml").is_file():
        raise SpecificationError(
            f"{root}: is not a folder of exercises with its autograder; run in the course's folder"
        )
    for folder in folders:
        for problem in problems(folder, session):
            raise SpecificationError(f"{problem}; run: python -m autograder build {folder}")
    made = {name: zip_bytes(files(root, folders), f"transformers-{name}") for name, files in KITS.items()}
    output.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, content in made.items():
        write_bytes(output / f"{name}.zip", content)
        lines.append(f"{output / name}.zip: written ({len(content) / 1e6:.1f} MB)")
    return lines


def _run(arguments: argparse.Namespace, session: Session) -> int:
    print("\n".join(write_kits(arguments.exercises, arguments.output, session)))
    return 0


def add_command(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add ``kit`` to the command line."""
    made = command("kit", _run, "write the students' kit and the instructor's, two zips")
    made.add_argument(
        "exercises", nargs="?", type=Path, default=Path("exercises"), help="folder of exercises (exercises)"
    )
    made.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("_build/kits"),
        help="folder for the zips (_build/kits)",
    )
