"""Deadlines, extensions, what lateness costs, points set by hand: exact, or refused."""

import csv
import io
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest
from autograder.classroom.csv_files import TableError, csv_text
from autograder.classroom.policy import (
    Lateness,
    LatePolicy,
    Override,
    Rules,
    exact,
    read_extensions,
    read_overrides,
)
from autograder.classroom.submissions import Submitted
from autograder.classroom.times import aware_time
from class_cases import answering, assessment, result, roster, tasks_of

DEADLINE = datetime(2026, 10, 5, 23, 59, tzinfo=timezone(timedelta(hours=2)))
EXACT = {"01_sample": {"01.1": 4, "01.2": 1}}


def after(**late: float) -> Submitted:
    return Submitted(DEADLINE + timedelta(**late), "roster")


@pytest.mark.parametrize(
    "policy, late, lost",
    [
        ("10%/day", timedelta(seconds=-1), "0"),
        ("10%/day", timedelta(0), "0"),
        ("10%/day", timedelta(seconds=1), "1/10"),
        ("10%/day", timedelta(days=1), "1/10"),
        ("10%/day", timedelta(days=1, seconds=1), "2/10"),
        ("10%/day", timedelta(days=40), "1"),
        ("10%/day,max=50%", timedelta(days=4), "4/10"),
        ("10%/day,max=50%", timedelta(days=6), "5/10"),
        ("10%/day,grace=15m", timedelta(minutes=15), "0"),
        ("10%/day,grace=15m", timedelta(minutes=15, seconds=1), "1/10"),
        ("10%/day,max=50%,grace=1d", timedelta(days=1, seconds=1), "2/10"),
        ("1.5%/hour", timedelta(hours=2, minutes=1), "45/1000"),
        ("20%", timedelta(days=9), "2/10"),
        ("0%/day", timedelta(days=9), "0"),
        ("33.3%/day", timedelta(days=3), "999/1000"),
    ],
)
def test_lateness_costs_exactly_what_the_policy_says(policy: str, late: timedelta, lost: str) -> None:
    assert LatePolicy.parse(policy).reduction(DEADLINE, DEADLINE + late) == Fraction(lost)


@pytest.mark.parametrize(
    "text, told",
    [
        ("10/day", "it should be a percentage"),
        ("110%/day", "from 0% to 100%"),
        ("-10%/day", "it should be a percentage"),
        ("10%/week", "10%/day, 1%/hour, or 10% once"),
        ("10%/", "10%/day, 1%/hour, or 10% once"),
        ("10%/day,max=half", "max is 'half'"),
        ("10%/day,grace=15", "it should look like 15m, 2h or 1d"),
        ("10%/day,cap=50%", "'cap=50%' is not known"),
        ("", "it should be a percentage"),
    ],
)
def test_a_late_policy_that_is_none_is_refused(text: str, told: str) -> None:
    with pytest.raises(TableError) as caught:
        LatePolicy.parse(text)
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["2026-10-05T23:59", "2026-10-05", "tomorrow", ""])
def test_a_time_without_zone_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(TableError, match=r"such as 2026-10-05T23:59\+02:00"):
        aware_time(text, "--deadline")
    assert aware_time("2026-10-05T23:59+02:00", "--deadline") == DEADLINE


def test_reduced_points_are_exact_and_raw_ones_are_kept() -> None:
    rules = Rules(DEADLINE, LatePolicy.parse("10%/day"))
    late = rules.lateness("al", "01_sample", after(hours=30), False)
    made = assessment(result("01.1", 3), result("01.2", 4), lateness=late)
    assert (made.grade.points, made.points, made.total) == (7, 7, Fraction(56, 10))
    fields = made.to_json()
    assert (fields["points"], fields["total"], fields["reduction_percent"]) == (7, 5.6, 20)
    assert (fields["late"], fields["late_by_seconds"]) == (True, 30 * 3600)


def test_within_the_grace_nobody_is_late() -> None:
    rules = Rules(DEADLINE, LatePolicy.parse("10%/day,grace=15m"))
    assert not rules.lateness("al", "01_sample", after(minutes=15), False).late
    assert rules.lateness("al", "01_sample", after(minutes=16), False).late


EXTENSIONS = """student,deadline,days,hours,exercise,reason
AL,,2,,,ill
eh,2026-10-07T12:00+02:00,,,01_sample,travels
zt,2026-10-01T12:00+02:00,,,,wrong row
"""


def test_an_extension_moves_the_deadline_of_its_student_and_exercise_alone(tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text(EXTENSIONS, encoding="utf-8")
    found = read_extensions(path, ["al", "bo", "eh", "zt"], ["01_sample", "02_other"])
    rules = Rules(DEADLINE, LatePolicy.parse("10%/day"), found)

    def late(student: str, exercise: str = "01_sample", **by: float) -> tuple[bool, Fraction]:
        told = rules.lateness(student, exercise, after(**by), False)
        return told.late, told.reduction

    assert late("bo", hours=36) == (True, Fraction(2, 10))
    assert late("al", days=2) == (False, 0)
    assert late("al", days=2, seconds=1) == (True, Fraction(1, 10))
    assert late("eh", hours=36) == (False, 0)
    assert late("eh", "02_other", hours=36) == (True, Fraction(2, 10))
    assert late("zt", minutes=-1) == (False, 0), "an extension never makes a deadline earlier"
    assert rules.lateness("al", "02_other", after(days=1), False).reason == "ill"


def test_rows_about_exercises_of_another_run_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "extensions.csv").write_text(
        "student,days,exercise\nal,1,01_sample\nal,9,02_other\ngone,9,02_other\n", encoding="utf-8"
    )
    found = read_extensions(tmp_path / "extensions.csv", ["al"], ["01_sample"], {"01_sample", "02_other"})
    assert [extension.days for extension in found["al"]] == [1] and list(found) == ["al"]
    (tmp_path / "overrides.csv").write_text(
        "student,exercise,question,points,reason\nal,02_other,02.1,99,x\nal,01_sample,01.1,1,x\n",
        encoding="utf-8",
    )
    given = read_overrides(tmp_path / "overrides.csv", ["al"], EXACT, {"02_other"})
    assert list(given) == [("al", "01_sample")]


@pytest.mark.parametrize(
    "row, told",
    [
        ("al2,,1,,,", "line 2: there is no student 'al2'; did you mean 'al'?"),
        ("al,,,,,", "give either a deadline, or days and hours"),
        ("al,2026-10-07T12:00+02:00,1,,,", "give either a deadline, or days and hours"),
        ("al,2026-10-07T12:00,,,,", "it names no zone"),
        ("al,,soon,,,", "days is 'soon'; it should be a number"),
        ("al,,1,,01_samples,", "no exercise '01_samples'; did you mean '01_sample'?"),
    ],
)
def test_an_extension_that_makes_no_sense_is_refused(row: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text(f"student,deadline,days,hours,exercise,reason\n{row}\n", encoding="utf-8")
    with pytest.raises(TableError) as caught:
        read_extensions(path, ["al"], ["01_sample"])
    assert told in str(caught.value)


def test_a_mark_of_lateness_costs_what_the_policy_declares_where_no_time_bears_it_out(
    tmp_path: Path,
) -> None:
    early = Submitted(DEADLINE - timedelta(hours=1), "modification time")

    def marked(policy: str, submitted: Submitted | None) -> Lateness:
        return Rules(DEADLINE, LatePolicy.parse(policy)).lateness("al", "01_sample", submitted, True)

    for submitted in (early, None):
        assert marked("10%/day", submitted).late
        assert marked("10%/day", submitted).reduction == Fraction(1, 10), "as one started day"
        assert marked("10%/day,marked=25%", submitted).reduction == Fraction(1, 4)
        assert marked("10%/day,max=5%", submitted).reduction == Fraction(1, 20)
        assert "for the mark it loses 10 % (marked= in --late-policy)" in marked("10%/day", submitted).note
    assert "its submission time is unknown" in marked("10%/day", None).note
    assert "its modification time is before the deadline" in marked("10%/day", early).note
    late = marked("10%/day,marked=25%", after(hours=30))
    assert (late.reduction, late.note) == (Fraction(2, 10), ""), "a time that is late is better than the mark"
    graced = marked("10%/day,grace=2h", after(hours=1))
    assert (graced.late, graced.reduction, graced.note) == (False, 0, "")
    told = marked("10%/day", Submitted(DEADLINE, "roster"))
    assert (told.late, told.reduction, told.note) == (False, 0, ""), "the instructor's own time counts most"
    unruled = Rules().lateness("al", "01_sample", early, True)
    assert unruled.late and "without --deadline it loses nothing" in unruled.note


def test_an_extension_undoes_a_mark_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "extensions.csv").write_text("student,days\nal,1\n", encoding="utf-8")
    extended = read_extensions(tmp_path / "extensions.csv", ["al"], ["01_sample"])
    found = Rules(DEADLINE, LatePolicy.parse("10%"), extended).lateness("al", "01_sample", None, True)
    assert (found.late, found.reduction) == (False, 0)
    assert "it has an extension and loses nothing" in found.note


def test_the_roster_tells_the_time_before_the_file_does(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    for name in ("al", "eh"):
        (tmp_path / "class" / f"{name}.ipynb").write_bytes(answering("01.1"))
    text = "student,submitted\nal,2026-10-06T08:00\neh,\n"
    tasks = tasks_of(tmp_path / "class", roster=roster(tmp_path, text), zone=DEADLINE.tzinfo)
    found = {student: task.chosen.submitted for student, task in tasks.items()}
    assert found["al"] == Submitted(datetime.fromisoformat("2026-10-06T08:00+02:00"), "roster")
    assert found["eh"].source == "modification time"
    assert found["eh"].time.tzinfo is UTC


def overrides(folder: Path, *rows: str) -> dict:
    path = folder / "overrides.csv"
    path.write_text("\n".join(["student,exercise,question,points,reason", *rows, ""]), encoding="utf-8")
    return read_overrides(path, ["al", "eh"], EXACT)


def test_points_set_by_hand_take_the_place_of_the_graders_and_keep_their_reason(tmp_path: Path) -> None:
    found = overrides(tmp_path, "al,01_sample,01.1,3.5,seen in the lab")
    assert found == {("al", "01_sample"): {"01.1": Override(Fraction(7, 2), "seen in the lab")}}
    made = assessment(result("01.1", 0), result("01.2", 1, 1), overrides=found["al", "01_sample"])
    assert (made.grade.points, made.points, made.total) == (1, Fraction(9, 2), Fraction(9, 2))
    assert made.override_texts == ["01.1: 0 -> 3.5 (seen in the lab)"]
    assert made.to_json()["overrides"] == {"01.1": {"points": 3.5, "reason": "seen in the lab"}}
    assert made.to_json()["questions"][0]["points"] == 0


@pytest.mark.parametrize(
    "row, told",
    [
        ("all,01_sample,01.1,1,x", "line 2: there is no student 'all'; did you mean 'al'?"),
        ("al,01_sampel,01.1,1,x", "no exercise '01_sampel'; did you mean '01_sample'?"),
        ("al,01_sample,01.3,1,x", "01_sample has no question '01.3'; did you mean"),
        ("al,01_sample,01.1,5,x", "points is '5'; it should be a number from 0 to 4"),
        ("al,01_sample,01.1,-1,x", "it should be a number from 0 to 4"),
        ("al,01_sample,01.1,nan,x", "it should be a number from 0 to 4"),
        ("al,01_sample,01.1,1,", "the column 'reason' is empty"),
        ("al,01_sample,01.1,1,a,b", "has 6 fields, the header 5"),
    ],
)
def test_an_override_that_makes_no_sense_is_refused(row: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(TableError) as caught:
        overrides(tmp_path, row)
    assert told in str(caught.value)


def test_one_question_is_not_overridden_twice(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"line 3: sets question 01\.1 of al a second time"):
        overrides(tmp_path, "al,01_sample,01.1,1,x", "AL,01_sample,01.1,2,y")


@pytest.mark.parametrize(
    "value, text", [(Fraction(3), "3"), (Fraction(56, 10), "5.6"), (Fraction(1, 3), "0.333333"), (0, "0")]
)
def test_points_are_written_as_short_decimals(value: Fraction, text: str) -> None:
    assert exact(value) == text


@pytest.mark.parametrize(
    "name",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n1"),
        *(
            "＝1+1",
            "＋1",
            "－1",
            "＠SUM(A1)",
            "﹦1",
            "−1",
            "  =1",
            "\u3000＝1",
            "\u200b=1",
            "\ufeff=1",
            "\0=1",
        ),
    ],
)
def test_a_name_never_becomes_a_formula(name: str) -> None:
    text = csv_text([{"student": name, "points": -1, "note": 'say "a,b"\nc'}], ["student", "points", "note"])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[1] == [f"'{name}".replace("\r", " ").replace("\0", "\\x00"), "-1", 'say "a,b"\nc']


def test_every_cell_of_a_table_is_in_quotes_and_turns_no_text_around() -> None:
    row = {"student": "ada", "points": 3, "note": "fdp\u202etxt.ipynb", "empty": None}
    text = csv_text([row], ["student", "points", "note", "empty"])
    lines = ['"student","points","note","empty"', '"ada","3","fdp\\u202etxt.ipynb",""', ""]
    assert text == "\n".join(lines)


@pytest.mark.parametrize("name", ["Zoë", "3", "a=b", "Ångström, A.", "李", "نور", "'=1"])
def test_a_name_that_is_no_formula_stays_as_it_is(name: str) -> None:
    text = csv_text([{"student": name}], ["student"])
    assert list(csv.reader(io.StringIO(text, newline="")))[1] == [name]


def test_points_set_by_hand_that_a_regrading_overtakes_are_warned_of() -> None:
    ruled = {"01.1": Override(Fraction(2), "seen in the lab"), "01.2": Override(Fraction(1), "on paper")}
    overtaken = assessment(result("01.1", 3), result("01.2", 0, 1), overrides=ruled)
    told = "01.1: set by hand to 2, fewer than the 3 that the grader gives now"
    assert overtaken.lowered == [told]
    assert told in overtaken.notes
    assert overtaken.points == 3, "what the instructor set stands all the same"
    assert assessment(result("01.1", 2), result("01.2", 1, 1), overrides=ruled).lowered == []
