"""What a class handed in: the notebook for each student and exercise.

A student's notebook answers the exercise whose questions its cells mark; where it marks none, the one that
its name tells, else any that the student has no other notebook for. Of several the newest that can be read
counts: by the time of submission, then by the number that Canvas appends to a name submitted again, then by
name. No student's row depends on what another one handed in.
"""

import hashlib
import re
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from autograder.classroom.archives import NO_NOTEBOOK, FoundFile, clipped, find, is_trouble, told
from autograder.classroom.csv_files import TableError
from autograder.classroom.names import BLACKBOARD_PART, Owner, decided, is_of_a_platform, normalized, owner_of
from autograder.classroom.roster import Roster, Student
from autograder.classroom.times import EARLIEST, in_zone, read_time
from autograder.classroom.unpacking import Budget, Opener
from autograder.judging.notebook import NotebookError, notebook_bytes, parse_submission

OTHERS_SHOWN = 10
RESUBMITTED = re.compile(r"-([0-9]{1,9})(?:\.\w+)?$")


@dataclass(frozen=True)
class Submitted:
    """When a notebook was submitted, how that is known, and what is doubtful about it."""

    time: datetime
    source: str
    note: str = ""


@dataclass(frozen=True)
class Candidate:
    """A notebook of a student, or what stands where one should; ``marked`` are the exercises it answers."""

    file: FoundFile
    owner: Owner
    submitted: Submitted | None
    problem: str = ""
    trouble: str = ""
    sha256: str = ""
    marked: frozenset[str] = frozenset()
    told: str = ""

    @property
    def rank(self) -> tuple:
        """What orders the notebooks of a student; the largest counts."""
        again = RESUBMITTED.search(self.owner.file)
        number = int(again[1]) if again and self.owner.canvas_id else 0
        time = self.submitted.time if self.submitted else EARLIEST
        return (not self.problem, time, number, self.file.place, self.file.inside)


@dataclass(frozen=True)
class Task:
    """What is to be graded for one student and exercise: ``chosen`` is None if nothing was submitted.

    ``trouble`` is what the grader failed at with one of the student's files: then it is not known which
    notebook counts.
    """

    student: Student
    exercise: str
    chosen: Candidate | None = None
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    trouble: str = ""


Owned = list[tuple[FoundFile, Owner]]


@dataclass
class Class:
    """The submissions at ``root`` of the students of ``roster`` (None: of those that the file names give).

    ``exercises`` gives the questions of each exercise. Times without a zone are taken to be in ``zone``.
    ``platforms`` made the names (None: what most names say); ``said`` is what to tell of that, and of files
    that are no notebooks and nobody's.
    """

    root: Path
    exercises: Mapping[str, frozenset[str]]
    spool: Path
    roster: Roster | None = None
    zone: tzinfo = UTC
    platforms: Sequence[str] | None = None
    said: list[str] = field(default_factory=list)
    _notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def tasks(self) -> list[Task]:
        """One for each student and exercise, in the order of the students' keys."""
        try:
            found = find(self.root)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise TableError(f"{self.root}: cannot be read: {told(error)}") from None
        files = self._without_nobodys(_unwrapped(self._without_nobodys(found), self.root, self.roster))
        owned: dict[Student, Owned] = defaultdict(list)
        for student, file, owner in self._owned(files):
            owned[student].append((file, owner))
        for student in self.roster.students.values() if self.roster else ():
            owned[student] += []
        tasks = []
        with Opener(self.root, self.spool) as opener:
            for student in sorted(owned, key=lambda s: (normalized(s.key), s.key)):
                tasks += self._of_student(student, self._candidates(student, owned[student], opener), opener)
        return tasks

    def _without_nobodys(self, files: list[FoundFile]) -> list[FoundFile]:
        """The files that may be a student's; what is told names the others."""
        kept: list[FoundFile] = []
        names: list[str] = []
        for file in files:
            if self._is_nobodys(file):
                names.append(clipped(file.place[0]))
            else:
                kept.append(file)
        if names:
            more = f" and {len(names) - OTHERS_SHOWN} more" if len(names) > OTHERS_SHOWN else ""
            self.said.append(f"no notebooks, and not read: {', '.join(names[:OTHERS_SHOWN])}{more}")
        return kept

    def _is_nobodys(self, file: FoundFile) -> bool:
        """Whether a file beside the submissions is no notebook, and no student's by its name.

        Blackboard's note about an attempt, which is named as its files are but ends with the time, is none's.
        """
        if len(file.place) != 1 or file.problem != NO_NOTEBOOK:
            return False
        name = _owners_name(file, self.root)
        named = self.roster is not None and self.roster.named(Owner.free(name))
        attempt = BLACKBOARD_PART.search(name)
        is_note = file.suffix == ".txt" and attempt is not None and attempt.end() == len(name)
        return is_note or not (named or is_of_a_platform(name))

    def _owned(self, files: Sequence[FoundFile]) -> list[tuple[Student, FoundFile, Owner]]:
        names = [_owners_name(file, self.root) for file in files]
        platforms = self.platforms
        if platforms is None:
            platforms, decision = decided(list(dict.fromkeys(names)))
            self.said += [decision] if decision else []
        owners = {name: owner_of(name, platforms, self.exercises) for name in names}
        meant = self._meant(owners.values())
        keys = {owner: _key(owner, len(platforms) > 1) for owner in owners.values()}
        listed = set(map(normalized, self.roster.students)) if self.roster else set()
        numbered = {normalized(key) for owner, key in keys.items() if owner.number}
        for owner in keys:
            while normalized(keys[owner]) in (listed if owner.number else listed | numbered):
                keys[owner] += "_unknown"
        students = {name: self._student(name, o, keys[o], meant.get(o, [])) for name, o in owners.items()}
        return [(students[name], file, owners[name]) for name, file in zip(names, files, strict=True)]

    def _meant(self, owners: Iterable[Owner]) -> dict[Owner, list[Student]]:
        """The students of the roster that each owner may be.

        Two people with numbers of their own on the platform are not one student; neither is believed.
        """
        if self.roster is None:
            return {}
        meant = {owner: self.roster.named(owner) for owner in owners if not owner.doubt}
        numbers: dict[tuple[str, bool], set[str]] = defaultdict(set)
        sure = {owner: found[0] for owner, found in meant.items() if len(found) == 1 and owner.number}
        for owner, student in sure.items():
            numbers[student.key, bool(owner.canvas_id)].add(owner.number)
        for owner, student in sure.items():
            if len(numbers[student.key, bool(owner.canvas_id)]) > 1:
                meant[owner] = [student, student]
        return meant

    def _student(self, name: str, owner: Owner, key: str, meant: list[Student]) -> Student:
        """Whose a file of this name is; a stranger is called ``key``."""
        if len(meant) == 1:
            (student,) = meant
        else:
            student = Student(key, owner.name, "", owner.canvas_id, owner.moodle_id)
        if owner.doubt or owner.remark:
            self._note(student.key, f"{clipped(name)}: {owner.doubt or owner.remark}")
        if len(meant) > 1:
            others = list(dict.fromkeys(s.key for s in meant))
            told = " and ".join(others) if len(others) > 1 else f"{others[0]}, as could others of that name"
            self._note(student.key, f"{owner.name} could be {told}")
            for other in others:
                self._note(other, f"{student.key} could be {other}: it counts for nobody")
        elif not meant and self.roster is not None and not owner.doubt:
            self._note(student.key, f"{clipped(owner.name)} is not in the roster")
        return student

    def _note(self, student: str, text: str) -> None:
        if text not in self._notes[student]:
            self._notes[student].append(text)

    def _candidates(self, student: Student, files: Owned, opener: Opener) -> list[Candidate]:
        """What a student handed in, notebooks before archives, within one budget."""
        budget = Budget()
        found = []
        for file, owner in sorted(files, key=lambda one: one[0].suffix == ".zip"):
            found += [self._candidate(student, one, owner) for one in opener.opened(file, budget)]
        return found

    def _candidate(self, student: Student, file: FoundFile, owner: Owner) -> Candidate:
        candidate = Candidate(file, owner, self._submitted(student, file, owner))
        candidate = replace(candidate, told=self._told(file, owner))
        if file.trouble:
            return replace(candidate, trouble=f"{file.label}: {file.trouble}")
        if file.path is None:
            return replace(candidate, problem=f"{file.label}: {file.problem}")
        try:
            content = notebook_bytes(file.path)
            candidate = replace(candidate, sha256=hashlib.sha256(content).hexdigest())
            marks = frozenset(parse_submission(content, file.label).answers)
        except NotebookError as error:
            return replace(candidate, problem=str(error))
        except Exception as error:  # whatever it is, it must not cost the others their grades
            if is_trouble(error):
                return replace(candidate, trouble=f"{file.label}: cannot be read: {told(error)}")
            return replace(candidate, problem=f"{file.label}: cannot be read ({told(error)})")
        marked = frozenset(name for name, questions in self.exercises.items() if questions & marks)
        if marks and not marked:
            marked = frozenset([", ".join(sorted(marks))])
        return replace(candidate, marked=marked)

    def _submitted(self, student: Student, file: FoundFile, owner: Owner) -> Submitted | None:
        if student.submitted:
            return self._told_time(read_time(student.submitted, "submitted"), "roster")
        if owner.submitted is not None:
            return self._told_time(owner.submitted, "file name")
        if file.modified is None:
            return None
        return self._told_time(file.modified, "archive entry" if file.entry else "modification time")

    def _told_time(self, time: datetime, source: str) -> Submitted:
        aware, note = in_zone(time, self.zone)
        return Submitted(aware, source, f"the {source} says {note}" if note else "")

    def _told(self, file: FoundFile, owner: Owner) -> str:
        """The exercise that the names below the student's own tell."""
        names = [*file.place[1:], *file.inside.split("/"), owner.file]
        for exercise in self.exercises:
            if any(exercise.casefold() in name.casefold() for name in names):
                return exercise
        return ""

    def _of_student(self, student: Student, candidates: list[Candidate], opener: Opener) -> list[Task]:
        trouble = "; ".join(c.trouble for c in candidates if c.trouble)
        notes = tuple(self._notes[student.key])
        if trouble:
            opener.discard([c.file for c in candidates])
            return [Task(student, exercise, notes=notes, trouble=trouble) for exercise in self.exercises]
        tasks = [self._task(student, exercise, candidates, notes) for exercise in self.exercises]
        kept = {task.chosen.file for task in tasks if task.chosen is not None}
        opener.discard([c.file for c in candidates if c.file not in kept])
        return tasks

    def _task(
        self, student: Student, exercise: str, candidates: list[Candidate], notes: tuple[str, ...]
    ) -> Task:
        certain = [c for c in candidates if exercise in c.marked or (not c.marked and c.told == exercise)]
        possible = [c for c in candidates if not c.marked and not c.told]
        ranked = sorted(certain or possible, key=lambda c: c.rank, reverse=True)
        if not ranked:
            strange = [c for c in candidates if c.marked and c.marked.isdisjoint(self.exercises)]
            notes += tuple(f"{c.file.label} answers {', '.join(c.marked)}" for c in strange)
        elif ranked[0].submitted is not None and ranked[0].submitted.note:
            notes += (ranked[0].submitted.note,)
        unread = [c for c in possible if c.problem and c not in ranked and c.file.problem != NO_NOTEBOOK]
        others = _others([*ranked[1:], *unread])
        return Task(student, exercise, ranked[0] if ranked else None, others, notes)


def _owners_name(file: FoundFile, root: Path) -> str:
    """The part of a place that tells whose it is, with accents composed."""
    first = file.place[0] if file.place else root.name
    name = first if len(file.place) > 1 else PurePosixPath(first).stem
    return unicodedata.normalize("NFC", name)


def _key(owner: Owner, among_several: bool) -> str:
    """What a student is called whom no roster names: with the number, which nobody else has."""
    platform = ("canvas" if owner.canvas_id else "moodle") if among_several else ""
    return "_".join(filter(None, (owner.name, platform, owner.number))) if owner.number else owner.name


def _others(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    texts = [
        f"{c.file.label}: {c.problem.removeprefix(f'{c.file.label}: ') or 'older'}"
        for c in candidates[:OTHERS_SHOWN]
    ]
    more = len(candidates) - OTHERS_SHOWN
    return (*texts, f"{more} more files") if more > 0 else tuple(texts)


def _unwrapped(files: list[FoundFile], root: Path, roster: Roster | None) -> list[FoundFile]:
    """Without a folder that holds all of an archive and is no student's."""
    while files and len({file.place[:1] for file in files}) == 1 and all(len(f.place) > 1 for f in files):
        wrapper = files[0].place[0]
        children = {file.place[1] for file in files}
        if is_of_a_platform(wrapper):
            break
        if roster is not None and roster.named(Owner.free(wrapper)):
            break
        if roster is None and (root.is_dir() or len(children) == 1):
            break
        files = [replace(file, place=file.place[1:]) for file in files]
    return files
