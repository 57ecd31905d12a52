"""Grading a class: the exercises, who is graded anew, and a fresh worker for each submission in parallel."""

import dataclasses
import threading
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.assessment import Assessment, summary
from autograder.exam import Exam
from autograder.grade import Conditions, Grade, grade, unrun_all
from autograder.gradebook import Gradebook, write_if_changed
from autograder.launcher import Launcher, Process
from autograder.overlay import Layers
from autograder.policy import Rules
from autograder.reports import written
from autograder.results import UNGRADED
from autograder.session import Limits, Session, WorkerFailed
from autograder.spec import Question
from autograder.submissions import Task

COMPARED = ("seed", "version", "sandbox", "limits")


@dataclass(frozen=True)
class Exercise:
    """What is known of an exercise before its references are computed."""

    folder: Path
    overlay: Path | None
    questions: dict[str, Question]
    version: str

    @classmethod
    def of(cls, folder: Path, overlay: Path | None) -> "Exercise":
        layers = Layers.of(folder, overlay)
        return cls(folder, overlay, {q.id: q for q in layers.questions()}, layers.version())

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def points(self) -> dict[str, int]:
        return {q: question.points for q, question in self.questions.items()}


class Stopped(Exception):
    """The run was interrupted."""


class _NoMore:
    """Takes the place of a launcher when the run is to end."""

    sandbox = "none"

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
        """An assessment for each task, in their order; records of finished ones are written at once."""
        tasks = list(tasks)
        self.gradebook.students = [task.student.key for task in tasks]
        done = self.gradebook.regraded() if self.regrade else set()
        made: dict[int, Assessment] = {}
        waiting: list[int] = []
        for place, task in enumerate(tasks):
            known = self._without_grading(task, done)
            if known is None:
                waiting.append(place)
            else:
                made[place] = self._kept(task, *known)
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
                told(f"computing what is right in {name}")
                exercise = self.exercises[name]
                exams[name] = Exam.at_seed(exercise.folder, self.seed, session, exercise.overlay)
        return exams

    def _in_parallel(
        self, tasks: dict[int, Task], exams: dict[str, Exam], jobs: int, progress: Callable[[int, int], None]
    ) -> dict[int, Assessment]:
        made = {}
        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(self._graded, t, exams[t.exercise]): p for p, t in tasks.items()}
            try:
                progress(0, len(tasks))
                for future in as_completed(running):
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

    def _conditions(self, task: Task) -> dict[str, Any]:
        session = Session(self.launcher, self.limits)
        return Conditions.of(self.seed, self.exercises[task.exercise].version, session).to_json()

    def _without_grading(self, task: Task, done: set[str]) -> tuple[Grade, dict[str, Any] | None] | None:
        """The grade of what needs no worker, and of what was graded before under the same conditions."""
        chosen, questions = task.chosen, self.exercises[task.exercise].questions.values()
        conditions = self._conditions(task)
        if chosen is None:
            results = unrun_all(questions, "missing")
            return Grade(task.exercise, "", "missing", results, conditions=conditions), None
        if chosen.problem:
            results = unrun_all(questions, "unreadable")
            label, problem = chosen.file.label, chosen.problem
            return Grade(
                task.exercise, label, "unreadable", results, problem, chosen.sha256, conditions
            ), None
        record = self.gradebook.load(task.student.key, task.exercise)
        if record is None or (self.regrade and _key(task) not in done):
            return None
        wanted = {name: conditions[name] for name in COMPARED}
        if wanted != {name: record.get(name) for name in COMPARED} or record.get("sha256") != chosen.sha256:
            return None
        if record.get("status") == UNGRADED:
            return None
        try:
            return Grade.from_json({**record, "submission": chosen.file.label}), record.get("previous")
        except (KeyError, TypeError, ValueError):
            return None

    def _graded(self, task: Task, exam: Exam) -> Assessment:
        before = self.gradebook.load(task.student.key, task.exercise)
        found = self._attempted(task, exam)
        if self._stop.is_set():
            raise Stopped
        same = before is not None and before.get("sha256") == found.sha256 and before["status"] != UNGRADED
        try:
            assessment = self._kept(task, found, summary(before) if same else None)
        except OSError:
            raise
        except Exception as error:
            assessment = self._kept(task, self._failed(task, exam, error), None)
        if self.regrade and assessment.is_known:
            with self._guard:
                self.gradebook.note_regraded(_key(task))
        return assessment

    def _attempted(self, task: Task, exam: Exam) -> Grade:
        """A grade, whatever happens; a worker that did not start gets a second chance."""
        label = task.chosen.file.label
        for last in (False, True):
            session = Session(self.launcher, self.limits)
            with self._guard:
                if self._stop.is_set():
                    raise Stopped
                self._open.add(session)
            try:
                return grade(exam, task.chosen.file.path, session, label)
            except Stopped:
                raise
            except Exception as error:  # whatever it is, it must not cost the others their grades
                if isinstance(error, WorkerFailed) and not last:
                    continue
                return self._failed(task, exam, error)
            finally:
                with self._guard:
                    self._open.discard(session)
                session.close()
        raise AssertionError

    def _failed(self, task: Task, exam: Exam, error: Exception) -> Grade:
        """The grader's own failure: no points, and not none either."""
        told = f"the grader failed ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        label, trace = task.chosen.file.label, "".join(traceback.format_exception(error))
        with self._guard:
            self.failures.append(f"{task.student.key}, {task.exercise}, {label}:\n{trace}")
        results = unrun_all(exam.questions.values(), UNGRADED)
        conditions = self._conditions(task)
        return Grade(task.exercise, label, UNGRADED, results, told, task.chosen.sha256, conditions)

    def _kept(self, task: Task, found: Grade, previous: dict[str, Any] | None) -> Assessment:
        """The assessment with what the instructor ruled, its files written."""
        student, chosen = task.student.key, task.chosen
        if not found.conditions:
            found = dataclasses.replace(found, conditions=self._conditions(task))
        overrides = self.rules.overrides.get((student, task.exercise), {})
        assessment = Assessment(task, found, overrides=overrides, previous=previous)
        if chosen is not None:
            late = self.rules.lateness(student, task.exercise, chosen.submitted, chosen.owner.marked_late)
            assessment = dataclasses.replace(assessment, lateness=late)
        for suffix, text in written(assessment).items():
            write_if_changed(self.gradebook.path(student, task.exercise, suffix), text)
        return assessment


def _key(task: Task) -> str:
    return f"{task.student.key}/{task.exercise}"
