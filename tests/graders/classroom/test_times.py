"""Times in zones: read, moved on and compared as instants, also when clocks change."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from autograder.classroom.csv_files import TableError
from autograder.classroom.policy import LatePolicy, Rules, read_extensions
from autograder.classroom.submissions import Submitted
from autograder.classroom.times import aware_time, in_zone, later, started_days
from class_cases import answering, roster, tasks_of

BERLIN = ZoneInfo("Europe/Berlin")
# clocks go back on 2026-10-25 at 03:00, and forward on 2026-03-29 at 02:00
BEFORE_AUTUMN = aware_time("2026-10-24T23:59 Europe/Berlin", "x")
BEFORE_SPRING = aware_time("2026-03-28T23:59 Europe/Berlin", "x")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text, instant",
    [
        ("2026-10-05T23:59 Europe/Berlin", "2026-10-05T21:59"),
        ("2026-11-05T23:59 Europe/Berlin", "2026-11-05T22:59"),
        ("2026-10-25T02:30+02:00 Europe/Berlin", "2026-10-25T00:30"),
        ("2026-10-25T02:30+01:00 Europe/Berlin", "2026-10-25T01:30"),
        ("2026-10-05T23:59 America/Argentina/Buenos_Aires", "2026-10-06T02:59"),
        ("2026-10-05T23:59  UTC", "2026-10-05T23:59"),
        ("2026-10-05T23:59-03:30", "2026-10-06T03:29"),
    ],
)
def test_a_zone_is_an_offset_or_a_name(text: str, instant: str) -> None:
    assert aware_time(text, "--deadline").astimezone(UTC) == utc(instant)


@pytest.mark.parametrize(
    "text, told",
    [
        (
            "2026-10-25T02:30 Europe/Berlin",
            "show this time twice: give 2026-10-25T02:30+02:00 or 2026-10-25T02:30+01",
        ),
        ("2026-03-29T02:30 Europe/Berlin", "clocks there skip this time"),
        ("2026-10-05T23:59+05:00 Europe/Berlin", "another offset: give 2026-10-05T23:59+02:00"),
        ("2026-10-05T23:59 Europe/Berlim", "there is no zone 'Europe/Berlim'"),
        ("2026-10-05T23:59 ../../etc/passwd", "it should be a time with its zone"),
        ("9999-12-31T23:59 Europe/Berlin", "it should be a time with its zone"),
    ],
)
def test_a_time_that_is_none_or_two_is_refused(text: str, told: str) -> None:
    with pytest.raises(TableError) as caught:
        aware_time(text, "--deadline")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "clock, offset, doubtful",
    [
        ("2026-10-25T01:59:59", 2, ""),
        ("2026-10-25T02:30", 2, "show twice"),
        ("2026-10-25T03:00", 1, ""),
        ("2026-03-29T01:59:59", 1, ""),
        ("2026-03-29T03:00", 2, ""),
    ],
)
def test_a_clocks_time_is_that_of_the_zone_on_that_day(clock: str, offset: int, doubtful: str) -> None:
    time, note = in_zone(datetime.fromisoformat(clock), BERLIN)
    assert time == utc(clock) - timedelta(hours=offset)
    assert (doubtful in note) if doubtful else not note


def test_a_time_that_clocks_skip_is_the_one_after_it() -> None:
    time, note = in_zone(datetime(2026, 3, 29, 2, 30), BERLIN)
    assert time == utc("2026-03-29T01:30")
    assert note == "2026-03-29 02:30, which clocks in Europe/Berlin skip; 2026-03-29T03:30+02:00 is taken"


def test_days_are_those_of_the_calendar_and_hours_have_sixty_minutes() -> None:
    assert later(BEFORE_AUTUMN, Fraction(1)).astimezone(UTC) == utc("2026-10-25T22:59")
    assert later(BEFORE_AUTUMN, Fraction(0), Fraction(24)).astimezone(UTC) == utc("2026-10-25T21:59")
    assert later(BEFORE_SPRING, Fraction(1)).astimezone(UTC) == utc("2026-03-29T21:59")
    assert later(BEFORE_SPRING, Fraction(3, 2)).astimezone(UTC) == utc("2026-03-30T09:59")


@pytest.mark.parametrize("deadline", [BEFORE_AUTUMN, BEFORE_SPRING], ids=["autumn", "spring"])
def test_started_days_are_counted_on_the_calendar(deadline: datetime) -> None:
    for days in range(5):
        on_time = later(deadline, Fraction(days))
        assert started_days(deadline, on_time) == days
        assert started_days(deadline, on_time.astimezone(UTC) + timedelta(seconds=1)) == days + 1
    assert started_days(deadline, deadline - timedelta(days=9)) == 0


def test_lateness_is_what_has_passed_and_not_what_clocks_show(tmp_path: Path) -> None:
    """From 23:59 to the second 02:59 of that night there are four hours."""
    rules = Rules(BEFORE_AUTUMN, LatePolicy.parse("10%/hour"))
    second = aware_time("2026-10-25T02:59+01:00 Europe/Berlin", "x")
    found = rules.lateness("al", "01_sample", Submitted(second, "roster"), False)
    assert (found.by, found.reduction) == (timedelta(hours=4), Fraction(4, 10))
    (tmp_path / "extensions.csv").write_text("student,hours\nal,3\n", encoding="utf-8")
    extended = read_extensions(tmp_path / "extensions.csv", ["al"], ["01_sample"])
    found = Rules(BEFORE_AUTUMN, LatePolicy.parse("10%/hour"), extended).lateness(
        "al", "01_sample", Submitted(second, "roster"), False
    )
    assert (found.by, found.reduction) == (timedelta(hours=1), Fraction(1, 10))


def test_a_roster_may_name_the_zone_and_a_doubtful_time_is_told(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    for name in ("al", "eh", "zt"):
        (tmp_path / "class" / f"{name}.ipynb").write_bytes(answering("01.1"))
    students = roster(
        tmp_path,
        "student,submitted\nal,2026-10-25T02:30 America/New_York\neh,2026-10-25T02:30\n"
        "zt,2026-10-25 02:30+01:00\n",
    )
    tasks = tasks_of(tmp_path / "class", roster=students, zone=BERLIN)
    times = {student: task.chosen.submitted.time.astimezone(UTC) for student, task in tasks.items()}
    assert times == {
        "al": utc("2026-10-25T06:30"),
        "eh": utc("2026-10-25T00:30"),
        "zt": utc("2026-10-25T01:30"),
    }
    assert tasks["al"].notes == tasks["zt"].notes == ()
    assert tasks["eh"].notes == (
        "the roster says 2026-10-25 02:30, which clocks in Europe/Berlin show twice; "
        "2026-10-25T02:30+02:00 is taken",
    )
