"""What the tests of class grading share: notebooks, rosters, tasks and assessments without a worker."""

import json
from datetime import UTC, datetime
from pathlib import Path

from autograder.classroom.archives import FoundFile
from autograder.classroom.assessment import Assessment
from autograder.classroom.names import Owner
from autograder.classroom.roster import Roster, Student
from autograder.classroom.submissions import Candidate, Class, Submitted, Task
from autograder.judging.grade import Conditions, Grade
from autograder.judging.results import PartResult, Result

EXERCISES = {"01_sample": frozenset({"01.1", "01.2"}), "02_other": frozenset({"02.1"})}
ROSTER = """student,name,email,canvas_id,moodle_id
al,Ada Lovelace,ada@example.org,4242,
eh,Grace Hopper,grace@example.org,,771
zt,Zoë Ångström,zoe@example.org,,
"""


def cells(*sources: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in sources]}).encode()


def answering(*questions: str) -> bytes:
    return cells(*(f"# question {question}\nx = 1" for question in questions))


def roster(folder: Path, text: str = ROSTER) -> Roster:
    path = folder / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return Roster.read(path)


def tasks_of(
    root: Path, exercise: str = "01_sample", roster: Roster | None = None, **fields: object
) -> dict[str, Task]:
    """By student, the tasks for one exercise of a class that has one."""
    spool = root.parent / "spool"
    spool.mkdir(exist_ok=True)
    tasks = Class(root, {exercise: EXERCISES[exercise]}, spool, roster, **fields).tasks()
    return {task.student.key: task for task in tasks}


def task(
    student: str = "al",
    exercise: str = "01_sample",
    *,
    time: datetime | None = datetime(2026, 10, 5, 12, tzinfo=UTC),
    name: str = "Ada Lovelace",
    marked_late: bool = False,
    path: Path | None = None,
) -> Task:
    submitted = Submitted(time, "roster") if time else None
    owner = Owner(student, marked_late=marked_late)
    file = FoundFile((f"{student}.ipynb",), path=path)
    return Task(Student(student, name), exercise, Candidate(file, owner, submitted, sha256="ab" * 32))


def result(question: str, points: int, most: int = 4, **fields: object) -> Result:
    part = PartResult("values", points, most, "the values are right", "" if points == most else "no: 3 < 4")
    return Result(question, f"Title of {question}", fields.pop("status", "ok"), (part,), **fields)


def assessment(*results: Result, of: Task | None = None, **fields: object) -> Assessment:
    made = of or task()
    conditions = Conditions(7, "v1", "a1", "none", {}, "Python")
    status = fields.pop("status", "ok")
    message = fields.pop("message", "")
    grade = Grade(made.exercise, "al.ipynb", status, results, message, "ab" * 32, conditions)
    return Assessment(made, grade, **fields)
