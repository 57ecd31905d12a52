"""Times and their zones: read, placed in a zone by name, and moved on, also when clocks change.

Python compares and subtracts two times of one zone by what their clocks show; here instants are compared.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from zoneinfo import ZoneInfo

from autograder.classroom.csv_files import TableError

EARLIEST = datetime.min.replace(tzinfo=UTC)
YEARS = range(1970, 3000)
DAY = timedelta(days=1)
NAMED = re.compile(r"(?P<time>\S+)\s+(?P<zone>[A-Za-z][\w+/-]*)", re.ASCII)
FORM = "2026-10-05T23:59+02:00 or '2026-10-05T23:59 Europe/Berlin'"


def instant(time: datetime) -> datetime:
    """The time in UTC, which can be compared and subtracted."""
    return time.astimezone(UTC)


def _offsets(time: datetime, zone: tzinfo) -> list[timedelta]:
    """How far ahead of UTC the zone's clocks are when they show this time: twice, once, or never."""
    found = []
    for fold in (0, 1):
        placed = time.replace(tzinfo=zone, fold=fold)
        offset, back = placed.utcoffset(), placed.astimezone(UTC).astimezone(zone)
        if offset is not None and back.replace(tzinfo=None, fold=0) == time.replace(fold=0):
            found.append(offset)
    return list(dict.fromkeys(found))


def read_time(text: str, what: str) -> datetime:
    """Read an ISO time, whose zone is an offset, a name or missing; TableError says how it should look."""
    form = f"{what} is {text!r}; it should be a time with its zone, such as {FORM}"
    named = NAMED.fullmatch(text.strip())
    try:
        time = datetime.fromisoformat(named["time"] if named else text)
    except ValueError:
        raise TableError(form) from None
    if time.year not in YEARS:
        raise TableError(form)
    if named is None:
        return time
    try:
        zone = ZoneInfo(named["zone"])
    except (ValueError, OSError, KeyError):
        raise TableError(f"{what} is {text!r}; there is no zone {named['zone']!r}") from None
    clock = time.replace(tzinfo=None)
    offsets = _offsets(clock, zone)
    if not offsets:
        raise TableError(f"{what} is {text!r}; clocks there skip this time")
    if time.tzinfo is None and len(offsets) == 1:
        return clock.replace(tzinfo=zone)
    if time.utcoffset() not in offsets:
        right = " or ".join(clock.replace(tzinfo=timezone(o)).isoformat("T", "minutes") for o in offsets)
        why = "clocks there show this time twice" if len(offsets) > 1 else "clocks there have another offset"
        raise TableError(f"{what} is {text!r}; {why}: give {right}, then the zone")
    return instant(time).astimezone(zone)


def aware_time(text: str, what: str) -> datetime:
    """Read an ISO time with its zone; TableError if it has none."""
    time = read_time(text, what)
    if time.tzinfo is None:
        form = f"it should be a time with its zone, such as {FORM}"
        raise TableError(f"{what} is {text!r}; {form} (it names no zone)")
    return time


def in_zone(time: datetime, zone: tzinfo) -> tuple[datetime, str]:
    """The time at a fixed offset, that of ``zone`` if it names none, and what is doubtful about it."""
    if time.tzinfo is not None:
        return time, ""
    offsets = _offsets(time, zone)
    # where clocks show a time twice, the earlier one; where they skip it, the one that follows
    placed = time.replace(tzinfo=zone, fold=0)
    offset = placed.astimezone(UTC).astimezone(zone).utcoffset() or timedelta(0)
    fixed = placed.astimezone(timezone(offset))
    if len(offsets) == 1:
        return fixed, ""
    told = f"{time:%Y-%m-%d %H:%M}, which clocks in {zone} {'show twice' if offsets else 'skip'}"
    return fixed, f"{told}; {fixed.isoformat('T', 'minutes')} is taken"


def later(time: datetime, days: Fraction, hours: Fraction = Fraction(0)) -> datetime:
    """The time so many calendar days of its zone on, and then so many hours of sixty minutes."""
    whole = int(days)
    hours += (days - whole) * 24
    moved = time + whole * DAY
    return (instant(moved) + timedelta(seconds=float(hours * 3600))).astimezone(time.tzinfo)


def started_days(since: datetime, until: datetime) -> int:
    """How many calendar days of its zone have begun after ``since``."""
    count = max(0, -((instant(since) - instant(until)) // DAY))
    while count and instant(later(since, Fraction(count - 1))) >= instant(until):
        count -= 1
    while instant(later(since, Fraction(count))) < instant(until):
        count += 1
    return count
