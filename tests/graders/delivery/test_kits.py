"""The kits: what is in them and what is not, and that they work where nothing else of the course is."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.folders import load_questions, question_folders
from autograder.authoring.layers import Layers, find_exercises
from autograder.authoring.spec import SpecificationError
from autograder.delivery.build import leaks, secret_lines
from autograder.delivery.kits import checking_modules, instructor_kit, student_kit, write_kits
from autograder.files import zip_bytes
from autograder.worker.session import Session
from grader_cases import ROOT, SAMPLE, bank_answer
from grader_kernels import answered, executed, right_answers, shown, without_other_cells

pytestmark = pytest.mark.slow

EXERCISES = ROOT / "exercises"
FOLDERS = find_exercises(EXERCISES)
CHAPTER = EXERCISES / "06_self_attention"
AUTOGRADER = EXERCISES / "autograder"
STUDENT_FILES = re.compile(
    r"START\.md|requirements\.txt|constraints\.txt"
    r"|exercises/\d\d_\w+/(exercise\.ipynb|fixtures\.json)"
    r"|packages/autograder/(pyproject\.toml|autograder/((authoring|judging|judging/relations|worker)/)?\w+\.py)"
    r"|packages/transformer-lib/(pyproject\.toml|LICENSE|README\.md|transformer_lib/([\w/]+\.py|py\.typed))"
)


@pytest.fixture(scope="module")
def student() -> dict[str, bytes]:
    return student_kit(EXERCISES, FOLDERS)


@pytest.fixture(scope="module")
def instructor() -> dict[str, bytes]:
    return instructor_kit(EXERCISES, FOLDERS)


def unzipped(files: dict[str, bytes], folder: Path) -> Path:
    archive = folder / "kit.zip"
    archive.write_bytes(zip_bytes(files, "kit"))
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder / "kit"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The exercises of a course that has only the sample."""
    root = tmp_path / "course" / "exercises"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for source, name in [(SAMPLE, SAMPLE.name), (AUTOGRADER, "autograder"), (EXERCISES / "kits", "kits")]:
        shutil.copytree(source, root / name, ignore=ignored)
    for name in ("requirements.txt", "constraints.txt"):
        shutil.copy(ROOT / name, root.parent)
    shutil.copy(EXERCISES / "README.md", root)
    return root


def test_the_students_kit_holds_what_is_listed_for_every_exercise_and_nothing_else(student) -> None:
    assert [name for name in student if not STUDENT_FILES.fullmatch(name)] == []
    for folder in FOLDERS:
        assert f"exercises/{folder.name}/exercise.ipynb" in student
        assert f"exercises/{folder.name}/fixtures.json" in student
    prefix = "packages/autograder/autograder/"
    package = {name.removeprefix(prefix) for name in student if name.startswith(prefix)}
    assert {
        "judging/checking.py",
        "worker/__main__.py",
        "judging/evaluate.py",
        "authoring/__init__.py",
    } <= package
    assert not package & {"__main__.py", "files.py", "judging/grade.py"}


def test_the_students_kit_shows_no_line_of_a_solution_or_of_a_bank(student, tmp_path: Path) -> None:
    kit = unzipped(student, tmp_path)
    secret = set().union(*map(secret_lines, map(Layers, FOLDERS)))
    for name in ("START.md", "requirements.txt"):
        assert not {line.strip() for line in (kit / name).read_text(encoding="utf-8").split("\n")} & secret
    for folder in FOLDERS:
        copy = kit / "exercises" / folder.name
        shutil.copy(folder / "exercise.md", copy)
        for path in question_folders(folder).values():
            shutil.copytree(path, copy / path.name, ignore=shutil.ignore_patterns("spec.py", "__pycache__"))
        assert leaks(Layers(copy)) == []
        shutil.copy(folder / "solution.ipynb", copy / "exercise.ipynb")
        assert leaks(Layers(copy)) != []


def test_files_that_lie_in_an_exercises_folder_do_not_get_into_a_kit(course: Path) -> None:
    for name in ("homework.ipynb", "grades.csv", "q1_attention/notes.txt"):
        (course / SAMPLE.name / name).write_text("private")
    for kit in (student_kit, instructor_kit):
        assert b"private" not in kit(course, find_exercises(course)).values()


def test_a_kit_is_the_same_bytes_whenever_and_wherever_it_is_made(course: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "exercises"
    shutil.copytree(course.parent, elsewhere.parent, copy_function=shutil.copyfile)
    for path in elsewhere.rglob("*"):
        os.utime(path, (10**9, 10**9))
    for kit in (student_kit, instructor_kit):
        one, other = (kit(root, find_exercises(root)) for root in (course, elsewhere))
        assert zip_bytes(one) == zip_bytes(dict(reversed(other.items())))
    other["START.md"] += b" "
    assert zip_bytes(one) != zip_bytes(other)


def test_every_package_that_an_exercise_imports_is_pinned_in_the_students_requirements(student) -> None:
    requirements = student["requirements.txt"].decode()
    given = {*sys.stdlib_module_names, "autograder", "transformer_lib"}
    for name, content in student.items():
        if name.endswith("exercise.ipynb"):
            cells = [c for c in json.loads(content)["cells"] if c["cell_type"] == "code"]
            text = "\n".join("".join(cell["source"]) for cell in cells)
            for package in set(re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)) - given:
                assert re.search(rf"^{package}==", requirements, re.MULTILINE), f"{name}: {package}"
    assert "./packages/transformer-lib[data]" in requirements and "scikit-learn==" in requirements
    assert "pytest" not in requirements


@pytest.fixture(scope="module")
def installed(student, tmp_path_factory) -> Path:
    """The unzipped kit with an environment: its two packages, and what of the course's is from elsewhere."""
    kit = unzipped(student, tmp_path_factory.mktemp("student"))
    python = kit / ".venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", kit / ".venv"], check=True)
    paths = sysconfig.get_paths(vars={"base": str(kit / ".venv"), "platbase": str(kit / ".venv")})
    # a line of a .pth file adds a folder, but not what that folder's own .pth files, the repository's, add
    Path(paths["purelib"], "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    packages = [kit / "packages" / name for name in ("autograder", "transformer-lib")]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--force-reinstall", *options]
    subprocess.run([*command, *packages], check=True)
    shutil.rmtree(kit / "packages")
    return kit


@pytest.mark.skipif(sys.platform == "win32", reason="the environment's folders have other names there")
def test_in_an_empty_folder_the_kit_checks_answers_and_names_a_mistake(installed: Path) -> None:
    exercise = installed / "exercises" / CHAPTER.name
    mistake = bank_answer(CHAPTER, "wrong", "06.1", "no_scale")
    answers = {"06.1": f"# question 06.1\n{mistake.source}", "06.3": right_answers(CHAPTER)["06.3"]}
    where = "import autograder, transformer_lib\nprint(autograder.__file__, transformer_lib.__file__)"
    notebook = exercise / "homework.ipynb"
    given = without_other_cells((exercise / "exercise.ipynb").read_bytes(), {*answers, "06.5"})
    notebook.write_text(answered(given, answers, [where]))
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    python = str(installed / ".venv" / "bin" / "python")
    cells = executed(notebook, python, {**environment, "OMP_NUM_THREADS": "1"})
    said = {"".join(cell["source"]).strip(): shown(cell) for cell in cells}
    assert f"This equals {mistake.explanation}." in said['check("06.1")']
    assert "5 of 5 points" in said['check("06.3")']
    assert "not answered yet" in said['check("06.5")']
    assert [str(installed) in path for path in said[where].split()] == [True, True]
    assert str(ROOT) not in said[where]


def test_the_instructors_kit_grades_proves_and_makes_the_same_kits(
    student, instructor, tmp_path: Path
) -> None:
    kit = unzipped(instructor, tmp_path)
    assert student_kit(kit / "exercises", find_exercises(kit / "exercises")) == student
    assert instructor_kit(kit / "exercises", find_exercises(kit / "exercises")) == instructor
    environment = {**os.environ, "PYTHONPATH": str(kit / "exercises" / "autograder")}
    exercise = f"exercises/{CHAPTER.name}"
    words = ["grade", exercise, f"{exercise}/solution.ipynb", "--seed", "31", "--no-sandbox"]
    run = subprocess.run(
        [sys.executable, "-m", "autograder", *words], cwd=kit, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    points = sum(question.points for question in load_questions(CHAPTER))
    assert re.search(rf"^total +{points} +{points} +ok$", run.stdout, re.MULTILINE)


def test_both_kits_are_written_with_a_table_of_the_exercises(course: Path, tmp_path: Path, capsys) -> None:
    output = tmp_path / "made" / "kits"
    assert main(["kit", str(course), "-o", str(output)]) == 0
    assert sorted(path.name for path in output.iterdir()) == ["instructor.zip", "student.zip"]
    with zipfile.ZipFile(output / "student.zip") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        start = archive.read("transformers-student/START.md").decode()
    assert "| `01_sample` | 4 | 8 |" in start and "{" not in start
    assert "student.zip: written" in capsys.readouterr().out


@pytest.mark.parametrize(
    "spoil, told",
    [
        (lambda folder: (folder / "fixtures.json").unlink(), "fixtures.json is missing"),
        (
            lambda folder: shutil.copy(folder / "solution.ipynb", folder / "exercise.ipynb"),
            "exercise.ipynb is stale",
        ),
    ],
)
def test_what_is_stale_or_leaks_is_not_packed(
    course: Path, session: Session, tmp_path: Path, spoil, told
) -> None:
    spoil(course / SAMPLE.name)
    with pytest.raises(SpecificationError, match=told):
        write_kits(course, tmp_path / "kits", session)
    assert not (tmp_path / "kits").exists()


def test_a_folder_that_is_no_course_is_one_line_and_exit_code_2(tmp_path: Path, capsys) -> None:
    assert main(["kit", str(tmp_path), "-o", str(tmp_path / "kits")]) == 2
    captured = capsys.readouterr()
    assert "is not a folder of exercises" in captured.err and captured.err.count("\n") == 1
    assert not (tmp_path / "kits").exists()


def test_the_checking_package_is_closed_under_imports() -> None:
    package = AUTOGRADER / "autograder"
    names = set(checking_modules(package))
    assert {"__init__.py", *(f"{room}/__init__.py" for room in ("authoring", "judging", "worker"))} <= names
    for name in names:
        text = (package / name).read_text(encoding="utf-8")
        for found in re.findall(r"^\s*(?:from|import) autograder\.([\w.]+)", text, re.MULTILINE):
            path = found.replace(".", "/")
            assert names & {f"{path}.py", f"{path}/__init__.py"}, f"{name} imports {found}"
