"""From the files of a class to one notebook for each student and exercise.

A student's notebook answers the exercise whose questions its cells mark; where it marks none, the one that
its name tells, else any that the student has no other notebook for. Of several the newest that can be read
counts: by the time of submission, then by the number that Canvas appends to a name submitted again, then by
name.
"""

import hashlib
import re
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from autograder.classroom.archives import NO_NOTEBOOK, Finder, FoundFile
from autograder.classroom.csv_files import TableError
from autograder.classroom.roster import CANVAS, MOODLE, Owner, Roster, Student
from autograder.judging.notebook import NotebookError, notebook_bytes, parse_submission

BLACKBOARD = re.compile(r"_attempt_(\d{4})-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)(?=[_.]|$)")
EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Submitted:
    """When a notebook was submitted, and how that is known."""

    time: datetime
    source: str


@dataclass(frozen=True)
class Candidate:
    """A notebook of a student, or what stands where one should; ``marked`` are the exercises it answers."""

    file: FoundFile
    owner: Owner
    submitted: Submitted | None
    problem: str = ""
    sha256: str = ""
    marked: frozenset[str] = frozenset()
    told: str = ""

    @property
    def rank(self) -> tuple:
        """What orders the notebooks of a student; the largest counts."""
        again = re.search(r"-(\d+)(?:\.\w+)?$", self.owner.file)
        number = int(again[1]) if again and self.owner.canvas_id else 0
        time = self.submitted.time if self.submitted else EARLIEST
        return (not self.problem, time, number, self.file.label)


@dataclass(frozen=True)
class Task:
    """What is to be graded for one student and exercise: ``chosen`` is None if nothing was submitted."""

    student: Student
    exercise: str
    chosen: Candidate | None = None
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Class:
    """The submissions at ``root`` of the students of ``roster`` (None: of those that the file names give).

    ``exercises`` gives the questions of each exercise. Times without a zone are taken to be in ``zone``.
    """

    root: Path
    exercises: Mapping[str, frozenset[str]]
    spool: Path
    roster: Roster | None = None
    zone: tzinfo = UTC
    _notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def tasks(self) -> list[Task]:
        """One for each student and exercise, in the order of the students' keys."""
        try:
            files = _unwrapped(Finder(self.spool).find(self.root), self.root, self.roster)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise TableError(f"{self.root}: cannot be read: {error}") from None
        owned: dict[Student, list[Candidate]] = defaultdict(list)
        for student, file, owner in self._owned(files):
            owned[student].append(self._candidate(student, file, owner))
        for student in self.roster.students.values() if self.roster else ():
            owned[student] += []
        tasks = []
        for student in sorted(owned, key=lambda s: (s.key.casefold(), s.key)):
            tasks += self._of_student(student, owned[student])
        return tasks

    def _owned(self, files: Sequence[FoundFile]) -> list[tuple[Student, FoundFile, Owner]]:
        owners = []
        for file in files:
            first = file.place[0] if file.place else self.root.name
            name = first if len(file.place) > 1 else PurePosixPath(first).stem
            owners.append(Owner.of(name, self.exercises))
        identities: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for owner in owners:
            identities[owner.name.casefold()].add((owner.canvas_id, owner.moodle_id))
        result = []
        for file, owner in zip(files, owners, strict=True):
            found = self.roster.named(owner) if self.roster else []
            if len(found) == 1:
                student = found[0]
            else:
                number = owner.canvas_id or owner.moodle_id
                shared = len(identities[owner.name.casefold()]) > 1 and number
                taken = self.roster is not None and owner.name in self.roster.students
                key = f"{owner.name}_{number or 'unknown'}" if shared or taken else owner.name
                student = Student(key, owner.name, "", owner.canvas_id, owner.moodle_id)
                if self.roster is not None:
                    meant = " and ".join(s.key for s in found)
                    note = f"could be {meant}" if found else "is not in the roster"
                    self._notes[key] = [f"{owner.name} {note}"]
            result.append((student, file, owner))
        return result

    def _candidate(self, student: Student, file: FoundFile, owner: Owner) -> Candidate:
        submitted = self._submitted(student, file)
        told = self._told(file, owner)
        if file.path is None:
            return Candidate(file, owner, submitted, f"{file.label}: {file.problem}", told=told)
        try:
            content = notebook_bytes(file.path)
            marks = frozenset(parse_submission(content, file.label).answers)
        except NotebookError as error:
            digest = hashlib.sha256(content).hexdigest()
            return Candidate(file, owner, submitted, str(error), digest, told=told)
        except OSError as error:
            problem = f"{file.label}: cannot be read: {error.strerror}"
            return Candidate(file, owner, submitted, problem, told=told)
        marked = frozenset(name for name, questions in self.exercises.items() if questions & marks)
        if marks and not marked:
            marked = frozenset([", ".join(sorted(marks))])
        return Candidate(
            file, owner, submitted, sha256=hashlib.sha256(content).hexdigest(), marked=marked, told=told
        )

    def _submitted(self, student: Student, file: FoundFile) -> Submitted | None:
        if student.submitted:
            return Submitted(self._aware(datetime.fromisoformat(student.submitted)), "roster")
        if found := BLACKBOARD.search(file.place[0] if file.place else ""):
            try:
                written = datetime.strptime("-".join(found.groups()), "%Y-%m-%d-%H-%M-%S")
                return Submitted(self._aware(written), "file name")
            except ValueError:
                pass
        if file.modified is None:
            return None
        source = "archive entry" if file.from_archive else "modification time"
        return Submitted(self._aware(file.modified), source)

    def _aware(self, time: datetime) -> datetime:
        return time.replace(tzinfo=self.zone) if time.tzinfo is None else time

    def _told(self, file: FoundFile, owner: Owner) -> str:
        """The exercise that the names below the student's own tell."""
        names = [*file.place[1:], *file.inside.split("/"), owner.file]
        for exercise in self.exercises:
            if any(exercise.casefold() in name.casefold() for name in names):
                return exercise
        return ""

    def _of_student(self, student: Student, candidates: list[Candidate]) -> list[Task]:
        tasks = []
        for exercise in self.exercises:
            certain = [c for c in candidates if exercise in c.marked or (not c.marked and c.told == exercise)]
            possible = [c for c in candidates if not c.marked and not c.told]
            ranked = sorted(certain or possible, key=lambda c: c.rank, reverse=True)
            notes = list(self._notes[student.key])
            if not ranked:
                strange = [c for c in candidates if c.marked and c.marked.isdisjoint(self.exercises)]
                notes += [f"{c.file.label} answers {', '.join(c.marked)}" for c in strange]
            unread = [c for c in possible if c.problem and c not in ranked and c.file.problem != NO_NOTEBOOK]
            others = tuple(map(_other, [*ranked[1:], *unread]))
            tasks.append(Task(student, exercise, ranked[0] if ranked else None, others, tuple(notes)))
        return tasks


def _other(candidate: Candidate) -> str:
    label = candidate.file.label
    return f"{label}: {candidate.problem.removeprefix(f'{label}: ') or 'older'}"


def _unwrapped(files: list[FoundFile], root: Path, roster: Roster | None) -> list[FoundFile]:
    """Without a folder that holds all of an archive and is no student's."""
    while files and len({file.place[:1] for file in files}) == 1 and all(len(f.place) > 1 for f in files):
        wrapper = files[0].place[0]
        children = {file.place[1] for file in files}
        if MOODLE.fullmatch(wrapper) or CANVAS.fullmatch(wrapper):
            break
        if roster is not None and roster.named(Owner.of(wrapper)):
            break
        if roster is None and (root.is_dir() or len(children) == 1):
            break
        files = [replace(file, place=file.place[1:]) for file in files]
    return files
