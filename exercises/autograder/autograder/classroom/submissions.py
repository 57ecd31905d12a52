"""What a class handed in: the notebook for each student and exercise.

A student's notebook answers the exercise whose questions its cells mark; where it marks none, the one that
its name tells, else any that the student has no other notebook for. Of several the newest that can be read
counts (``candidates``). No student's row depends on what another one handed in, but for a group's.
"""

import hashlib
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from autograder.classroom.archives import NO_NOTEBOOK, FoundFile, clipped, find, is_trouble, told
from autograder.classroom.candidates import Candidate, Submitted, others_told
from autograder.classroom.csv_files import TableError, listed
from autograder.classroom.gradescope_export import GRADESCOPE_FOLDER, METADATA, Export, gradescope_export
from autograder.classroom.names import (
    BLACKBOARD_PART,
    Owner,
    decided,
    is_of_a_platform,
    normalized,
    owner_of,
    shared_front,
)
from autograder.classroom.roster import WORK, Roster, Student
from autograder.classroom.times import EARLIEST, in_zone, read_time
from autograder.classroom.unpacking import Budget, Opener
from autograder.judging.notebook import NotebookError, notebook_bytes, parse_submission

# what Sakai puts into the folder of every student, and of these the place of what an instructor sent back
SAKAIS_OWN = ("Feedback Attachment(s)", "Feedback Attachments", "timestamp.txt", "comments.txt")


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
    _other_names: list[str] = field(default_factory=list)

    def tasks(self) -> list[Task]:
        """One for each student and exercise, in the order of the students' keys."""
        try:
            found = find(self.root)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise TableError(f"{self.root}: cannot be read: {told(error)}") from None
        self.said += self.roster.said if self.roster else []
        export = gradescope_export(self.root, found)
        if export is not None:
            files = self._without_nobodys(export.files)
        else:
            files = self._without_nobodys(self._unwrapped(self._without_nobodys(found)))
        owned: dict[Student, Owned] = defaultdict(list)
        for student, file, owner in self._owned(files, export):
            owned[student].append((file, owner))
        for student in self.roster.students.values() if self.roster else ():
            owned[student] += []
        if self._other_names and not all(owned.values()):
            self.said.append(
                "handed in under names that are neither the student's nor a group's in the roster: "
                f"{listed(self._other_names)}. If these are groups, name them in its column 'group', "
                "or their other members are missing"
            )
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
                names += [file.label] if file.place[-1] not in SAKAIS_OWN else []
            else:
                kept.append(file)
        if names:
            self.said.append(f"no notebooks, and not read: {listed(names)}")
        return kept

    def _unwrapped(self, files: list[FoundFile]) -> list[FoundFile]:
        """The files without a folder that holds all of a class and is no student's.

        A folder of one thing that is not named for the work or as its archive is may be a student's whom the
        roster does not have: whose file lies in it is then not read from the file's name.
        """
        while files and len({file.place[:1] for file in files}) == 1 and all(len(f.place) > 1 for f in files):
            wrapper = files[0].place[0]
            children = {file.place[1] for file in files}
            if is_of_a_platform(wrapper) or GRADESCOPE_FOLDER.fullmatch(wrapper):
                break
            if 2 * sum(map(is_of_a_platform, children)) <= len(children):
                if self._may_be_a_students(wrapper, len(children)):
                    break
                if self.roster is not None and normalized(wrapper) != normalized(self.root.stem):
                    told = f"{clipped(wrapper)!r} is nobody's in the roster"
                    self.said.append(f"{told}: what it holds is read as the class")
            files = [replace(file, place=file.place[1:]) for file in files]
        return files

    def _may_be_a_students(self, folder: str, n_children: int) -> bool:
        if self.roster is None:
            return self.root.is_dir() or n_children == 1
        free = Owner.free(folder)
        if self.roster.named(free) or self.roster.members(free):
            return True
        is_the_class = normalized(folder) == normalized(self.root.stem) or WORK.search(folder)
        return n_children == 1 and not is_the_class

    def _is_nobodys(self, file: FoundFile) -> bool:
        """Whether a file beside the submissions is no notebook, and no student's by its name.

        Blackboard's note about an attempt, which is named as its files are but ends with the time, is none's,
        and neither is what Sakai keeps of an instructor's beside a student's files.
        """
        if len(file.place) > 1 and file.place[1] in SAKAIS_OWN and is_of_a_platform(file.place[0]):
            return True
        if len(file.place) != 1 or file.problem != NO_NOTEBOOK:
            return False
        name = _owners_name(file, self.root)
        free = Owner.free(name)
        named = self.roster is not None and (self.roster.named(free) or self.roster.members(free))
        attempt = BLACKBOARD_PART.search(name)
        is_note = file.suffix == ".txt" and attempt is not None and attempt.end() == len(name)
        return is_note or not (named or is_of_a_platform(name))

    def _owned(
        self, files: Sequence[FoundFile], export: Export | None
    ) -> list[tuple[Student, FoundFile, Owner]]:
        """Each file with whom it is credited to, several students if a group handed it in."""
        names = [_owners_name(file, self.root) for file in files]
        people = self._gradescope(names, export) if export else self._people(names)
        owners = [owner for found in people.values() for owner in found]
        platforms = {bool(owner.canvas_id) for owner in owners if owner.canvas_id or owner.moodle_id}
        meant = self._meant(owners)
        keys = {owner: _key(owner, len(platforms) > 1) for owner in owners}
        listed = set(map(normalized, self.roster.students)) if self.roster else set()
        numbered = {normalized(key) for owner, key in keys.items() if owner.number}
        for owner in keys:
            while normalized(keys[owner]) in (listed if owner.number else listed | numbered):
                keys[owner] += "_unknown"
        students = {
            name: [(self._student(name, owner, keys[owner], meant.get(owner, [])), owner) for owner in found]
            for name, found in people.items()
        }
        return [(s, file, o) for name, file in zip(names, files, strict=True) for s, o in students[name]]

    def _gradescope(self, names: Sequence[str], export: Export) -> dict[str, list[Owner]]:
        """The submitters of each folder."""
        self.said.append(f"{METADATA} of Gradescope says whose the submissions are")
        unknown = f"{METADATA} does not name it"
        return {name: export.owners.get(name) or [Owner(name, doubt=unknown)] for name in names}

    def _people(self, names: Sequence[str]) -> dict[str, list[Owner]]:
        """Whose each name is: one owner's, or those of the members of a group of the roster."""
        platforms = self.platforms
        if platforms is None:
            platforms, decision = decided(list(dict.fromkeys(names)))
            self.said += [decision] if decision else []
        front = shared_front(names)
        people = {}
        for name in names:
            owner = owner_of(name, platforms, self.exercises, front)
            people[name] = [owner]
            if self.roster is None or owner.doubt:
                continue
            one = self.roster.under_another_name(owner)
            if one is None and self.roster.named(owner):
                continue
            plain = replace(owner, canvas_id="", moodle_id="", account="", other_id="", is_free=False)
            members = self.roster.members(owner)
            if members and (one is None or one in members):
                people[name] = [replace(plain, name=student.key) for student in members]
            elif one is not None:
                self._other_names.append(f"{clipped(owner.name)} ({one.key})")
        return people

    def _meant(self, owners: Iterable[Owner]) -> dict[Owner, list[Student]]:
        """The students of the roster that each owner may be.

        Two people with numbers of their own on the platform are not one student; neither is believed, unless
        the roster has the number of one, or the numbers are Moodle's for several exercises.
        """
        if self.roster is None:
            return {}
        owners = list(dict.fromkeys(owner for owner in owners if not owner.doubt))
        meant = {owner: self.roster.named(owner) for owner in owners}
        by_name = {student.key for found in meant.values() for student in found}
        for owner in owners:  # such as 'Participant', where names are hidden
            numbered = self.roster.numbered(owner.moodle_id) if not meant[owner] else []
            if numbered and numbered[0].key not in by_name:
                meant[owner] = numbered
                told = f"{clipped(owner.name)} is known by the number {owner.moodle_id} of the roster alone"
                self._note(numbered[0].key, told)
        sure = {owner: found[0] for owner, found in meant.items() if len(found) == 1 and owner.number}
        by_number = {student.key for owner, student in sure.items() if owner.moodle_id == student.moodle_id}
        for owner, found in meant.items():
            if len(found) > 1 and owner.moodle_id:
                meant[owner] = [student for student in found if student.key not in by_number] or found
        same: dict[tuple[str, bool], set[str]] = defaultdict(set)
        for owner, student in sure.items():
            same[student.key, bool(owner.moodle_id)].add(owner.number)
        for owner, student in sure.items():
            if len(same[student.key, bool(owner.moodle_id)]) == 1:
                continue
            if owner.moodle_id and student.moodle_id in same[student.key, True]:
                meant[owner] = [student] if owner.moodle_id == student.moodle_id else []
            elif not owner.moodle_id or len(self.exercises) == 1:
                meant[owner] = [student, student]
        return meant

    def _student(self, name: str, owner: Owner, key: str, meant: list[Student]) -> Student:
        """Whose a file of this name is; a stranger is called ``key``."""
        if len(meant) == 1:
            (student,) = meant
        else:
            student = Student(key, owner.name, owner.email, owner.canvas_id, owner.moodle_id)
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
        candidate = replace(
            candidate,
            told=self._told(file, owner),
            changed=in_zone(file.modified, self.zone)[0] if file.modified else EARLIEST,
            inside=in_zone(file.inside_modified, self.zone)[0] if file.inside_modified else EARLIEST,
        )
        if file.trouble:
            return replace(candidate, trouble=f"{file.label}: {file.trouble}")
        if file.problem or file.path is None:
            return replace(candidate, problem=f"{file.label}: {file.problem}")
        try:
            content = notebook_bytes(file.path)
            candidate = replace(candidate, sha256=hashlib.sha256(content).hexdigest())
            answers = parse_submission(content, file.label).answers
            marks = {question: len(cells) for question, cells in answers.items()}
        except NotebookError as error:
            return replace(candidate, problem=str(error))
        except Exception as error:  # whatever it is, it must not cost the others their grades
            if is_trouble(error):
                return replace(candidate, trouble=f"{file.label}: cannot be read: {told(error)}")
            return replace(candidate, problem=f"{file.label}: cannot be read ({told(error)})")
        marked = frozenset(name for name, questions in self.exercises.items() if questions & set(marks))
        if marks and not marked:
            marked = frozenset([", ".join(sorted(marks))])
        return replace(candidate, marked=marked, answered=marks)

    def _submitted(self, student: Student, file: FoundFile, owner: Owner) -> Submitted | None:
        if student.submitted:
            return self._told_time(read_time(student.submitted, "submitted"), "roster")
        if owner.submitted is not None:
            return self._told_time(owner.submitted, owner.source)
        if file.modified is None:
            return None
        source = "archive entry" if file.modified.tzinfo is None else "modification time"
        return self._told_time(file.modified, source)

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
        if ranked:
            notes += self._repeated(ranked[0], exercise)
        unread = [c for c in possible if c.problem and c not in ranked and c.file.problem != NO_NOTEBOOK]
        chosen = ranked[0] if ranked else None
        numbers = sorted({c.owner.moodle_id for c in ranked if c.owner.moodle_id and not c.problem})
        if chosen is not None and len(numbers) > 1 and student.moodle_id not in numbers:
            told = (
                f"{' and '.join(numbers)} on Moodle, both of that name, handed in: which counts is not known"
            )
            return Task(student, exercise, None, others_told([*ranked, *unread], None), (*notes, told))
        return Task(student, exercise, chosen, others_told([*ranked[1:], *unread], chosen), notes)

    def _repeated(self, candidate: Candidate, exercise: str) -> tuple[str, ...]:
        """Which cells of a notebook are not read, as others have their mark."""
        counts = {question: candidate.answered.get(question, 0) for question in self.exercises[exercise]}
        return tuple(
            f"{count} cells are marked as {question}: the last that is answered counts"
            for question, count in sorted(counts.items())
            if count > 1
        )


def _owners_name(file: FoundFile, root: Path) -> str:
    """The part of a place that tells whose it is, with accents composed."""
    first = file.place[0] if file.place else root.name
    name = first if len(file.place) > 1 else PurePosixPath(first).stem
    return unicodedata.normalize("NFC", name)


def _key(owner: Owner, among_several: bool) -> str:
    """What a student is called whom no roster names: with the number, which nobody else has."""
    platform = ("canvas" if owner.canvas_id else "moodle") if among_several else ""
    return "_".join(filter(None, (owner.name, platform, owner.number))) if owner.number else owner.name
