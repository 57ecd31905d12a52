"""The notebooks that a student handed in, which of them counts, and what is said of the others.

The newest that can be read counts: by the time of submission, by the number that Canvas appends to what is
handed in again, by the file's own time, by its time within the student's archive, and where times are equal
by the numbers in its name, as ``exercise (2)`` and ``exercise (10)`` have them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from autograder.classroom.archives import FoundFile
from autograder.classroom.names import Owner
from autograder.classroom.times import EARLIEST

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
    """A notebook of a student, or what stands where one should; ``marked`` are the exercises it answers.

    ``answered`` says how many cells mark each question. ``changed`` and ``inside`` are the times of the file
    and of the entry in the student's own archive, which only order a student's files.
    """

    file: FoundFile
    owner: Owner
    submitted: Submitted | None
    problem: str = ""
    trouble: str = ""
    sha256: str = ""
    marked: frozenset[str] = frozenset()
    told: str = ""
    changed: datetime = EARLIEST
    inside: datetime = EARLIEST
    answered: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def rank(self) -> tuple:
        """What orders the notebooks of a student; the largest counts."""
        again = RESUBMITTED.search(self.owner.file)
        number = int(again[1]) if again and self.owner.canvas_id else 0
        time = self.submitted.time if self.submitted else EARLIEST
        names = [_natural(name) for name in (*self.file.place, *self.file.inside.split("/"))]
        place = (names, self.file.place, self.file.inside)
        return (not self.problem, time, number, self.changed, self.inside, *place)


def _natural(name: str) -> list[str | int]:
    """What orders names as people do, whose numbers are no digits: words and numbers by turns."""
    stem = PurePosixPath(name).stem.casefold()
    return [int(piece) if piece.isdecimal() else piece for piece in re.split(r"([0-9]{1,18})", stem)]


def why_not(candidate: Candidate, chosen: Candidate) -> str:
    """Why the other one was chosen, in words."""
    if candidate.problem:
        return candidate.problem.removeprefix(f"{candidate.file.label}: ")
    reasons = (
        "",
        "older",
        "handed in before, by Canvas's number",
        "older, by the time of the file",
        "older, by the time in its archive",
        "of the same time, and a name that comes before",
    )
    differing = [place for place, (mine, its) in enumerate(zip(candidate.rank, chosen.rank)) if mine != its]
    return reasons[min(differing[0], 5)] if differing else reasons[-1]


def others_told(candidates: Sequence[Candidate], chosen: Candidate | None) -> tuple[str, ...]:
    """What is said of the files that are not graded."""
    texts = [
        f"{c.file.label}: {why_not(c, chosen) if chosen else c.problem or 'not graded'}"
        for c in candidates[:OTHERS_SHOWN]
    ]
    more = len(candidates) - OTHERS_SHOWN
    return (*texts, f"{more} more files") if more > 0 else tuple(texts)
