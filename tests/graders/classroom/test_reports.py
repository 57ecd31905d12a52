"""What students, Gradescope and instructors are given: complete, escaped, the same each time."""

import csv
import json
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import jinja2
import pytest
from autograder.classroom import statistics
from autograder.classroom.csv_files import csv_text
from autograder.classroom.gradebook import Gradebook, folder_name
from autograder.classroom.policy import Lateness, Override
from autograder.classroom.reports import gradescope, page, written
from autograder.classroom.roster import Student
from autograder.classroom.submissions import Task
from autograder.classroom.tables import grade_rows, late_by_their_files, summary, write_tables
from autograder.judging.results import UNGRADED, rendered
from class_cases import assessment, result, task

NASTY = '<script>alert("x")</script> & </pre> "quoted"'


class Page(HTMLParser):
    """The tags and texts of a page; unbalanced tags fail."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def rows_of(path: Path, reader: type = csv.reader) -> list:
    """The rows of a CSV file."""
    return list(reader(path.read_text(encoding="utf-8").splitlines()))


def test_feedback_escapes_all_that_comes_from_outside() -> None:
    nasty = result(
        "01.1", 0, message=NASTY, printed=NASTY, hinted="values", hints=(NASTY,), mistakes=(("m", NASTY),)
    )
    made = assessment(
        nasty, of=task(name=NASTY), message=NASTY, overrides={"01.1": Override(Fraction(1), NASTY)}
    )
    found = Page(page(made))
    assert "script" not in [tag for tag, _ in found.tags]
    assert sum(NASTY in text for text in found.texts) >= 6


def test_what_steers_a_terminal_or_is_no_character_is_written_out() -> None:
    odd = result("01.1", 0, message="a\x1b[2Jb\ud800c", printed="tab\there\x07ü")
    made = assessment(odd, message="\udfff")
    assert "a\\x1b[2Jb\\ud800c" in odd.feedback and "tab\there\\x07ü" in odd.feedback
    for text in (page(made), odd.feedback):
        assert text.encode() and "\x1b" not in text


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


def test_what_turns_the_direction_of_text_is_written_out_wherever_a_student_can_put_it() -> None:
    odd = result("01.1", 0, message=TURNING, printed=TURNING, mistakes=(("m", TURNING),))
    made = assessment(odd, of=task(name=f"Zoë {TURNING} نور"), message=TURNING)
    results = json.loads(written(made)[".results.json"])
    texts = [page(made), odd.feedback, odd._repr_html_(), results["output"], results["tests"][0]["output"]]
    for text in texts:
        assert not set(TURNING) & set(text) and "\\u202e" in text and "\\u061c" in text
    assert "Zoë" in page(made) and "نور" in page(made), "letters of every script stay"


def test_no_field_of_a_template_is_left_out_unseen() -> None:
    with pytest.raises(jinja2.UndefinedError):
        rendered("{{ misspelled }}", spelled="x")


def test_feedback_is_one_file_for_dark_and_light_and_narrow_screens() -> None:
    text = page(assessment(result("01.1", 4), result("01.2", 1)))
    found = Page(text)
    names = [tag for tag, _ in found.tags]
    assert not {"link", "script", "img", "iframe"} & set(names)
    assert not any(key in ("src", "href") for _, attributes in found.tags for key in attributes)
    assert ("html", {"lang": "en"}) in found.tags
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text
    assert [attributes["aria-label"] for tag, attributes in found.tags if tag == "span"] == ["won", "lost"]
    assert names.index("h1") < names.index("h2") and "main" in names


def test_feedback_says_what_was_lost_why_and_under_which_conditions() -> None:
    made = assessment(
        result(
            "01.1",
            1,
            mistakes=(("no_scale", "attention without the scale"),),
            hinted="values",
            hints=("What is the variance?",),
        ),
        lateness=Lateness(
            True, timedelta(hours=26), Fraction(2, 10), task().chosen.submitted.time, True, "ill"
        ),
    )
    text = " ".join(Page(page(made)).texts)
    for told in (
        "01_sample: 0.8 of 4 points",
        "no: 3 < 4",
        "attention without the scale",
        "What is the variance?",
        "20 % of 1 points leaves 0.8",
        "1 day 2 h",
        "extended: ill",
        "according to the roster",
        "version v1, sandbox none",
    ):
        assert told in text


def test_points_set_by_hand_are_told_with_the_reason_and_the_graders_points() -> None:
    made = assessment(result("01.1", 0), overrides={"01.1": Override(Fraction(3), "seen in the lab")})
    text = " ".join(Page(page(made)).texts)
    assert "01.1 Title of 01.1 - 3 of 4 points" in text
    assert "Set by your instructor (the grader gave 0): seen in the lab" in text


def test_gradescope_gets_the_reduced_score_and_a_test_for_each_question() -> None:
    late = Lateness(True, timedelta(hours=1), Fraction(1, 10))
    made = assessment(
        result("01.1", 4), result("01.2", 0), lateness=late, overrides={"01.2": Override(Fraction(2), "why")}
    )
    found = json.loads(written(made)[".results.json"])
    assert (found["score"], found["extra_data"]["max_score"], found["output_format"]) == (5.4, 8, "text")
    assert [(t["score"], t["max_score"], t["status"]) for t in found["tests"]] == [
        (4, 4, "passed"),
        (2, 4, "failed"),
    ]
    assert {t["visibility"] for t in found["tests"]} == {"visible"}
    assert found["tests"][1]["output"].startswith("Set by the instructor: why\n")
    assert "no: 3 < 4" in found["tests"][1]["output"]
    assert sum(t["score"] for t in found["tests"]) == float(made.points)


def test_what_the_grader_failed_on_has_no_points_rather_than_none() -> None:
    made = assessment(
        result("01.1", 0, status="ungraded"), status="ungraded", message="the grader failed (OSError: x)"
    )
    rows, _ = grade_rows([made])
    assert (rows[0]["status"], rows[0]["total"], rows[0]["01.1"]) == ("ungraded", "", "")
    assert "the grader failed (OSError: x)" in rows[0]["notes"]
    assert made.to_json()["total"] is None
    assert gradescope(made)["tests"] == []
    assert "not graded" in page(made)


def classroom() -> list:
    rare = (("a_rare_one", "something else"),)
    scale = (("no_scale", "attention | without the scale"),)
    made = [
        assessment(result("01.1", 4), result("01.2", 1, mistakes=rare), of=task("al")),
        assessment(result("01.1", 1, mistakes=scale), result("01.2", 0), of=task("bo")),
        assessment(result("01.1", 1, mistakes=scale), result("01.2", 4), of=task("cy")),
        assessment(result("01.1", 0, mistakes=rare), result("01.2", 0), of=task("di"), status="timeout"),
    ]
    away = Task(task("eh").student, "01_sample")
    made.append(assessment(result("01.1", 0), result("01.2", 0), of=away, status="missing"))
    return made


def test_statistics_count_those_who_handed_in_and_rank_named_mistakes() -> None:
    found = statistics.computed(classroom())
    assert found["statuses"] == {"missing": 1, "ok": 3, "timeout": 1}
    assert (found["mean"], found["median"], found["max_points"]) == (2.75, 3.0, 8)
    assert [b["students"] for b in found["distribution"]] == [1, 1, 0, 0, 0, 0, 2, 0, 0, 0]
    first = found["questions"][0]
    assert (first["mean"], first["full"], first["none"]) == (1.5, 1, 1)
    assert first["mistakes"] == [
        {"name": "no_scale", "explanation": "attention | without the scale", "students": 2},
        {"name": "a_rare_one", "explanation": "something else", "students": 1},
    ]
    text = statistics.as_markdown([found])
    assert "| 01.1 Title of 01.1 | 1.50 | 4 | 1 | 1 | 2 x attention \\| without the scale; 1 x" in text
    assert json.loads(statistics.as_json([found]))["exercises"][0]["students"] == 5


def test_full_marks_fall_into_the_last_bin() -> None:
    found = statistics.computed([assessment(result("01.1", 4))])
    assert found["distribution"][-1]["students"] == 1


def test_a_class_that_handed_in_nothing_has_statistics_too() -> None:
    away = assessment(result("01.1", 0), of=Task(task().student, "01_sample"), status="missing")
    found = statistics.by_exercise([away])
    assert found[0]["mean"] is None
    assert "1 missing" in statistics.as_markdown(found)
    assert statistics.as_plot(found).startswith(b"\x89PNG")
    assert "1 missing" in summary([away], Path("grades"))


def test_the_plot_is_the_same_bytes_each_time() -> None:
    found = statistics.by_exercise(classroom())
    plot = statistics.as_plot(found)
    assert plot == statistics.as_plot(found)
    assert plot.startswith(b"\x89PNG")


def test_grades_have_a_row_a_student_and_a_column_a_question() -> None:
    rows, columns = grade_rows(classroom())
    header = next(csv.reader(csv_text(rows, columns).splitlines()))
    assert ",".join(header[:8]) == "student,name,email,status,late,late_by,reduction_percent,submitted"
    assert ",".join(header[-7:]) == "01.1,01.2,points,total,max,overrides,notes"
    assert [row["student"] for row in rows] == ["al", "bo", "cy", "di", "eh"]
    assert [row["total"] for row in rows] == ["5", "1", "5", "0", "0"]
    assert rows[4]["status"] == "missing"


def test_grades_keep_the_numbers_of_the_platforms(tmp_path: Path) -> None:
    known = Student("al", "Ada Lovelace", "ada@example.org", "4242", "771")
    file = replace(task("al"), student=known)
    rows, columns = grade_rows([assessment(result("01.1", 3), of=file)])
    assert columns[:5] == ["student", "name", "email", "canvas_id", "moodle_id"]
    assert (rows[0]["canvas_id"], rows[0]["moodle_id"]) == ("4242", "771")
    without = grade_rows([assessment(result("01.1", 3))])[1]
    assert not {"canvas_id", "moodle_id"} & set(without)


def test_platforms_get_the_totals_of_those_they_know(tmp_path: Path) -> None:
    late = Lateness(True, timedelta(days=1), Fraction(1, 2))
    both = [
        replace(task("al"), student=Student("al", "Ada Lovelace", "ada@example.org", "4242")),
        replace(task("al", "02_other"), student=Student("al", "Ada Lovelace", "ada@example.org", "4242")),
        replace(task("bo"), student=Student("bo", "Bo", "bo@example.org")),
        task("cy"),
    ]
    made = [
        assessment(result("01.1", 3), of=both[0], lateness=late),
        assessment(result("02.1", 4), of=both[1]),
        assessment(result("01.1", 2), of=both[2], status=UNGRADED),
        assessment(result("01.1", 1), of=both[3]),
    ]
    with Gradebook(tmp_path / "grades") as gradebook:
        assert write_tables(gradebook, made, []) == []
    canvas = rows_of(tmp_path / "grades/canvas.csv", csv.DictReader)
    assert list(canvas[0])[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert canvas[0] | {"01_sample": "4", "02_other": "4", "ID": ""} == canvas[0]
    assert [(row["ID"], row["01_sample"], row["02_other"]) for row in canvas[1:]] == [("4242", "1.5", "4")]
    moodle = rows_of(tmp_path / "grades/moodle.csv", csv.DictReader)
    assert [(row["Email address"], row["01_sample"], row["02_other"]) for row in moodle] == [
        ("ada@example.org", "1.5", "4"),
    ], "bo's total is not known, and a blank cell would remove the grade that is there"


def test_without_numbers_and_addresses_there_are_no_tables_for_platforms(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "grades") as gradebook:
        write_tables(gradebook, [assessment(result("01.1", 1))], [])
    assert not list((tmp_path / "grades").glob("[cm]*.csv"))


def test_a_class_that_is_late_by_the_times_of_its_files_is_doubted() -> None:
    def handed_in(source: str, *late: bool) -> list:
        submitted = replace(task().chosen.submitted, source=source)
        of = replace(task(), chosen=replace(task().chosen, submitted=submitted))
        day = timedelta(days=1)
        return [
            assessment(result("01.1", 1), of=of, lateness=Lateness(one, day, Fraction(0))) for one in late
        ]

    assert "all 3 submissions are late" in late_by_their_files(
        handed_in("modification time", True, True, True)
    )
    assert late_by_their_files(handed_in("modification time", True, True, False)) is None
    assert late_by_their_files(handed_in("roster", True, True, True)) is None
    assert late_by_their_files(handed_in("modification time", True)) is None


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_what_is_typed_into_the_grades_is_kept_and_told(tmp_path: Path, delimiter: str) -> None:
    folder, made = (
        tmp_path / "grades",
        [assessment(result("01.1", 1)), assessment(result("01.1", 2), of=task("bo"))],
    )

    def run() -> list[str]:
        with Gradebook(folder) as gradebook:
            return write_tables(gradebook, made, [])

    assert run() == [] == run()
    lines = rows_of(folder / "grades.csv")
    written = (folder / "grades.csv").read_bytes()
    lines[2][lines[0].index("01.1")] = "4"
    with (folder / "grades.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, delimiter=delimiter).writerows(lines)
    assert run() == ["bo, 01.1: 4 for 2"]
    assert (folder / "grades.csv").read_bytes() == written
    assert "4" in (folder / "grades.edited.csv").read_text(encoding="utf-8-sig")
    assert run() == []


def test_a_table_that_a_spreadsheet_saved_unchanged_is_no_news(tmp_path: Path) -> None:
    folder = tmp_path / "grades"
    for _ in range(2):
        with Gradebook(folder) as gradebook:
            assert write_tables(gradebook, [assessment(result("01.1", 1))], []) == []
        lines = rows_of(folder / "grades.csv")
        with (folder / "grades.csv").open("w", encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream, delimiter=";").writerows(lines)
    assert not (folder / "grades.edited.csv").exists()


def test_the_page_of_who_handed_nothing_in_says_so() -> None:
    away = Task(task().student, "01_sample")
    parts = result("01.1", 0), result("01.2", 0)
    text = page(assessment(*parts, of=away, status="missing"))
    assert "nothing was handed in" in text
    assert "<section" not in text
    given = page(
        assessment(*parts, of=away, status="missing", overrides={"01.2": Override(Fraction(1), "on paper")})
    )
    assert given.count("<section") == 1 and "on paper" in given


def test_several_exercises_are_summed_with_a_status_and_a_total_each() -> None:
    late = Lateness(True, timedelta(days=1), Fraction(1, 2))
    pair = [
        assessment(result("01.1", 4), of=task("al", "01_sample")),
        assessment(result("02.1", 3), of=task("al", "02_other"), lateness=late, status="crashed"),
    ]
    rows, columns = grade_rows(pair)
    (row,) = rows
    assert [row[c] for c in columns if c.startswith("0")] == ["ok", "4", "crashed", "1.5", "4", "3"]
    assert (row["status"], row["late"], row["late_by"]) == ("crashed", "yes", "02_other: 1 day")
    assert (row["points"], row["total"], row["max"]) == ("7", "5.5", 8)


@pytest.mark.parametrize("name", ["../../etc", "a/b", "", ".", "..", "con", "x" * 300, "a\\b", "a:b", "é\n"])
def test_a_students_folder_stays_in_the_gradebook(name: str) -> None:
    made = folder_name(name)
    assert made not in ("", ".", "..") and len(made) < 100
    assert not set(made) & set('/\\:\n"<>|?*')
    assert made != name


def test_students_with_names_alike_have_folders_of_their_own() -> None:
    names = ["Ada", "ada", "a/a", "a_a", "a:a"]
    assert len({folder_name(name, names).casefold() for name in names}) == len(names)
    assert folder_name("bo", names) == "bo"
