"""What the name of a file or folder says: whose it is, on which course platform, and when it came.

A platform puts its own part before the name that a student chose. Which platform named the files is decided
once for a class; a name that can be read in two ways is read in none.
"""

import contextlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.classroom.csv_files import TableError
from autograder.classroom.times import YEARS

CANVAS_NAME = re.compile(r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<id>[0-9]+)_[0-9]+_(?P<file>.+)", re.DOTALL)
MOODLE_PART = re.compile(r"_(?P<id>[0-9]+)_assignsubmission_(?:file|onlinetext)(?:_|$)")
# the time as the platform writes it parts the student's name from what the student chose
BRIGHTSPACE_NAME = re.compile(
    r"(?P<id>[0-9]+)-[0-9]+ - (?P<name>.+?) - "
    r"(?P<day>[A-Z][a-z]+ [0-9]{1,2}, [0-9]{4}) (?P<clock>[0-9]{1,2}[:_.-]?[0-9]{2}) ?(?P<half>[AaPp][Mm])"
    r"(?: ?- ?(?P<file>.*))?",
    re.DOTALL,
)
SAKAI_NAME = re.compile(
    r"(?P<last>[^(),]+), ?(?P<first>[^(),]+?) ?\((?P<account>[^()\s]*[^\W\d][^()\s]*|[0-9]{4,})\)"
)
GOOGLE_NAME = re.compile(r"(?:Copy of )*.+\.ipynb - (?P<name>[^.]+)", re.IGNORECASE)
BLACKBOARD_PART = re.compile(r"_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?=[_.]|$)")


def normalized(text: str) -> str:
    """The text as names are compared: accents composed, case folded, no blanks around it."""
    return unicodedata.normalize("NFC", text.casefold()).strip()


@dataclass(frozen=True)
class Owner:
    """What a name says about its owner; ``file`` is the part that the student chose.

    ``account`` and ``email`` are what the platform's users log in with; ``other_id`` only tells people
    apart. ``submitted`` is the platform's time, as ``source`` tells it. ``doubt`` says why the name is
    nobody's, and ``remark`` what is odd about it. Other words may stand beside a student's name only in names
    that people chose (``is_free``); ``front`` is what most of the class's names begin with.
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
    account: str = ""
    email: str = ""
    other_id: str = ""
    front: str = ""
    source: str = "file name"

    @property
    def number(self) -> str:
        """The platform's number of the owner, if it gives one."""
        return self.canvas_id or self.moodle_id or self.account or self.other_id or self.email

    @classmethod
    def free(cls, name: str, exercises: Iterable[str] = (), front: str = "") -> "Owner":
        """From a name that no platform made: the exercise's name may follow the student's.

        Google writes a student's name behind that of the file.
        """
        if google := GOOGLE_NAME.fullmatch(name):
            return cls(google["name"], is_free=True)
        for exercise in exercises:
            if found := re.fullmatch(rf"(.+?)[-_ .]+{re.escape(exercise)}", name, re.IGNORECASE):
                return cls(found[1], file=exercise, is_free=True)
        return cls(name, is_free=True, front=front)


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


def _brightspace(name: str) -> list[Owner]:
    found = BRIGHTSPACE_NAME.fullmatch(name)
    if not found:
        return []
    clock = re.sub(r"\D", "", found["clock"]).zfill(4)
    told = f"{found['day']} {clock} {found['half'].upper()}"
    time = None
    for form in ("%b %d, %Y %I%M %p", "%B %d, %Y %I%M %p"):
        with contextlib.suppress(ValueError):
            time = datetime.strptime(told, form)
    if time is not None and time.year not in YEARS:
        time = None
    return [Owner(found["name"], other_id=found["id"], submitted=time, file=found["file"] or "")]


def _sakai(name: str) -> list[Owner]:
    found = SAKAI_NAME.fullmatch(name)
    return [Owner(f"{found['first']} {found['last']}", account=found["account"])] if found else []


# By name, the ways in which a platform can have made a name.
PLATFORMS: dict[str, Callable[[str], list[Owner]]] = {
    "canvas": _canvas,
    "moodle": _moodle,
    "blackboard": _blackboard,
    "brightspace": _brightspace,
    "sakai": _sakai,
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


def shared_front(names: Iterable[str]) -> str:
    """What more than half of the names begin with, up to a hyphen; '' if nothing.

    GitHub Classroom puts the assignment before each student's name.
    """
    names = set(names)
    fronts = Counter(name[: found.end()] for name in names for found in re.finditer(r"-(?=.)", name))
    common = [front for front, count in fronts.items() if count > 1 and 2 * count > len(names)]
    return max(common, key=len, default="")


def owner_of(name: str, platforms: Sequence[str], exercises: Iterable[str], front: str = "") -> Owner:
    """Whose a file is, by the first part of its place; ``platforms`` are those that made the export."""
    if not platforms:
        if re.fullmatch(r"submission_[0-9]+", name):
            told = (
                "its name is Gradescope's, whose submission_metadata.yml, which says whose it is, is missing"
            )
            return Owner(name, doubt=told)
        return Owner.free(name, exercises, front)
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
