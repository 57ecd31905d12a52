"""Otter and nbgrader themselves give the points that ``grade`` gives.

They are no part of the course's environment (they bring a notebook server, a database and extensions of
JupyterLab). Make one for them, then name it:

    python3 -m venv /tmp/hosts
    /tmp/hosts/bin/pip install otter-grader==7.0.0 nbgrader==0.9.6 torch==2.13.0 numpy==2.4.6
    GRADING_HOSTS=/tmp/hosts make soak
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from autograder.delivery.export import write_export
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker.session import Session
from grader_kernels import answered, samples

ROOT = Path(__file__).resolve().parents[2]

HOSTS = Path(os.environ.get("GRADING_HOSTS", sys.prefix)) / "bin"
EXERCISE = ROOT / "exercises" / "06_self_attention"
NAME = EXERCISE.name
SEED = 31
GRADEBOOK = """
import json
from nbgrader.api import Gradebook

with Gradebook("sqlite:///gradebook.db") as book:
    found = {}
    for submission in book.assignment_submissions("NAME"):
        grades = submission.notebooks[0].grades
        points = {grade.name[len("check-"):].replace("-", "."): grade.auto_score for grade in grades}
        found[submission.student.id] = points
print(json.dumps(found))
"""


def needs(program: str) -> pytest.MarkDecorator:
    found = (HOSTS / program).is_file()
    return pytest.mark.skipif(
        not found, reason=f"no {program} in {HOSTS}: this file's first lines say how to get it"
    )


def host(words: list[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = f"{HOSTS}{os.pathsep}{environment['PATH']}"
    run = subprocess.run(
        [str(HOSTS / words[0]), *words[1:]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[str, dict[str, int]]:
    path = tmp_path_factory.mktemp("samples") / "homework.ipynb"
    points = {}
    with Session() as session:
        exam = Exam.at_seed(EXERCISE, SEED, session)
        for name, answers in samples(EXERCISE).items():
            path.write_text(answered((EXERCISE / "exercise.ipynb").read_bytes(), answers))
            points[name] = {r.question: r.points for r in grade(exam, path, session).questions}
    right, wrong, half, empty = (sum(of.values()) for of in points.values())
    assert (right, empty) == (35, 0) and empty < wrong < half < right
    return points


def export(name: str, folder: Path) -> Path:
    with Session() as session:
        write_export(name, EXERCISE, folder, SEED, session)
    return folder


@needs("otter")
def test_otter_gives_every_sample_the_points_of_grade(expected, tmp_path: Path) -> None:
    folder = export("otter", tmp_path / "otter")
    host(["otter", "generate", "fixtures.json", "autograder"], folder)
    given = (folder / "student" / "exercise.ipynb").read_bytes()
    for sample, answers in samples(EXERCISE).items():
        (folder / f"{sample}.ipynb").write_text(answered(given, answers))
        output = folder / "graded" / sample
        output.mkdir(parents=True)
        host(["otter", "run", "-a", "autograder.zip", "-o", str(output), f"{sample}.ipynb"], folder)
        tests = json.loads((output / "results.json").read_text(encoding="utf-8"))["tests"]
        found = {test["name"]: test["score"] for test in tests if "score" in test}
        assert found == expected[sample], sample


@needs("nbgrader")
def test_nbgrader_gives_every_sample_the_points_of_grade(expected, tmp_path: Path) -> None:
    folder = export("nbgrader", tmp_path / "nbgrader")
    host(["nbgrader", "generate_assignment", NAME, "--create"], folder)
    shutil.copy(folder / "private" / NAME / "fixtures.json", folder / "source" / NAME)
    given = (folder / "release" / NAME / "exercise.ipynb").read_bytes()
    for sample, answers in samples(EXERCISE).items():
        place = folder / "submitted" / sample / NAME
        place.mkdir(parents=True)
        (place / "exercise.ipynb").write_text(answered(given, answers))
    host(["nbgrader", "autograde", NAME, "--create"], folder)
    assert json.loads(host(["python", "-c", GRADEBOOK.replace("NAME", NAME)], folder)) == expected
