"""``python -m autograder grade``: one notebook to a table on the screen, or a class to a folder of grades."""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

from autograder.authoring.layers import Layers, find_exercises
from autograder.classroom.classroom import Classroom, Exercise
from autograder.classroom.csv_files import TableError
from autograder.classroom.gradebook import EDITED, Gradebook
from autograder.classroom.names import NO_PLATFORM, PLATFORMS
from autograder.classroom.policy import LATE_FORM, LatePolicy, Rules, read_extensions, read_overrides
from autograder.classroom.roster import Roster
from autograder.classroom.submissions import Class
from autograder.classroom.tables import late_by_their_files, summary, write_tables
from autograder.classroom.times import aware_time
from autograder.files import write_text
from autograder.judging.exam import PUBLIC_SEED, Exam
from autograder.judging.grade import grade, to_text
from autograder.worker.launcher import Launcher, PlainLauncher
from autograder.worker.preflight import sandbox_problem
from autograder.worker.sandbox import BubblewrapLauncher
from autograder.worker.session import Session

HELP = "grade a notebook, or a class: a folder or a zip of notebooks"
DETAILS = """
SUBMISSIONS is a notebook, a folder or a zip: flat, with a folder (or a zip) for each student, or as Canvas,
Moodle, Blackboard, Brightspace, Sakai and Gradescope export it. Of several notebooks of a student for an
exercise the newest that can be read counts. Names are read as the platform makes them that more than half of
them fit; a name that can be read in two ways is nobody's, and its row says so.

A time is written with its zone: 2026-10-05T23:59+02:00, or '2026-10-05T23:59 Europe/Berlin'. A mark of
lateness that no time bears out loses what marked=PERCENT in the policy says, else one unit's rate.

tables (CSV with a header):
  roster.csv      student; optional: name, email, canvas_id, moodle_id, student_id, github, group, submitted;
                  or what a platform exports, such as the gradebook of Canvas
  extensions.csv  student, deadline (or days and hours more), exercise (empty: all), reason
  overrides.csv   student, exercise, question, points, reason; kept apart from the grader's own points

--overlay FOLDER holds private exercises and layers over public ones, in the same layout: in NN_name/,
qN_name/spec.py replaces question N or adds it, exercise.md has its cell, qN_name/wrong.py joins the public
bank. Nothing in the public folders changes.

To continue an interrupted run, give the same command again. Exit code 1: the grader itself failed on some
submission; the last lines and errors.log say which.
"""


def add_command(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add ``grade`` to the command line."""
    made = command("grade", run, HELP)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.epilog = DETAILS
    made.add_argument("exercise", type=Path, help="an exercise's folder, or a folder of them (for a class)")
    made.add_argument("submission", type=Path, metavar="SUBMISSIONS", help="notebook, folder or zip")
    made.add_argument("-o", "--out", type=Path, metavar="FOLDER", help="where grades go (needed for a class)")
    made.add_argument(
        "-j", "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N",
        help="workers at once (default: one per processor, here %(default)s)",
    )  # fmt: skip
    made.add_argument(
        "--seed", type=seed, default=PUBLIC_SEED, help="seed of the inputs (default: the public one)"
    )
    made.add_argument("--roster", type=Path, metavar="CSV", help="the students of the class")
    made.add_argument(
        "--platform", action="append", choices=[*PLATFORMS, NO_PLATFORM],
        help="what made the names of the submissions (default: what most names say); may be given again",
    )  # fmt: skip
    made.add_argument("--deadline", metavar="TIME", help="with its zone, such as 2026-10-05T23:59+02:00")
    form = LATE_FORM.replace("%", "%%")
    made.add_argument("--late-policy", metavar="POLICY", help=f"of the points won, such as {form}")
    made.add_argument("--extensions", type=Path, metavar="CSV", help="later deadlines for single students")
    made.add_argument("--overrides", type=Path, metavar="CSV", help="points that you set by hand")
    made.add_argument("--overlay", type=Path, metavar="FOLDER", help="private exercises, questions and banks")
    made.add_argument("--regrade", action="store_true", help="grade again what was graded before")
    made.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run students' code without protection; every result says so",
    )
    made.add_argument("--json", type=Path, help="write the results of a single notebook to this file as well")


def seed(text: str) -> int:
    """Read the number of a seed."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} should be a whole number, 0 or more")
    return int(text)


def _positive(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,2}", text):
        raise argparse.ArgumentTypeError(f"{text!r} should be a whole number, 1 or more")
    return int(text)


def run(arguments: argparse.Namespace, session: Session) -> int:
    """Grade a notebook or a class."""
    single = arguments.out is None
    if single and (arguments.submission.is_dir() or arguments.submission.suffix.lower() == ".zip"):
        raise TableError(f"{arguments.submission}: is a class; say where its grades go, such as -o grades/")
    if single and arguments.submission.exists():
        for name in ("roster", "platform", "deadline", "late_policy", "extensions", "overrides", "regrade"):
            if getattr(arguments, name):
                raise TableError(f"--{name.replace('_', '-')} is for a class; add -o grades/")
    folders = _exercises(arguments)
    if not arguments.submission.exists():
        raise TableError(f"{arguments.submission}: there is no such notebook, folder or zip")
    if single and arguments.json is not None and not arguments.json.parent.is_dir():
        raise TableError(f"{arguments.json.parent}: there is no such folder for the JSON file")
    if not single and arguments.json is not None:
        raise TableError("--json is for a single notebook; with -o each submission has its JSON file there")
    uses = {name for f in folders for q in Layers.of(f, arguments.overlay).questions() for name in q.uses}
    if single:
        return _one(arguments, folders[0], _launcher(arguments.no_sandbox, sorted(uses)), session)
    session.close()
    try:
        return _class(arguments, folders, sorted(uses))
    except KeyboardInterrupt:
        _tell("interrupted: finished grades are kept; give the same command again to continue")
        return 130
    except OSError as error:
        told = f"{error.filename or arguments.out}: cannot be read or written: {error.strerror or error}"
        raise TableError(
            f"{told}; finished grades are kept, so mend it and give the same command again"
        ) from None


def _exercises(arguments: argparse.Namespace) -> list[Path]:
    root, overlay = arguments.exercise, arguments.overlay
    if overlay is not None and not overlay.is_dir():
        raise TableError(f"{overlay}: there is no such folder for --overlay")
    folders = find_exercises(root)
    if not folders:
        raise TableError(
            f"{root}: is not an exercise folder; it should hold exercise.md and a folder for each question"
        )
    if arguments.out is None and folders != [root]:
        raise TableError(
            f"{root}: holds several exercises; name one of them, or grade a class with -o grades/"
        )
    if overlay is not None and folders != [root]:
        known = {folder.name for folder in folders}
        folders += [folder for folder in find_exercises(overlay) if folder.name not in known]
    return sorted(folders, key=lambda folder: folder.name)


def _launcher(no_sandbox: bool, uses: Sequence[str]) -> Launcher:
    if no_sandbox:
        return PlainLauncher()
    launcher = BubblewrapLauncher(uses=tuple(uses))
    if (problem := sandbox_problem(launcher)) is not None:
        raise TableError(problem)
    return launcher


def _one(arguments: argparse.Namespace, folder: Path, launcher: Launcher, session: Session) -> int:
    exam = Exam.at_seed(folder, arguments.seed, session, arguments.overlay)
    session.close()
    session.launcher = launcher
    graded = grade(exam, arguments.submission.resolve(), session, arguments.submission.name)
    if arguments.json is not None:
        write_text(arguments.json, to_text(graded))
    if graded.status in ("unreadable", "empty"):
        raise TableError(graded.message)
    print(graded.table())
    for result in graded.questions:
        if result.points < result.max_points:
            print(f"\n{result.feedback}")
    return 0


def _class(arguments: argparse.Namespace, folders: Sequence[Path], uses: Sequence[str]) -> int:
    out, source = arguments.out.resolve(), arguments.submission.resolve()
    if out == source or source in out.parents:
        raise TableError(f"{arguments.out}: lies in the folder of submissions; give one outside of it")
    deadline = aware_time(arguments.deadline, "--deadline") if arguments.deadline else None
    for name in ("late_policy", "extensions"):
        if getattr(arguments, name) and deadline is None:
            raise TableError(f"--{name.replace('_', '-')} needs a --deadline")
    policy = LatePolicy.parse(arguments.late_policy) if arguments.late_policy else LatePolicy()
    roster = Roster.read(arguments.roster) if arguments.roster else None
    platforms = arguments.platform and [name for name in arguments.platform if name != NO_PLATFORM]
    if platforms and NO_PLATFORM in arguments.platform:
        raise TableError(f"--platform {NO_PLATFORM} excludes {' and '.join(platforms)}")
    exercises = {folder.name: Exercise.of(folder, arguments.overlay) for folder in folders}
    roots = {folder.parent for folder in folders} | ({arguments.overlay} if arguments.overlay else set())
    beside = {found.name for root in roots for found in find_exercises(root)}
    with Gradebook(arguments.out) as gradebook, gradebook.temporary_files() as spool:
        launcher = _launcher(arguments.no_sandbox, uses)
        questions = {name: frozenset(exercise.questions) for name, exercise in exercises.items()}
        zone = (deadline and deadline.tzinfo) or UTC
        found = Class(source, questions, spool, roster, zone, platforms)
        tasks = found.tasks()
        if not tasks:
            raise TableError(f"{arguments.submission}: holds no notebook (.ipynb)")
        students = dict.fromkeys(task.student.key for task in tasks)
        rules = Rules(
            deadline,
            policy,
            read_extensions(arguments.extensions, students, exercises, beside)
            if arguments.extensions
            else {},
            read_overrides(arguments.overrides, students, {n: e.points for n, e in exercises.items()}, beside)
            if arguments.overrides
            else {},
        )
        for said in found.said:
            _tell(said)
        if arguments.seed == PUBLIC_SEED:
            _tell(f"the inputs are the public ones (seed {PUBLIC_SEED}), which students have: give --seed")
        room = Classroom(exercises, arguments.seed, gradebook, rules, launcher, regrade=arguments.regrade)
        assessments = room.run(tasks, arguments.jobs, _tell, Progress())
        typed = write_tables(gradebook, assessments, room.failures)
    print(summary(assessments, arguments.out))
    for assessment in assessments:
        for lowered in assessment.lowered:
            print(f"warning: {assessment.task.student.key}, {assessment.grade.exercise}, {lowered}")
    if copied := late_by_their_files(assessments):
        print(copied)
    for told in typed:
        print(
            f"warning: grades.csv, {told} was typed in by hand. It is kept in {EDITED}, not in grades.csv. "
            "Points that are to stay belong in a table for --overrides."
        )
    return 1 if room.failures else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Progress:
    """A line that says how many are done, how fast, and the time left; on a terminal it updates in place."""

    clock: Callable[[], float] = time.monotonic
    started: float = 0.0
    shown: int = field(default=0)

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done."""
        if not done:
            self.started = self.clock()
        elapsed = self.clock() - self.started
        rate = done / elapsed if done and elapsed > 0 else 0.0
        left = f", {_length((total - done) / rate)} left" if rate else ""
        filled = 20 * done // total
        text = f"[{'#' * filled}{'.' * (20 - filled)}] {done}/{total} graded, {60 * rate:.1f} a minute{left}"
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}" + ("\n" if done == total else ""))
            sys.stderr.flush()
        elif done == total or 10 * done // total > self.shown:
            self.shown = 10 * done // total
            _tell(text)


def _length(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
