"""Grading a class: nothing is lost, nothing is done twice, nobody costs another a grade."""

import csv
import dataclasses
import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.authoring.source import Source
from autograder.classroom.classroom import Classroom, Exercise
from autograder.classroom.command import Progress
from autograder.classroom.gradebook import Gradebook
from autograder.classroom.policy import Rules
from autograder.classroom.reports import written
from autograder.classroom.submissions import Class
from autograder.files import write_if_changed
from autograder.judging.exam import Exam
from autograder.judging.grade import Conditions, Grade, unrun_all
from autograder.worker.launcher import PlainLauncher
from autograder.worker.session import Session, WorkerFailed
from class_cases import answering, cells
from grader_cases import SAMPLE, bank_answer

GOOD, POOR = answering("01.1") + b" ", answering("01.1") + b"\n"


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@dataclasses.dataclass
class Grader:
    """Stands for ``grade``: full marks for 01.1 to what ends in a space; it notes what it was asked for."""

    worth: int = 3
    asked: list[str] = dataclasses.field(default_factory=list)
    sessions: list[Session] = dataclasses.field(default_factory=list)
    before: Callable[[str], None] = lambda name: None
    message: str = ""

    def __call__(self, exam: Exam, path: Path, session: Session, name: str) -> Grade:
        self.asked.append(name)
        self.sessions.append(session)
        self.before(name)
        if not path.is_file():
            return Grade(
                exam.exercise,
                name,
                "missing",
                unrun_all(exam.questions.values(), "missing"),
                "",
                "",
                Conditions.of(exam.seed, exam.version, session),
            )
        content = path.read_bytes()
        first, *others = unrun_all(exam.questions.values(), "ok")
        if content.endswith(b" "):
            parts = [dataclasses.replace(p, points=min(self.worth, p.max_points)) for p in first.parts]
            first = dataclasses.replace(first, parts=tuple(parts))
        conditions = Conditions.of(exam.seed, exam.version, session)
        digest = hashlib.sha256(content).hexdigest()
        return Grade(exam.exercise, name, "ok", (first, *others), self.message, digest, conditions)


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch, sample_exam: Exam) -> Grader:
    """No worker is started: references are those at the public seed, and grades come from the stand-in."""

    def at_seed(folder: Path, seed: int, session: Session, overlay: Path | None = None) -> Exam:
        return dataclasses.replace(sample_exam, seed=seed, version=Layers.of(folder, overlay).version())

    stand_in = Grader()
    monkeypatch.setattr("autograder.classroom.classroom.grade", stand_in)
    monkeypatch.setattr("autograder.classroom.statistics.as_plot", lambda found: b"a plot takes a second")
    monkeypatch.setattr("autograder.classroom.classroom.Exam.at_seed", at_seed)
    return stand_in


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    for name, content in {"ada": GOOD, "bob": POOR, "cy": GOOD, "eve": b"junk"}.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    return folder


@pytest.fixture
def run(submissions: Path, tmp_path: Path) -> Callable[..., int]:
    def graded(*words: str) -> int:
        fixed = ["grade", str(SAMPLE), str(submissions), "-o", str(tmp_path / "grades"), "--no-sandbox"]
        return main([*fixed, "-j", "1", *words])

    return graded


def test_a_class_becomes_a_folder_of_grades(grader: Grader, run, tmp_path: Path, capsys) -> None:
    assert run("-j", "3", "--seed", "7") == 0
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert list(rows) == ["ada", "bob", "cy", "eve"]
    assert [row["total"] for row in rows.values()] == ["3", "0", "3", "0"]
    assert [row["status"] for row in rows.values()] == ["ok", "ok", "ok", "unreadable"]
    assert "is not JSON" in rows["eve"]["notes"]
    assert sorted(grader.asked) == ["ada.ipynb", "bob.ipynb", "cy.ipynb"]
    assert len(set(map(id, grader.sessions))) == 3, "a session of its own for each submission"
    ada = json.loads((tmp_path / "grades/submissions/ada/01_sample.json").read_text(encoding="utf-8"))
    assert (ada["seed"], ada["sandbox"], ada["version"]) == (7, "none", Layers(SAMPLE).version())
    assert {"autograder", "limits", "software", "sha256", "submitted", "submitted_told_by"} <= ada.keys()
    for name in ("ada/01_sample.html", "eve/01_sample.html", "eve/01_sample.results.json"):
        assert (tmp_path / "grades" / "submissions" / name).is_file()
    for name in ("statistics.md", "statistics.json", "statistics.png"):
        assert (tmp_path / "grades" / name).is_file()
    out, err = capsys.readouterr()
    assert "3 ok, 1 unreadable" in out
    assert "[####################] 3/3 graded" in err


def test_a_second_run_grades_nothing_and_changes_no_byte(grader: Grader, run, tmp_path: Path) -> None:
    assert run() == 0
    before = contents(tmp_path / "grades")
    grader.asked.clear()
    assert run("-j", "2") == 0
    assert grader.asked == []
    assert contents(tmp_path / "grades") == before


def test_only_what_changed_is_graded_again(grader: Grader, run, submissions: Path, tmp_path: Path) -> None:
    run()
    grader.asked.clear()
    (submissions / "bob.ipynb").write_bytes(GOOD)
    (submissions / "dot.ipynb").write_bytes(POOR)
    run()
    assert sorted(grader.asked) == ["bob.ipynb", "dot.ipynb"]
    assert not (tmp_path / "grades" / "changes.csv").exists(), "a new notebook is no regrading"
    grader.asked.clear()
    run("--seed", "8")
    assert len(grader.asked) == 4


def test_a_failure_of_the_grader_is_told_and_costs_nobody_else(
    grader: Grader, run, tmp_path: Path, capsys
) -> None:
    def fail(name: str) -> None:
        if name == "bob.ipynb":
            raise OSError("disk on fire")

    grader.before = fail
    assert run("-j", "2") == 1
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert [rows[s]["total"] for s in ("ada", "bob", "cy")] == ["3", "", "3"]
    assert rows["bob"]["status"] == "ungraded"
    assert "the grader failed (OSError: disk on fire)" in rows["bob"]["notes"]
    assert "bob, 01_sample: the grader failed (OSError: disk on fire)" in capsys.readouterr().out
    assert "Traceback" in (tmp_path / "grades" / "errors.log").read_text(encoding="utf-8")
    grader.before = lambda name: None
    grader.asked.clear()
    assert run() == 0
    assert grader.asked == ["bob.ipynb"]
    assert not (tmp_path / "grades" / "errors.log").exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EIO])
def test_a_notebook_that_the_grader_cannot_read_is_ungraded_and_never_0_points(
    number: int, grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> bytes:
        if path.name == "bob.ipynb":
            raise OSError(number, os.strerror(number))
        return path.read_bytes()

    monkeypatch.setattr("autograder.classroom.submissions.notebook_bytes", fail)
    assert run() == 1
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert [rows[s]["status"] for s in ("ada", "bob", "cy")] == ["ok", "ungraded", "ok"]
    assert rows["bob"]["total"] == rows["bob"]["01.1"] == ""
    assert os.strerror(number) in rows["bob"]["notes"]
    assert os.strerror(number) in (tmp_path / "grades" / "errors.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("change", [lambda path: path.unlink(), lambda path: path.write_bytes(b"[]")])
def test_a_notebook_that_changes_meanwhile_is_ungraded(
    change, grader: Grader, run, submissions: Path
) -> None:
    def meanwhile(name: str) -> None:
        if name == "bob.ipynb":
            change(submissions / name)

    grader.before = meanwhile
    assert run() == 1
    (submissions / "bob.ipynb").write_bytes(POOR)
    grader.before = lambda name: None
    assert run() == 0


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.EACCES])
def test_files_that_cannot_be_written_cost_nobody_else(
    number: int, grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, content: str) -> None:
        if path.parent.name == "bob":
            raise OSError(number, os.strerror(number))
        write_if_changed(path, content)

    monkeypatch.setattr("autograder.classroom.classroom.write_if_changed", fail)
    assert run() == 1
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert [rows[s]["status"] for s in ("ada", "bob", "cy")] == ["ok", "ungraded", "ok"]


def test_a_full_disk_is_one_line_and_the_run_goes_on_from_there(
    grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    def fail(path: Path, content: str) -> None:
        if path.parent.name == "cy":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_if_changed(path, content)

    with monkeypatch.context() as patch:
        patch.setattr("autograder.classroom.classroom.write_if_changed", fail)
        assert run() == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "cannot be read or written: No space left on device; finished grades are kept" in told
    assert run() == 0
    assert grader.asked == ["ada.ipynb", "bob.ipynb", "cy.ipynb", "cy.ipynb"]
    assert [row["total"] for row in table(tmp_path / "grades" / "grades.csv")] == ["3", "0", "3", "0"]


def test_an_interruption_while_files_are_found_is_one_line_too(
    grader: Grader, run, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    def interrupt(path: Path) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.classroom.submissions.notebook_bytes", interrupt)
    assert run() == 130
    assert "give the same command again to continue" in capsys.readouterr().err


def test_no_room_for_temporary_files_is_one_line_too(
    grader: Grader, run, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    made = Path.mkdir

    def full(path: Path, *arguments: object, **settings: object) -> None:
        if path.name == ".temporary":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        made(path, *arguments, **settings)

    monkeypatch.setattr(Path, "mkdir", full)
    assert run() == 2
    assert ".temporary: cannot be read or written: No space left" in capsys.readouterr().err


def test_a_ruling_that_fails_for_one_student_costs_nobody_else(
    grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lateness = Rules.lateness

    def fail(rules: Rules, student: str, *more: object):
        if student == "bob":
            raise OverflowError("date value out of range")
        return lateness(rules, student, *more)

    monkeypatch.setattr(Rules, "lateness", fail)
    assert run() == 1
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert [rows[s]["status"] for s in ("ada", "bob", "cy")] == ["ok", "ungraded", "ok"]


def test_an_override_that_a_regrading_overtakes_is_warned_of(
    grader: Grader, run, tmp_path: Path, capsys
) -> None:
    grader.worth = 0
    (tmp_path / "overrides.csv").write_text(
        "student,exercise,question,points,reason\nada,01_sample,01.1,1,seen in the lab\n", encoding="utf-8"
    )
    assert run("--overrides", str(tmp_path / "overrides.csv")) == 0
    assert "warning" not in capsys.readouterr().out
    grader.worth = 3
    assert run("--overrides", str(tmp_path / "overrides.csv"), "--regrade") == 0
    told = "01.1: set by hand to 1, fewer than the 3 that the grader gives now"
    assert f"warning: ada, 01_sample, {told}" in capsys.readouterr().out
    rows = table(tmp_path / "grades" / "grades.csv")
    assert rows[0]["total"] == "1" and told in rows[0]["notes"]


def test_public_inputs_and_grades_that_are_lost_are_told(
    grader: Grader, run, submissions: Path, tmp_path: Path, capsys
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student\nada\nbob\ncy\neve\n", encoding="utf-8")
    assert run("--roster", str(roster)) == 0
    said = capsys.readouterr().err
    assert "the inputs are the public ones (seed 0), which students have: give --seed" in said
    assert "graded before" not in said
    (submissions / "ada.ipynb").unlink()
    assert run("--roster", str(roster), "--seed", "7") == 0
    said = capsys.readouterr().err
    assert "graded before, and missing from these submissions: ada (01_sample)\n" in said
    assert "public ones" not in said
    assert "seed" not in (tmp_path / "grades" / "submissions" / "cy" / "01_sample.html").read_text("utf-8")


def test_the_platform_is_said_or_chosen(
    grader: Grader, run, submissions: Path, tmp_path: Path, capsys
) -> None:
    for number, path in enumerate(sorted(submissions.iterdir())):
        path.rename(submissions / f"{path.stem}_{number}_7_hw.ipynb")
    assert run() == 0
    assert "4 of 4 names are Canvas's: all are read so" in capsys.readouterr().err
    assert table(tmp_path / "grades" / "grades.csv")[0]["student"] == "ada_0"
    assert run("--platform", "none") == 0
    assert "Canvas" not in capsys.readouterr().err
    assert table(tmp_path / "grades" / "grades.csv")[0]["student"] == "ada_0_7_hw"
    assert run("--platform", "none", "--platform", "moodle") == 2


def test_results_that_cannot_be_kept_cost_nobody_else(
    grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(assessment) -> dict[str, str]:
        if assessment.task.student.key == "bob" and assessment.is_known:
            raise TypeError("no such format")
        return written(assessment)

    monkeypatch.setattr("autograder.classroom.classroom.written", fail)
    assert run() == 1
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert [rows[s]["status"] for s in ("ada", "bob", "cy")] == ["ok", "ungraded", "ok"]
    assert "TypeError: no such format" in rows["bob"]["notes"]


def test_text_that_is_no_unicode_is_kept_in_records(
    grader: Grader, run, submissions: Path, tmp_path: Path
) -> None:
    (submissions / "ada.ipynb").write_bytes(GOOD)
    grader.message = "half a pair: \ud800"
    assert run() == 0
    record = json.loads((tmp_path / "grades/submissions/ada/01_sample.json").read_text(encoding="utf-8"))
    assert record["message"] == "half a pair: \ud800"


def test_a_worker_that_does_not_start_gets_a_second_chance(grader: Grader, run) -> None:
    def fail_once(name: str) -> None:
        if grader.asked.count(name) == 1:
            raise WorkerFailed("not now")

    grader.before = fail_once
    assert run() == 0
    assert len(grader.asked) == 6


def test_a_grader_mended_since_shows_whose_grade_changed(grader: Grader, run, tmp_path: Path, capsys) -> None:
    grader.worth = 1
    run()
    grader.worth = 3
    capsys.readouterr()
    run("--regrade")
    assert [
        (row["student"], row["question"], row["before"], row["after"])
        for row in table(tmp_path / "grades" / "changes.csv")
    ] == [
        ("ada", "01.1", "2", "3"),
        ("ada", "sum", "2", "3"),
        ("cy", "01.1", "2", "3"),
        ("cy", "sum", "2", "3"),
    ]
    assert "changed since the last grading" in capsys.readouterr().out
    before = contents(tmp_path / "grades")
    run()
    assert contents(tmp_path / "grades") == before


def test_a_new_version_or_seed_is_graded_again_and_named_as_the_cause(
    grader: Grader, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grader.worth = 1
    run()
    grader.worth, version = 3, Layers(SAMPLE).version()
    monkeypatch.setattr(Layers, "version", lambda layers: "mended")
    run("--seed", "3")
    because = {row["because"] for row in table(tmp_path / "grades" / "changes.csv")}
    assert because == {f"seed 0 -> 3, version {version} -> mended"}


def test_an_interrupted_regrading_goes_on_where_it_was(grader: Grader, run, capsys) -> None:
    run()
    grader.asked.clear()

    def interrupt(name: str) -> None:
        if name == "cy.ipynb":
            raise KeyboardInterrupt

    grader.before = interrupt
    assert run("--regrade") == 130
    assert "give the same command again to continue" in capsys.readouterr().err
    grader.before = lambda name: None
    assert run("--regrade") == 0
    assert grader.asked == ["ada.ipynb", "bob.ipynb", "cy.ipynb", "cy.ipynb"]
    assert run("--regrade") == 0
    assert len(grader.asked) == 7


def test_an_answer_cut_off_by_an_interruption_is_no_grade(
    grader: Grader, submissions: Path, tmp_path: Path
) -> None:
    exercise = Exercise.of(SAMPLE, None)
    (tmp_path / "spool").mkdir()
    tasks = Class(submissions, {exercise.name: frozenset(exercise.questions)}, tmp_path / "spool").tasks()
    begun = threading.Event()

    def wait_for_the_end(name: str) -> None:
        if name == "bob.ipynb":
            begun.set()
            assert room._stop.wait(60)

    def interrupt(done: int, total: int) -> None:
        if done == 1:
            assert begun.wait(60)
            raise KeyboardInterrupt

    grader.before = wait_for_the_end
    with Gradebook(tmp_path / "grades") as gradebook:
        room = Classroom({exercise.name: exercise}, 0, gradebook, Rules(), PlainLauncher())
        with pytest.raises(KeyboardInterrupt):
            room.run(tasks, 1, lambda text: None, interrupt)
        assert gradebook.load("ada", "01_sample").grade.points == 3
        assert gradebook.load("bob", "01_sample") is None


KILLED = """
import os, signal, sys
sys.path[:0] = {paths!r}
import test_classroom
from autograder.classroom import classroom
from autograder.judging.exam import Exam
from autograder.judging.fixtures import read_exam
from autograder.authoring.layers import Layers
import dataclasses
from pathlib import Path

exam = read_exam((Path({sample!r}) / "fixtures.json").read_text(encoding="utf-8"), "fixtures.json")
version = Layers(Path({sample!r})).version()
classroom.Exam.at_seed = lambda folder, seed, session, overlay: dataclasses.replace(exam, version=version)
grader = test_classroom.Grader()

def end(name):
    if name == "cy.ipynb":
        os.kill(os.getpid(), signal.SIGKILL)

grader.before = end
classroom.grade = grader
test_classroom.main({words!r})
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_run_loses_nothing_repeats_nothing_and_leaves_no_lock(
    grader: Grader, run, submissions: Path, tmp_path: Path
) -> None:
    words = [
        "grade",
        str(SAMPLE),
        str(submissions),
        "-o",
        str(tmp_path / "grades"),
        "--no-sandbox",
        "-j",
        "1",
    ]
    paths = [str(folder) for folder in Path(__file__).parents[:2]]
    script = KILLED.format(paths=paths, sample=str(SAMPLE), words=words)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert ended.returncode == -9, ended.stderr
    assert not (tmp_path / "grades" / "grades.csv").exists()
    assert run() == 0
    assert grader.asked == ["cy.ipynb"]
    assert [row["total"] for row in table(tmp_path / "grades" / "grades.csv")] == ["3", "0", "3", "0"]


def test_a_second_grader_is_refused_while_the_first_one_works(grader: Grader, run, tmp_path, capsys) -> None:
    with Gradebook(tmp_path / "grades"):
        assert run() == 2
    assert "another run is grading into it" in capsys.readouterr().err
    assert run() == 0


def test_half_a_record_is_graded_again(grader: Grader, run, tmp_path: Path) -> None:
    run()
    path = tmp_path / "grades/submissions/ada/01_sample.json"
    for spoiled in (path.read_text(encoding="utf-8")[:300], "[]", '{"status": "ok"}'):
        path.write_text(spoiled, encoding="utf-8")
        grader.asked.clear()
        assert run() == 0
        assert grader.asked == ["ada.ipynb"]
    (path.parent / "01_sample.json.tmp").write_text("left by a kill", encoding="utf-8")
    assert run() == 0
    assert list((tmp_path / "grades").rglob("*.tmp")) == []


def test_rulings_need_no_grading_and_survive_it(
    grader: Grader, run, submissions: Path, tmp_path: Path
) -> None:
    run()
    grader.asked.clear()
    for name in ("ada", "bob", "cy"):
        os.utime(submissions / f"{name}.ipynb", (1_800_000_000, 1_800_000_000))
    (tmp_path / "overrides.csv").write_text(
        "student,exercise,question,points,reason\nbob,01_sample,01.1,2,=seen in the lab\n", encoding="utf-8"
    )
    (tmp_path / "extensions.csv").write_text("student,days\ncy,3\n", encoding="utf-8")
    rulings = ["--deadline", "2027-01-15T07:00+00:00", "--late-policy", "10%/day"]
    rulings += ["--overrides", str(tmp_path / "overrides.csv")]
    rulings += ["--extensions", str(tmp_path / "extensions.csv")]

    def rows() -> list[tuple[str, ...]]:
        found = table(tmp_path / "grades" / "grades.csv")[:3]
        return [tuple(row[c] for c in ("student", "late", "late_by", "points", "total")) for row in found]

    ruled = [
        ("ada", "yes", "1 h", "3", "2.7"),
        ("bob", "yes", "1 h", "2", "1.8"),
        ("cy", "no", "", "3", "3"),
    ]
    assert run(*rulings) == 0
    assert grader.asked == []
    assert rows() == ruled
    assert run("--regrade", *rulings) == 0
    assert rows() == ruled
    page = (tmp_path / "grades/submissions/bob/01_sample.html").read_text(encoding="utf-8")
    assert "Set by your instructor (the grader gave 0): =seen in the lab" in page
    assert run() == 0
    assert [row[3:] for row in rows()] == [("3", "3"), ("0", "0"), ("3", "3")]


def test_who_handed_nothing_in_is_missing_and_can_be_given_points(
    grader: Grader, run, tmp_path: Path
) -> None:
    (tmp_path / "roster.csv").write_text("student,name\nada,Ada\nzoe,@Zoe\n", encoding="utf-8")
    (tmp_path / "overrides.csv").write_text(
        "student,exercise,question,points,reason\nzoe,01_sample,01.2,1,on paper\n", encoding="utf-8"
    )
    words = ["--roster", str(tmp_path / "roster.csv"), "--overrides", str(tmp_path / "overrides.csv")]
    assert run(*words) == 0
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert (rows["zoe"]["status"], rows["zoe"]["total"], rows["zoe"]["name"]) == ("missing", "1", "'@Zoe")
    assert rows["bob"]["notes"] == "bob is not in the roster"
    assert len(rows) == 5


@pytest.mark.parametrize(
    "words, told",
    [
        (["--deadline", "2026-10-05T23:59"], "it names no zone"),
        (["--late-policy", "10%/day"], "--late-policy needs a --deadline"),
        (["--deadline", "2026-10-05T23:59Z", "--late-policy", "10"], "it should be a percentage"),
        (["--roster", "nowhere.csv"], "nowhere.csv: cannot be read"),
        (["--overlay", "nowhere"], "nowhere: there is no such folder for --overlay"),
        (["--json", "x.json"], "--json is for a single notebook"),
    ],
)
def test_bad_rulings_are_one_line_and_nothing_is_written(
    words: list[str], told: str, grader: Grader, run, tmp_path: Path, capsys
) -> None:
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert told in err and err.count("\n") == 1 and out == ""
    assert not (tmp_path / "grades").exists()


def test_folders_that_make_no_sense_are_refused(
    grader: Grader, submissions: Path, tmp_path: Path, capsys
) -> None:
    def told(*words: str) -> str:
        assert main(["grade", "--no-sandbox", *words]) == 2
        return capsys.readouterr().err

    sample, given, other = str(SAMPLE), str(submissions), tmp_path / "other"
    assert "say where its grades go, such as -o grades/" in told(sample, given)
    assert "lies in the folder of submissions" in told(sample, given, "-o", f"{given}/grades")
    other.mkdir()
    assert "holds no notebook" in told(sample, str(other), "-o", str(tmp_path / "grades"))
    (other / "thesis.tex").write_text("years of work", encoding="utf-8")
    assert "holds other files" in told(sample, given, "-o", str(other))
    assert "there is no such notebook" in told(sample, "nowhere", "-o", str(tmp_path / "grades"))
    notebook = str(SAMPLE / "solution.ipynb")
    assert "--roster is for a class; add -o grades/" in told(sample, notebook, "--roster", "r.csv")


def test_progress_tells_done_rate_and_time_left(capsys) -> None:
    times = iter([100.0, 100.0, 130.0, 160.0])
    progress = Progress(clock=lambda: next(times))
    for done in (0, 1, 2):
        progress(done, 4)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "[#####...............] 1/4 graded, 2.0 a minute, 1 min 30 s left",
        "[##########..........] 2/4 graded, 2.0 a minute, 1 min 00 s left",
    ]


@pytest.mark.slow
def test_a_mixed_class_is_graded_as_each_notebook_alone(
    sample_source: Source, tmp_path: Path, capsys
) -> None:
    """Through real workers: a right, a wrong, a crashing and an endless submission, two at a time."""
    folder = tmp_path / "class"
    folder.mkdir()
    wrong = bank_answer(SAMPLE, "wrong", "01.1", "no_scale").source
    answers = {
        "right": sample_source.solutions,
        "wrong": {**sample_source.solutions, "01.1": f"# question 01.1\n{wrong}"},
        "ends": {**sample_source.solutions, "01.2": "# question 01.2\nimport os\nos._exit(0)"},
        "bad": {**sample_source.solutions, "01.3": "# question 01.3\n1 / 0"},
    }
    for name, sources in answers.items():
        (folder / f"{name}.ipynb").write_bytes(cells(sample_source.setup, *sources.values()))
    words = ["grade", str(SAMPLE), str(folder), "-o", str(tmp_path / "grades"), "-j", "2", "--seed", "31"]
    assert main([*words, "--no-sandbox"]) == 0
    rows = {row["student"]: row for row in table(tmp_path / "grades" / "grades.csv")}
    assert {s: (row["total"], row["status"]) for s, row in rows.items()} == {
        "bad": ("6", "crashed"),
        "ends": ("7", "crashed"),
        "right": ("8", "ok"),
        "wrong": (rows["wrong"]["total"], "ok"),
    }
    capsys.readouterr()
    notebook, alone = folder / "wrong.ipynb", tmp_path / "alone.json"
    single = ["grade", str(SAMPLE), str(notebook), "--no-sandbox", "--seed", "31", "--json", str(alone)]
    assert main(single) == 0
    found = json.loads((tmp_path / "grades/submissions/wrong/01_sample.json").read_text(encoding="utf-8"))
    expected = json.loads(alone.read_text(encoding="utf-8"))
    assert {name: found[name] for name in expected} == expected
    assert found["questions"][0]["mistake"] == "no_scale"
