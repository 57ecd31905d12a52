"""What the name of a file or folder says: whose it is, on which course platform, and when it came.

A platform puts its own part before the name that a student chose. Which platform named the files is decided
once for a class; a name that can be read in two ways is read in none.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.classroom.csv_files import TableError
from autograder.classroom.times import YEARS

CANVAS_NAME = re.compile(r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<id>[0-9]+)_[0-9]+_(?P<file>.+)", re.DOTALL)
MOODLE_PART = re.compile(r"_(?P<id>[0-9]+)_assignsubmission_(?:file|onlinetext)(?:_|$)")
BLACKBOARD_PART = re.compile(r"_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?=[_.]|$)")


def normalized(text: str) -> str:
    """The text as names are compared: accents composed, case folded, no blanks around it."""
    return unicodedata.normalize("NFC", text.casefold()).strip()


@dataclass(frozen=True)
class Owner:
    """What a name says about its owner; ``file`` is the part that the student chose.

    ``submitted`` is the platform's time, without a zone. ``doubt`` says why the name is nobody's, and
    ``remark`` what is odd about it. Other words may follow a student's name only in names that people chose
    (``is_free``).
    """

    name: str
    canvas_id: str = ""
    moodle_id: str = ""
    marked_late: bool = False
    submitted: datetime | None = None
    file: str = ""
    is_free: bool = False
    doubt: str = ""
    remark: str = ""

    @property
    def number(self) -> str:
        """The platform's number of the owner, if it gives one."""
        return self.canvas_id or self.moodle_id

    @classmethod
    def free(cls, name: str, exercises: Iterable[str] = ()) -> "Owner":
        """From a name that no platform made: the exercise's name may follow the student's."""
        for exercise in exercises:
            if found := re.fullmatch(rf"(.+?)[-_ .]+{re.escape(exercise)}", name, re.IGNORECASE):
                return cls(found[1], file=exercise, is_free=True)
        return cls(name, is_free=True)


def _canvas(name: str) -> list[Owner]:
    found = CANVAS_NAME.fullmatch(name)
    if not found:
        return []
    return [Owner(found["name"], canvas_id=found["id"], marked_late=bool(found["late"]), file=found["file"])]


def _moodle(name: str) -> list[Owner]:
    parts = [found for found in MOODLE_PART.finditer(name) if found.start()]
    return [Owner(name[: p.start()], moodle_id=p["id"], file=name[p.end() :]) for p in parts]


def _blackboard(name: str) -> list[Owner]:
    owners = []
    for part in BLACKBOARD_PART.finditer(name):
        work, _, student = name[: part.start()].rpartition("_")
        try:
            time = datetime.strptime(part["time"], "%Y-%m-%d-%H-%M-%S")
        except ValueError:
            continue
        if work and student and time.year in YEARS:
            owners.append(Owner(student, submitted=time, file=name[part.end() :].lstrip("_")))
    return owners


# By name, the ways in which a platform can have made a name.
PLATFORMS: dict[str, Callable[[str], list[Owner]]] = {
    "canvas": _canvas,
    "moodle": _moodle,
    "blackboard": _blackboard,
}
NO_PLATFORM = "none"


def is_of_a_platform(name: str) -> bool:
    """Whether some platform can have made this name."""
    return any(read(name) for read in PLATFORMS.values())


def decided(names: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The platform that made more than half of the names, and how to say so; none where there is no such."""
    fitting = {platform: sum(bool(read(name)) for name in names) for platform, read in PLATFORMS.items()}
    most = max(fitting.values())
    if 2 * most <= len(names):
        return (), ""
    found = [platform for platform, count in fitting.items() if count == most]
    if len(found) > 1:
        told = " and ".join(platform.capitalize() for platform in found)
        raise TableError(f"the names fit {told} alike; say with --platform which of them made the export")
    told = f"{most} of {len(names)} names are {found[0].capitalize()}'s: all are read so"
    return tuple(found), f"{told} (--platform says otherwise)"


def owner_of(name: str, platforms: Sequence[str], exercises: Iterable[str]) -> Owner:
    """Whose a file is, by the first part of its place; ``platforms`` are those that made the export."""
    if not platforms:
        return Owner.free(name, exercises)
    read = [(platform, owner) for platform, reader in PLATFORMS.items() for owner in reader(name)]
    if len(read) > 1:
        ways = " and ".join(f"{platform.capitalize()}'s of {owner.name}" for platform, owner in read)
        return Owner(name, doubt=f"its name can be read in {len(read)} ways ({ways}), so it is nobody's")
    made = " or ".join(platform.capitalize() for platform in platforms)
    if not read:
        return Owner(name, remark=f"its name is none that {made} gives")
    ((platform, owner),) = read
    if platform in platforms:
        return owner
    doubt = f"its name is one that {platform.capitalize()} gives, but the class is read as {made}'s"
    return Owner(name, doubt=doubt)
