"""Grading a class: the exercises, which submissions to grade, and a fresh worker for each, in parallel."""

import dataclasses
import errno
import threading
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from autograder.authoring.layers import Layers
from autograder.authoring.spec import Question
from autograder.classroom.assessment import Assessment, Previous
from autograder.classroom.csv_files import listed
from autograder.classroom.gradebook import Gradebook, Record
from autograder.classroom.policy import Rules
from autograder.classroom.reports import written
from autograder.classroom.submissions import Task
from autograder.files import write_if_changed
from autograder.judging.exam import Exam
from autograder.judging.grade import Conditions, Grade, grade, unrun_all
from autograder.judging.results import UNGRADED
from autograder.worker.launcher import Launcher, Process
from autograder.worker.session import Limits, Session, WorkerFailed

# nothing more can be written: no space, no quota, a file larger than may be, a disk mounted read-only
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@dataclass(frozen=True)
class Exercise:
    """What is known of an exercise before its references are computed."""

    folder: Path
    overlay: Path | None
    questions: dict[str, Question]
    version: str

    @classmethod
    def of(cls, folder: Path, overlay: Path | None) -> "Exercise":
        """Read an exercise with its private layer."""
        layers = Layers.of(folder, overlay)
        return cls(folder, overlay, {q.id: q for q in layers.questions()}, layers.version())

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def points(self) -> dict[str, int]:
        """The points of each question."""
        return {q: question.points for q, question in self.questions.items()}


class Stopped(Exception):
    """The run was interrupted."""


class ChangedMeanwhile(RuntimeError):
    """A notebook was replaced, or is gone, since the class was read."""


class _NoMore:
    """Takes the place of a launcher when the run is to end."""

    sandbox: ClassVar[str] = "none"

    def start(self) -> Process:
        raise Stopped


@dataclass
class Classroom:
    """One run. ``failures`` are tracebacks of what went wrong in the grader itself."""

    exercises: dict[str, Exercise]
    seed: int
    gradebook: Gradebook
    rules: Rules
    launcher: Launcher
    limits: Limits = field(default_factory=Limits)
    regrade: bool = False
    failures: list[str] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _open: set[Session] = field(default_factory=set)

    def run(
        self,
        tasks: Iterable[Task],
        jobs: int,
        told: Callable[[str], None],
        progress: Callable[[int, int], None],
    ) -> list[Assessment]:
        """Assess each task, in their order; the records of finished ones are written at once."""
        tasks = list(tasks)
        self.gradebook.students = [task.student.key for task in tasks]
        done = self.gradebook.regraded() if self.regrade else set()
        made: dict[int, Assessment] = {}
        waiting: list[int] = []
        if gone := [task for task in tasks if self._had_a_grade(task)]:
            who = listed(f"{task.student.key} ({task.exercise})" for task in gone)
            told(f"graded before, and missing from these submissions: {who}")
        for place, task in enumerate(tasks):
            known = self._without_grading(task, done)
            if known is None:
                waiting.append(place)
            else:
                made[place] = self._settled(task, known)
        if waiting:
            told(f"{len(waiting)} of {len(tasks)} submissions are to be graded")
            exams = self._exams({tasks[place].exercise for place in waiting}, told)
            made |= self._in_parallel({p: tasks[p] for p in waiting}, exams, jobs, progress)
        self.gradebook.end_regrading()
        return [made[place] for place in range(len(tasks))]

    def _exams(self, names: set[str], told: Callable[[str], None]) -> dict[str, Exam]:
        exams = {}
        with Session() as session:
            for name in sorted(names):
                told(f"computing the expected outputs of {name}")
                exercise = self.exercises[name]
                exams[name] = Exam.at_seed(exercise.folder, self.seed, session, exercise.overlay)
        return exams

    def _in_parallel(
        self, tasks: dict[int, Task], exams: dict[str, Exam], jobs: int, progress: Callable[[int, int], None]
    ) -> dict[int, Assessment]:
        made = {}

        def graded(task: Task) -> Assessment:
            try:
                return self._graded(task, exams[task.exercise])
            except BaseException:
                self._stop.set()  # at once: this thread would begin the next one
                raise

        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(graded, task): place for place, task in tasks.items()}
            try:
                progress(0, len(tasks))
                for future in as_completed(running):
                    if isinstance(future.exception(), Stopped):
                        continue  # because of another one, whose trouble is the one to tell
                    made[running[future]] = future.result()
                    progress(len(made), len(tasks))
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                with self._guard:
                    for session in self._open:
                        session.launcher = _NoMore()
                        session.close()
                raise
        return made

    def _conditions(self, task: Task) -> Conditions:
        session = Session(self.launcher, self.limits)
        return Conditions.of(self.seed, self.exercises[task.exercise].version, session)

    def _unrun(self, task: Task, status: str, message: str = "") -> Grade:
        """A grade without points of what was not run."""
        file = task.chosen
        label, sha256 = (file.file.label, file.sha256) if file else ("", "")
        results = unrun_all(self.exercises[task.exercise].questions.values(), status)
        return Grade(task.exercise, label, status, results, message, sha256, self._conditions(task))

    def _had_a_grade(self, task: Task) -> bool:
        """Whether an earlier run found a notebook where there is none now."""
        if task.chosen is not None or task.trouble:
            return False
        before = self.gradebook.load(task.student.key, task.exercise)
        return before is not None and bool(before.grade.sha256)

    def _without_grading(self, task: Task, done: set[str]) -> Record | None:
        """The grade of what needs no worker, and of what was graded before under the same conditions."""
        chosen = task.chosen
        if task.trouble:
            return Record(self._ungraded(task, task.trouble), None)
        if chosen is None:
            return Record(self._unrun(task, "missing"), None)
        if chosen.problem:
            return Record(self._unrun(task, "unreadable", chosen.problem), None)
        record = self.gradebook.load(task.student.key, task.exercise)
        if record is None or (self.regrade and _key(task) not in done):
            return None
        known = record.grade
        same = known.conditions.equal(self._conditions(task)) and known.sha256 == chosen.sha256
        if not same or known.status == UNGRADED:
            return None
        return Record(dataclasses.replace(known, submission=chosen.file.label), record.previous)

    def _graded(self, task: Task, exam: Exam) -> Assessment:
        before = self.gradebook.load(task.student.key, task.exercise)
        found = self._attempted(task, exam)
        if self._stop.is_set():
            raise Stopped
        previous = None
        if before and before.grade.sha256 == found.sha256 and before.grade.status != UNGRADED:
            previous = Previous.of(before.grade)
        assessment = self._settled(task, Record(found, previous))
        if self.regrade and assessment.is_known:
            with self._guard:
                self.gradebook.note_regraded(_key(task))
        return assessment

    def _attempted(self, task: Task, exam: Exam) -> Grade:
        """Grade the submission; a worker that did not start gets a second chance."""
        assert task.chosen is not None and task.chosen.file.path is not None
        file = task.chosen.file
        for last in (False, True):
            session = Session(self.launcher, self.limits)
            with self._guard:
                if self._stop.is_set():
                    raise Stopped
                self._open.add(session)
            try:
                graded = grade(exam, task.chosen.file.path, session, file.label)
                if graded.sha256 != task.chosen.sha256:
                    raise ChangedMeanwhile("the notebook is not the one that was found")
                return graded
            except Stopped:
                raise
            except Exception as error:  # whatever it is, it must not cost the others their grades
                if isinstance(error, WorkerFailed) and not last:
                    continue
                return self._failed(task, error)
            finally:
                with self._guard:
                    self._open.discard(session)
                session.close()
        raise AssertionError

    def _failed(self, task: Task, error: Exception) -> Grade:
        """The grader's own failure: the points are not known."""
        trace = "".join(traceback.format_exception(error))
        return self._ungraded(task, f"{type(error).__name__}: {' '.join(str(error).split())[:300]}", trace)

    def _ungraded(self, task: Task, told: str, trace: str = "") -> Grade:
        found = self._unrun(task, UNGRADED, f"the grader failed ({told})")
        with self._guard:
            self.failures.append(f"{task.student.key}, {task.exercise}, {found.submission}:\n{trace or told}")
        return found

    def _settled(self, task: Task, record: Record) -> Assessment:
        """As ``_kept``; where that fails, the submission is ungraded, and the others lose nothing."""
        try:
            return self._kept(task, record)
        except Exception as error:
            _end_if_full(error)
            failed = self._failed(task, error)
        try:
            return self._kept(task, Record(failed, None))
        except Exception as error:
            _end_if_full(error)
            return Assessment(task, self._failed(task, error))

    def _kept(self, task: Task, record: Record) -> Assessment:
        """The assessment with what the instructor decided, its files written."""
        student, chosen = task.student.key, task.chosen
        overrides = self.rules.overrides.get((student, task.exercise), {})
        assessment = Assessment(task, record.grade, overrides=overrides, previous=record.previous)
        if chosen is not None:
            late = self.rules.lateness(student, task.exercise, chosen.submitted, chosen.owner.marked_late)
            assessment = dataclasses.replace(assessment, lateness=late)
        for suffix, text in written(assessment).items():
            write_if_changed(self.gradebook.path(student, task.exercise, suffix), text)
        return assessment


def _key(task: Task) -> str:
    return f"{task.student.key}/{task.exercise}"


def _end_if_full(error: Exception) -> None:
    """A disk on which nothing more can be kept ends the run."""
    if isinstance(error, OSError) and error.errno in FULL:
        raise error
