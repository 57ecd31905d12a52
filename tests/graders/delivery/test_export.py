"""Exports: what other graders make of them, played here by their rules; tests/soak runs the real ones."""

import ast
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.delivery.build import secret_lines
from autograder.delivery.export import write_export
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker.session import Session
from grader_cases import ROOT, SAMPLE
from grader_kernels import answered, executed, samples, shown

pytestmark = pytest.mark.slow

SEED = 31
OTTER_RULES = """
import sys, types

class test_case:
    def __init__(self, name, points):
        self.name, self.points = name, points
    def __call__(self, function):
        self.function = function
        return self

sys.modules["otter"] = types.ModuleType("otter")
sys.modules["otter.test_files"] = types.SimpleNamespace(test_case=test_case)
total, most = 0, 0
for case in [v for v in run_path(PATH).values() if isinstance(v, test_case)]:
    most += case.points
    try:
        case.function()
        total += case.points
    except Exception as error:
        assert str(error), "a lost part says why"
print("OTTER", total, most)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("course") / "exercises"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    exercises = ROOT / "exercises"
    for source in (SAMPLE, exercises / "autograder", exercises / "kits"):
        shutil.copytree(source, root / source.name, ignore=ignored)
    shutil.copy(ROOT / "requirements.txt", root.parent)
    return root


@pytest.fixture(scope="module")
def exported(course: Path, session: Session) -> dict[str, Path]:
    made = {host: course.parent / host for host in ("otter", "nbgrader", "gradescope")}
    for host, output in made.items():
        write_export(host, course / SAMPLE.name, output, SEED, session)
    return made


@pytest.fixture(scope="module")
def expected(session: Session, tmp_path_factory) -> dict[str, dict[str, int]]:
    """What ``grade`` gives each sample."""
    exam = Exam.at_seed(SAMPLE, SEED, session)
    path = tmp_path_factory.mktemp("samples") / "homework.ipynb"
    points = {}
    for name, answers in samples(SAMPLE).items():
        path.write_text(answered((SAMPLE / "exercise.ipynb").read_bytes(), answers))
        points[name] = {r.question: r.points for r in grade(exam, path, session).questions}
    right, wrong, half, empty = (sum(of.values()) for of in points.values())
    assert (right, empty) == (8, 0) and empty < wrong < half < right
    return points


def nbgrader_points(cell: dict[str, Any]) -> float:
    """nbgrader's rule: nothing for an error, else the number that the cell gives, else all."""
    most = cell["metadata"]["nbgrader"]["points"]
    for output in cell["outputs"]:
        if output["output_type"] == "error" or output.get("name") == "stderr":
            return 0.0
        if output["output_type"] == "execute_result":
            return float("".join(output["data"]["text/plain"]))
    return most


@pytest.mark.parametrize("sample", ["half", "empty"])
def test_nbgrader_finds_the_points_of_grade_in_its_locked_cells(
    exported, expected, tmp_path: Path, sample: str
) -> None:
    exercise = exported["nbgrader"] / "source" / SAMPLE.name
    place = Path(shutil.copytree(exercise, tmp_path / "autograded"))
    shutil.copy(exported["nbgrader"] / "private" / SAMPLE.name / "fixtures.json", place)
    notebook = place / "exercise.ipynb"
    notebook.write_text(answered(notebook.read_bytes(), samples(SAMPLE)[sample]))
    locked = [cell for cell in executed(notebook) if "nbgrader" in cell["metadata"]]
    found = {cell["metadata"]["nbgrader"]["grade_id"]: nbgrader_points(cell) for cell in locked}
    wanted = {f"check-{q.replace('.', '-')}": points for q, points in expected[sample].items()}
    assert found == wanted
    assert all(output["output_type"] != "error" for cell in locked for output in cell["outputs"])


def test_the_notebook_for_nbgrader_locks_one_cell_a_question_and_its_points_are_the_questions(
    exported,
) -> None:
    path = exported["nbgrader"] / "source" / SAMPLE.name / "exercise.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    about = [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]
    assert [kind["points"] for kind in about] == [3, 1, 2, 2]
    assert len({kind["grade_id"] for kind in about}) == 4
    assert all((kind["grade"], kind["locked"], kind["solution"]) == (True, True, False) for kind in about)


@pytest.mark.parametrize("sample", ["half", "empty"])
def test_otters_test_cases_pass_for_the_parts_that_grade_gives_points_for(
    exported, expected, tmp_path: Path, sample: str
) -> None:
    place = Path(shutil.copytree(exported["otter"], tmp_path / "submission"))
    notebook = place / "homework.ipynb"
    cells = ["from runpy import run_path"]
    cells += [OTTER_RULES.replace("PATH", repr(f"tests/{q}.py")) for q in expected[sample]]
    given = (place / "student" / "exercise.ipynb").read_bytes()
    notebook.write_text(answered(given, samples(SAMPLE)[sample], cells))
    told = [shown(cell).split("OTTER ")[1].split() for cell in executed(notebook)[-len(cells) + 1 :]]
    assert [int(points) for points, _ in told] == list(expected[sample].values())
    assert [int(most) for _, most in told] == [3, 1, 2, 2]


def test_otter_leaves_the_students_own_checks_out(exported) -> None:
    path = exported["otter"] / "student" / "exercise.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    ignored = ["".join(c["source"]) for c in cells if "otter_ignore" in c["metadata"].get("tags", ())]
    assert ignored == ['check("01.1")', 'check("01.2")', 'check("01.3")', 'check("01.4")']


def test_students_get_public_inputs_and_the_graders_those_of_the_seed(exported) -> None:
    def seed(path: Path) -> int:
        return json.loads(path.read_text(encoding="utf-8"))["seed"]

    otter, nbgrader = exported["otter"], exported["nbgrader"]
    assert (seed(otter / "student/fixtures.json"), seed(otter / "fixtures.json")) == (0, SEED)
    assert seed(nbgrader / "source" / SAMPLE.name / "fixtures.json") == 0
    assert seed(nbgrader / "private" / SAMPLE.name / "fixtures.json") == SEED


def test_no_export_but_gradescopes_zip_holds_a_line_of_a_solution_or_of_the_bank(exported) -> None:
    secret = secret_lines(Layers(SAMPLE))
    for host in ("otter", "nbgrader"):
        for path in exported[host].rglob("*"):
            if path.is_file() and "autograder" not in path.parts:
                assert not {line.strip() for line in path.read_text(encoding="utf-8").split("\n")} & secret, (
                    path
                )
    assert [path.name for path in sorted(exported["gradescope"].iterdir())] == ["README.md", "autograder.zip"]


def gradescope(upload: Path, base: Path, submitted: dict[str, str]) -> dict[str, Any]:
    """The results.json of one submission, in a folder that is laid out as Gradescope's container is."""
    with zipfile.ZipFile(upload) as archive:
        archive.extractall(base / "source")
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
    assert (modes["run_autograder"], modes["setup.sh"], modes["requirements.txt"]) == (0o755, 0o755, 0o644)
    (base / "submission").mkdir()
    for name, text in submitted.items():
        (base / "submission" / name).write_text(text)
    environment = {"AUTOGRADER_BASE": str(base), "AUTOGRADER_PYTHON": sys.executable}
    environment["PYTHONPATH"] = str(base / "source" / "package")
    run = subprocess.run(
        ["bash", str(base / "source" / "run_autograder")],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads((base / "results" / "results.json").read_text(encoding="utf-8"))


def test_gradescope_gets_the_points_of_grade(exported, expected, tmp_path: Path) -> None:
    given = (SAMPLE / "exercise.ipynb").read_bytes()
    handed_in = {"my homework.ipynb": answered(given, samples(SAMPLE)["half"]), "notes.txt": "thanks"}
    results = gradescope(exported["gradescope"] / "autograder.zip", tmp_path, handed_in)
    assert [test["score"] for test in results["tests"]] == list(expected["half"].values())
    assert (results["score"], results["extra_data"]["seed"]) == (sum(expected["half"].values()), SEED)
    assert results["extra_data"]["sandbox"] in ("bubblewrap", "none")


@pytest.mark.parametrize("submitted", [{}, {"exercise.ipynb": "no notebook"}])
def test_whatever_is_handed_in_gradescope_gets_results_that_say_why_there_are_none(
    exported, tmp_path: Path, submitted: dict[str, str]
) -> None:
    results = gradescope(exported["gradescope"] / "autograder.zip", tmp_path, submitted)
    assert results["score"] == 0 and len(results["output"]) > 20


def test_the_scripts_for_gradescope_are_scripts(exported, tmp_path: Path) -> None:
    with zipfile.ZipFile(exported["gradescope"] / "autograder.zip") as archive:
        for name in ("setup.sh", "run_autograder"):
            check = subprocess.run(["bash", "-n"], input=archive.read(name), capture_output=True)
            assert check.returncode == 0, check.stderr
    for path in (exported["otter"] / "tests").iterdir():
        ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "words, told",
    [
        (["otter", "nowhere", "-o", "x"], "nowhere: is not an exercise folder"),
        (["nbgrader", str(SAMPLE), "-o", str(SAMPLE)], "already exists"),
        (["gradescope", str(SAMPLE), "-o", str(SAMPLE / "exercise.md")], "already exists"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], told: str, capsys) -> None:
    before = sorted(SAMPLE.rglob("*"))
    assert main(["export", *words]) == 2
    captured = capsys.readouterr()
    assert told in captured.err and captured.err.count("\n") == 1
    assert sorted(SAMPLE.rglob("*")) == before and not Path("x").exists()


def test_an_export_of_the_public_inputs_says_so(course: Path, tmp_path: Path, capsys) -> None:
    for seed, said in (([], 1), (["--seed", str(SEED)], 0)):
        output = tmp_path / f"made{said}"
        assert main(["export", "otter", str(course / SAMPLE.name), "-o", str(output), *seed]) == 0
        captured = capsys.readouterr()
        assert captured.err.count("the inputs are the public ones (seed 0), which students have") == said
        assert f"{output}: written" in captured.out


def test_a_failed_export_leaves_nothing_behind(
    course: Path, session: Session, tmp_path: Path, monkeypatch
) -> None:
    def fail(*paths: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("autograder.delivery.export.shutil.move", fail)
    with pytest.raises(OSError, match="no space"):
        write_export("otter", course / SAMPLE.name, tmp_path / "made", SEED, session)
    assert list(tmp_path.iterdir()) == []
