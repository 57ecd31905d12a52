"""The same exercise inside other graders: Otter, nbgrader, Gradescope.

Otter and nbgrader run a student's notebook in the kernel that grades it. What they get here calls ``check``,
so that honest work has the points that ``grade`` gives; against dishonest work neither they nor this adapter
protect. Gradescope runs ``grade`` itself.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.authoring.layers import find_exercises
from autograder.authoring.spec import SpecificationError
from autograder.delivery.build import problems
from autograder.delivery.gradescope import gradescope_files
from autograder.delivery.kits import GIVEN, checking_package, dependencies, pins
from autograder.files import Files, read_files
from autograder.judging.exam import PUBLIC_SEED, Exam
from autograder.judging.fixtures import exam_text
from autograder.worker.session import Session

CHECK_CELL = re.compile(r"""check\(["']([\d.]+)["']\)""")
OTTER_TEST = '''\
"""Question {id}: a test case for each part, all from one call of check."""

from functools import cache

from otter.test_files import test_case

OK_FORMAT = False

name = {id!r}
points = None


@cache
def graded():
    from autograder import check

    result = check(name)
    return result.feedback, {{part.name: (part.points, part.max_points) for part in result.parts}}


def earned(part):
    feedback, parts = graded()
    assert parts[part][0] == parts[part][1], feedback
'''
OTTER_CASE = """

@test_case(name={label!r}, points={points})
def part_{number}():
    earned({name!r})
"""
NBGRADER_CONFIG = """\
c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "transformers"
# An answer that does not end is stopped by check after 10 seconds per part; other cells may take minutes.
c.Execute.timeout = 300
"""


def _given(folder: Path) -> Files:
    """What a student works with: the notebook and its public fixtures, and the package beside them."""
    own = read_files(folder, [*GIVEN, "data/**/*"])
    return own | checking_package(folder.parent)


def _otter_test(question: Any) -> str:
    text = OTTER_TEST.format(id=question.id)
    for number, part in enumerate(question.parts, 1):
        label = f"{question.id} {part.name}: {part.description}"
        text += OTTER_CASE.format(label=label, points=part.points, number=number, name=part.name)
    return text


def otter_files(folder: Path, exam: Exam) -> Files:
    """A folder in which ``otter generate`` and ``otter run`` work."""
    given = _given(folder)
    files = {f"student/{name}": content for name, content in given.items()}
    files |= {name: content for name, content in given.items() if name != "exercise.ipynb"}
    files["student/exercise.ipynb"] = _notebook(folder, _not_in_otter)
    files["fixtures.json"] = exam_text(exam).encode()
    for question in exam.questions.values():
        files[f"tests/{question.id}.py"] = _otter_test(question).encode()
    names = dependencies(folder.parent / "autograder" / "pyproject.toml")
    files["requirements.txt"] = "\n".join([*pins(folder.parent, names), ""]).encode()
    return files


def _notebook(folder: Path, check_cell: Callable[[dict[str, Any], str], None]) -> bytes:
    """exercise.ipynb without outputs, the check of each question changed for a host."""
    notebook = json.loads((folder / "exercise.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
            if checks := CHECK_CELL.fullmatch("".join(cell["source"]).strip()):
                check_cell(cell, checks[1])
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _not_in_otter(cell: dict[str, Any], question: str) -> None:
    cell["metadata"]["tags"] = ["otter_ignore"]


def _nbgrader_notebook(folder: Path, exam: Exam) -> bytes:
    def graded(cell: dict[str, Any], question: str) -> None:
        kind = {"grade": True, "solution": False, "locked": True, "task": False, "schema_version": 3}
        about = {"grade_id": f"check-{question.replace('.', '-')}", "points": exam.questions[question].points}
        cell["metadata"]["nbgrader"] = {**kind, **about}
        cell["source"] = ["from autograder import check\n", "\n", f'check("{question}").points']

    return _notebook(folder, graded)


def nbgrader_files(folder: Path, exam: Exam) -> Files:
    """An nbgrader course folder with the exercise in source form."""
    source = f"source/{exam.exercise}"
    files = {f"{source}/{name}": content for name, content in _given(folder).items()}
    files[f"{source}/exercise.ipynb"] = _nbgrader_notebook(folder, exam)
    files["nbgrader_config.py"] = NBGRADER_CONFIG.encode()
    if exam.seed != PUBLIC_SEED:
        files[f"private/{exam.exercise}/fixtures.json"] = exam_text(exam).encode()
    return files


HOSTS: dict[str, Callable[[Path, Exam], Files]] = {
    "otter": otter_files,
    "nbgrader": nbgrader_files,
    "gradescope": gradescope_files,
}


def write_export(host: str, folder: Path, output: Path, seed: int, session: Session) -> None:
    """Write the whole adapter into a new folder, or nothing."""
    if folder not in find_exercises(folder):
        raise SpecificationError(
            f"{folder}: is not an exercise folder; it should hold exercise.md and a folder for each question"
        )
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise SpecificationError(f"{output}: already exists; name a new or an empty folder")
    for problem in problems(folder, session):
        raise SpecificationError(f"{problem}; run: python -m autograder build {folder}")
    folder = folder.resolve()
    exam = Exam.at_seed(folder, seed, session)
    guide = (folder.parent / "kits" / f"{host}.md").read_text(encoding="utf-8")
    guide = guide.replace("{exercise}", exam.exercise).replace("{seed}", str(seed))
    files = {**HOSTS[host](folder, exam), "README.md": guide.encode()}
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}-") as unfinished:
        for name, content in files.items():
            path = Path(unfinished, "made", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if output.exists():
            output.rmdir()
        shutil.move(Path(unfinished, "made"), output)


def _run(arguments: argparse.Namespace, session: Session) -> int:
    write_export(arguments.host, arguments.exercise, arguments.output, arguments.seed, session)
    print(f"{arguments.output}: written; begin with {arguments.output / 'README.md'}")
    if arguments.seed == PUBLIC_SEED:
        told = f"the inputs are the public ones (seed {PUBLIC_SEED}), which students have: give --seed"
        print(told, file=sys.stderr)
    return 0


def add_command(command: Callable[..., argparse.ArgumentParser], seed: Callable[[str], int]) -> None:
    """Add ``export`` to the command line; ``seed`` reads the number of a seed."""
    made = command("export", _run, "write an exercise in the form that another grader takes")
    made.add_argument("host", choices=HOSTS, help="the grader")
    made.add_argument("exercise", type=Path, help="the exercise's folder")
    made.add_argument("-o", "--output", type=Path, required=True, help="a new folder for what is written")
    made.add_argument(
        "--seed",
        type=seed,
        default=PUBLIC_SEED,
        help="seed of the inputs that grade (default: the public one)",
    )
