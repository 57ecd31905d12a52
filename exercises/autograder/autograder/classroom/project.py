"""``python -m autograder project``: the course's project, graded by a rubric, with a leaderboard.

Each submission is a folder. Its checkpoint is read as data and computed by the grader; only
``my_transformer.py`` is run, in the sandbox, against the graders of its pieces.
"""

import argparse
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.classroom.checkpoint import Checkpoint, CheckpointError, encode
from autograder.classroom.csv_files import TableError, csv_text
from autograder.delivery.assemble import MAIN, PIECES, Folder
from autograder.files import write_text
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import PUBLIC_SEED, Exam
from autograder.judging.grade import text_table
from autograder.worker.launcher import Launcher, PlainLauncher
from autograder.worker.preflight import sandbox_problem
from autograder.worker.sandbox import BubblewrapLauncher
from autograder.worker.session import Session

BITS, CODE, REPORT = 40, 40, 20
MODEL, CODE_FILE, REPORT_FILE = "model.safetensors", "my_transformer.py", "report.json"
MOST_CODE, MOST_REPORT = 190_000, 100_000
QUESTIONS = ("parameters", "operations", "bytes_per_token", "bits_per_byte", "prediction")
OURS = r"^# ---- (\d\d\.\d+) .*\(ours, because "
"""What ``assemble`` writes above a piece that it has taken from the course."""


@dataclass(frozen=True)
class Rubric:
    """What a project is measured by: no points at ``baseline`` bits per byte, all at ``goal``."""

    held_out: str
    public: str
    goal: float
    baseline: float
    most_bytes: int

    def points_for(self, bits: float) -> float:
        """Points for bits per byte on the held-out text, in a line from the baseline to the goal."""
        share = (self.baseline - bits) / (self.baseline - self.goal)
        return BITS * min(1.0, max(0.0, share))


@dataclass
class ProjectGrade:
    """What a submission has won, and what is said of it."""

    student: str
    points: dict[str, float] = field(default_factory=lambda: {"bits": 0.0, "code": 0.0, "report": 0.0})
    said: list[str] = field(default_factory=list)
    bits_per_byte: float | None = None
    size: int | None = None
    parameters: int | None = None
    missed_by: float | None = None

    @property
    def total(self) -> float:
        """All points, to two digits."""
        return round(sum(self.points.values()), 2)

    def to_json(self) -> dict[str, Any]:
        """The fields, and the total."""
        return {**vars(self), "total": self.total, "max": BITS + CODE + REPORT}


def grade_project(folder: Path, rubric: Rubric, exams: Mapping[str, Exam], session: Session) -> ProjectGrade:
    """Grade one folder. Whatever is wrong with a part costs that part alone."""
    grade = ProjectGrade(folder.name)
    checkpoint = None
    try:
        checkpoint = Checkpoint.read(folder, rubric.most_bytes)
    except CheckpointError as error:
        grade.said.append(f"bits: {error}")
    measured = math.nan
    if checkpoint is not None:
        measured = checkpoint.bits_per_byte(rubric.public)
        bits = checkpoint.bits_per_byte(rubric.held_out)
        grade.size, grade.parameters = checkpoint.size, checkpoint.parameters
        if math.isfinite(bits):
            grade.bits_per_byte = bits
            grade.points["bits"] = rubric.points_for(bits)
            grade.said.append(f"bits: {bits:.4f} per byte of the held-out text")
        else:
            grade.said.append("bits: the model's scores for the held-out text are not finite")
    _grade_code(folder, exams, session, grade)
    _grade_report(folder, checkpoint, measured, rubric, grade)
    return grade


def _grade_code(folder: Path, exams: Mapping[str, Exam], session: Session, grade: ProjectGrade) -> None:
    text = _read(folder / CODE_FILE, MOST_CODE)
    if text is None:
        grade.said.append(f"code: there is no {CODE_FILE} of at most {MOST_CODE:,} bytes of UTF-8")
        return
    won, ours = 0, set(re.findall(OURS, text, re.MULTILINE))
    with session.submission():
        for question, exam in exams.items():
            if question in ours:
                grade.said.append(f"code: {question} ({', '.join(PIECES[question])}) is the course's own")
                continue
            answers = {q: "pass" for q in exam.questions} | {question: text.partition(MAIN)[0]}
            result = evaluate(exam, question, "import math", answers, session, advise=False)
            won += result.points == result.max_points
            if result.points < result.max_points:
                points = f"{result.points} of {result.max_points} points"
                grade.said.append(f"code: {question} ({', '.join(PIECES[question])}) has {points}")
    grade.points["code"] = CODE * won / len(exams)
    grade.said.append(f"code: {won} of {len(exams)} pieces are the student's own and pass")


def _grade_report(
    folder: Path, checkpoint: Checkpoint | None, measured: float, rubric: Rubric, grade: ProjectGrade
) -> None:
    text = _read(folder / REPORT_FILE, MOST_REPORT)
    try:
        report = json.loads(text or "")
    except (ValueError, RecursionError):
        report = None
    if not isinstance(report, dict):
        grade.said.append(f"report: there is no {REPORT_FILE} with answers by name")
        return
    if checkpoint is None:
        grade.said.append("report: its numbers are those of the checkpoint, which cannot be read")
        return
    wrong = dict(wrong_answers(report, checkpoint, measured, rubric.public))
    grade.said += [f"report: {name}: {told}" for name, told in wrong.items()]
    grade.points["report"] = REPORT * (len(QUESTIONS) - len(wrong)) / len(QUESTIONS)
    if "prediction" not in wrong:
        grade.missed_by = measured - report["predicted"]


def wrong_answers(
    report: Mapping[str, Any], checkpoint: Checkpoint, measured: float, public: str
) -> Iterator[tuple[str, str]]:
    """Which of the five questions a report answers wrongly, and what is wrong; never the right number."""

    def given(name: str) -> float:
        value = report.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return math.nan
        try:
            return float(value)
        except OverflowError:
            return math.nan

    if given("parameters") != checkpoint.parameters:
        yield "parameters", f"is not how many numbers {MODEL} holds"
    tokens = given("tokens")
    if not (tokens >= 1 and _near(given("operations"), checkpoint.operations * tokens, 0.01)):
        yield "operations", "is not the chapter's count for this model and these tokens"
    per_token = len(public.encode()) / len(encode(public, checkpoint.merges))
    if not _near(given("bytes_per_token"), per_token, 0.001):
        yield "bytes_per_token", "is not that of these merges on the public text"
    if not _near(given("bits_per_byte"), measured, 0.01):
        yield "bits_per_byte", "is not that of this checkpoint on the public text"
    predicted, error = given("predicted"), given("error")
    if not (predicted > 0 and abs(error - (measured - predicted)) <= max(0.002, 0.01 * measured)):
        yield "prediction", "'error' should be the bits per byte measured, minus 'predicted'"


def _near(value: float, right: float, share: float) -> bool:
    return abs(value - right) <= share * abs(right)  # NaN is near nothing


def _read(path: Path, most: int) -> str | None:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > most:
            return None
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def leaderboard(grades: Sequence[ProjectGrade]) -> str:
    """The table of those whose checkpoint could be read, fewest bits first; equal bits share a place."""
    ranked = sorted(
        (g for g in grades if g.bits_per_byte is not None),
        key=lambda g: (round(g.bits_per_byte or 0.0, 4), g.size, g.student),
    )
    shown = [f"{g.bits_per_byte:.4f}" for g in ranked]
    rows: list[dict[str, object]] = [
        {
            "place": 1 + shown.index(bits),
            "student": g.student,
            "bits_per_byte": bits,
            "bytes": g.size,
            "parameters": g.parameters,
            "missed_by": "" if g.missed_by is None else round(g.missed_by, 4),
        }
        for g, bits in zip(ranked, shown, strict=True)
    ]
    return csv_text(rows, ["place", "student", "bits_per_byte", "bytes", "parameters", "missed_by"])


def project_exams(root: Path, seed: int, session: Session) -> dict[str, Exam]:
    """The exam of each piece's question; at the public seed it is the one that students have."""
    folders = {question: Folder.of(root, question) for question in PIECES}
    if seed == PUBLIC_SEED:
        return {question: folder.exam for question, folder in folders.items()}
    return {
        question: Exam.at_seed(folder.path, seed, session, question=question)
        for question, folder in folders.items()
    }


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: is no text in UTF-8") from None
    if not text:
        raise TableError(f"{path}: is empty")
    return text


def _launcher(no_sandbox: bool) -> Launcher:
    if no_sandbox:
        return PlainLauncher()
    launcher = BubblewrapLauncher()
    if (problem := sandbox_problem(launcher)) is not None:
        raise TableError(problem)
    return launcher


def run(arguments: argparse.Namespace, session: Session) -> int:
    """Grade every folder in the folder of submissions."""
    if not 0 < arguments.goal < arguments.baseline:
        raise TableError("--goal should be above 0 and below --baseline: fewer bits are better")
    if not arguments.submissions.is_dir():
        raise TableError(f"{arguments.submissions}: is no folder with a folder for each student")
    folders = sorted(
        path
        for path in arguments.submissions.iterdir()
        if path.is_dir() and not path.is_symlink() and not path.name.startswith((".", "__MACOSX"))
    )
    if not folders:
        raise TableError(f"{arguments.submissions}: holds no folder; unpack zips first")
    rubric = Rubric(
        _text(arguments.held_out),
        _text(arguments.public),
        arguments.goal,
        arguments.baseline,
        arguments.most_bytes,
    )
    exams = project_exams(arguments.exercises, arguments.seed, session)
    session.close()
    session.launcher = _launcher(arguments.no_sandbox)
    arguments.out.mkdir(parents=True, exist_ok=True)
    grades = []
    for folder in folders:
        grade = grade_project(folder, rubric, exams, session)
        session.close()  # nothing of one student's is there for the next
        grades.append(grade)
        text = json.dumps(grade.to_json(), indent=1, ensure_ascii=False)
        write_text(arguments.out / f"{folder.name}.json", text + "\n")
        print(f"{folder.name}: {grade.total:g} of {BITS + CODE + REPORT}", flush=True)
    columns = ["student", "bits", "code", "report", "total"]
    rows: list[dict[str, object]] = [
        {"student": g.student, **{n: round(p, 2) for n, p in g.points.items()}, "total": g.total}
        for g in grades
    ]
    write_text(arguments.out / "grades.csv", csv_text(rows, columns))
    write_text(arguments.out / "leaderboard.csv", leaderboard(grades))
    print(text_table([tuple(columns), *(tuple(str(row[name]) for name in columns) for row in rows)]))
    return 0


def add_command(command: Callable[..., argparse.ArgumentParser], seed: Callable[[str], int]) -> None:
    """Add ``project`` to the command line."""
    made = command("project", run, "grade the course's project: a folder of folders, one for each student")
    made.add_argument("exercises", type=Path, help="the folder of exercises")
    made.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="a folder for each student")
    made.add_argument("--held-out", type=Path, required=True, metavar="TEXT", help="text that nobody has")
    made.add_argument(
        "--public", type=Path, required=True, metavar="TEXT", help="text that students measure on"
    )
    made.add_argument("--goal", type=float, required=True, help="bits per byte that earn all points")
    made.add_argument("--baseline", type=float, required=True, help="bits per byte that earn none")
    made.add_argument(
        "--most-bytes", type=int, default=2_000_000, help="allowed size of model.safetensors (%(default)s)"
    )
    made.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="where grades go")
    made.add_argument("--seed", type=seed, default=PUBLIC_SEED, help="seed of the pieces' inputs")
    made.add_argument("--no-sandbox", action="store_true", help="run students' code without protection")
