"""Whose a file is: what platforms, rosters and students' own words can and cannot say."""

import unicodedata
from datetime import datetime
from pathlib import Path

import pytest
from autograder.classroom.csv_files import TableError
from autograder.classroom.gradebook import folder_name
from autograder.classroom.names import decided, owner_of
from autograder.classroom.roster import known_student
from class_cases import answering, roster, tasks_of

ANSWER = answering("01.1")
COMPOSED, SPLIT = (unicodedata.normalize(form, "Zoë Ångström") for form in ("NFC", "NFD"))


def class_of(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ANSWER)
    return folder / "class"


def handed_in(tasks: dict) -> dict[str, str]:
    return {student: task.chosen.file.label for student, task in tasks.items() if task.chosen}


@pytest.mark.parametrize(
    "platform, name, told",
    [
        (
            "canvas",
            "lovelaceada_LATE_12345_678901_exercise-1",
            ("lovelaceada", "12345", "", True, "exercise-1"),
        ),
        ("canvas", "lovelaceada_12345_678901_exercise", ("lovelaceada", "12345", "", False, "exercise")),
        ("moodle", "First Last_1234567_assignsubmission_file_", ("First Last", "", "1234567", False, "")),
        ("moodle", "A_B_12_assignsubmission_file_hw_1", ("A_B", "", "12", False, "hw_1")),
        ("blackboard", "Homework_1_cy_attempt_2026-10-06-01-02-03_x", ("cy", "", "", False, "x")),
    ],
)
def test_names_of_course_platforms_are_taken_apart(platform: str, name: str, told: tuple) -> None:
    found = owner_of(name, [platform], [])
    assert (found.name, found.canvas_id, found.moodle_id, found.marked_late, found.file) == told
    assert not found.doubt and not found.remark


def test_what_made_the_names_is_decided_for_the_whole_class() -> None:
    canvas = [f"s{number}_{number}_9_hw" for number in range(3)]
    assert decided([*canvas, "al"])[0] == ("canvas",)
    assert (
        decided([*canvas, "al"])[1]
        == "3 of 4 names are Canvas's: all are read so (--platform says otherwise)"
    )
    assert decided([*canvas, "al", "bo", "cy"]) == ((), "")
    with pytest.raises(TableError, match="fit Canvas and Moodle alike; say with --platform"):
        decided(["a_1_9_x_2_assignsubmission_file_"])


TRICKS = {
    "Moodle's number in a Canvas name": "eve_5_9_x_771_assignsubmission_file_.ipynb",
    "a time in a Canvas name": "eve_5_9_771_attempt_2020-01-01-00-00-00.ipynb",
    "a classmate's number beside one's own": "E_771_assignsubmission_file__9_assignsubmission_file_/x.ipynb",
    "another platform's name": "Grace Hopper_771_assignsubmission_file_/x.ipynb",
    "a classmate's name and a number": "Grace Hopper 2.ipynb",
}


@pytest.mark.parametrize("trick", TRICKS)
def test_no_words_in_a_name_hand_in_for_a_classmate(trick: str, tmp_path: Path) -> None:
    """Grace, whose number on Moodle is 771, has nothing to do with the file."""
    honest = ["lovelaceada_4242_9_hw.ipynb", "angstromzoe_1_9_hw.ipynb"]
    if "beside" in trick:
        honest = [
            "Ada Lovelace_4_assignsubmission_file_/x.ipynb",
            "Zoë Ångström_6_assignsubmission_file_/x.ipynb",
        ]
    tasks = tasks_of(class_of(tmp_path, *honest, TRICKS[trick]), roster=roster(tmp_path))
    assert tasks["eh"].chosen is None
    (stranger,) = [task for task in tasks.values() if task.student.key not in ("al", "eh", "zt")]
    assert stranger.chosen.file.label == TRICKS[trick], "it is graded, for nobody"
    assert stranger.notes, "and its row says why"
    assert handed_in(tasks).keys() >= {"al", "zt"}


def test_a_name_of_two_platforms_is_nobodys_even_if_both_made_the_class(tmp_path: Path) -> None:
    names = ["lovelaceada_4242_9_hw.ipynb", "Grace Hopper_771_assignsubmission_file_hw.ipynb"]
    trick = "eve_5_9_x_771_assignsubmission_file_.ipynb"
    root = class_of(tmp_path, *names, trick)
    tasks = tasks_of(root, roster=roster(tmp_path), platforms=["canvas", "moodle"])
    stranger = Path(trick).stem
    assert handed_in(tasks) == {"al": names[0], "eh": names[1], stranger: trick}
    assert "can be read in 2 ways (Canvas's of eve and Moodle's of eve_5_9_x)" in tasks[stranger].notes[0]
    alone = tasks_of(root, roster=roster(tmp_path), platforms=["canvas"])
    assert "Moodle gives, but the class is read as Canvas's" in alone[Path(names[1]).stem].notes[0]


def test_a_name_that_no_platform_made_still_counts_beside_those_of_one(tmp_path: Path) -> None:
    names = ["lovelaceada_4242_9_hw.ipynb", "angstromzoe_1_9_hw.ipynb", "eh.ipynb"]
    tasks = tasks_of(class_of(tmp_path, *names), roster=roster(tmp_path))
    assert handed_in(tasks) == dict(zip(("al", "zt", "eh"), names, strict=True))
    assert tasks["eh"].notes == ("eh: its name is none that Canvas gives",)


def test_another_number_is_another_person_whatever_the_name(tmp_path: Path) -> None:
    tasks = tasks_of(class_of(tmp_path, "lovelaceada_5_900_hw.ipynb"), roster=roster(tmp_path))
    assert handed_in(tasks) == {"lovelaceada_5": "lovelaceada_5_900_hw.ipynb"}
    assert tasks["lovelaceada_5"].notes == ("lovelaceada is not in the roster",)


def test_two_numbers_of_one_name_are_told_to_the_one_student_of_the_roster(tmp_path: Path) -> None:
    names = ["angstromzoe_5_9_hw.ipynb", "angstromzoe_6_9_hw.ipynb"]
    tasks = tasks_of(class_of(tmp_path, *names), roster=roster(tmp_path))
    assert handed_in(tasks) == {"angstromzoe_5": names[0], "angstromzoe_6": names[1]}
    assert tasks["angstromzoe_5"].notes == ("angstromzoe could be zt, as could others of that name",)
    assert len(tasks["zt"].notes) == 2 and "angstromzoe_5 could be zt" in tasks["zt"].notes[0]


def test_a_newcomer_of_the_same_name_changes_nobodys_row(tmp_path: Path) -> None:
    first, second = (f"Ada L_{number}_assignsubmission_file_/x.ipynb" for number in (7, 8))
    before = tasks_of(class_of(tmp_path, first))
    after = tasks_of(class_of(tmp_path, second))
    assert list(before) == ["Ada L_7"] and list(after) == ["Ada L_7", "Ada L_8"]
    assert before["Ada L_7"] == after["Ada L_7"]


@pytest.mark.parametrize("key", [COMPOSED, SPLIT], ids=["composed in the roster", "split in the roster"])
@pytest.mark.parametrize("name", [COMPOSED, SPLIT], ids=["composed in the name", "split in the name"])
def test_accents_are_the_same_however_they_are_written(key: str, name: str, tmp_path: Path) -> None:
    students = roster(tmp_path, f"student,name\n{key},\n")
    tasks = tasks_of(class_of(tmp_path, f"{name.upper()}.ipynb"), roster=students)
    assert list(tasks) == [COMPOSED] and tasks[COMPOSED].chosen is not None
    assert known_student(name.casefold(), tasks, "x") == COMPOSED


def test_both_spellings_are_one_student_without_a_roster_too(tmp_path: Path) -> None:
    tasks = tasks_of(class_of(tmp_path, f"{COMPOSED}/a.ipynb", f"{SPLIT}/b.ipynb"))
    assert list(tasks) == [COMPOSED]


def test_an_accent_tells_two_students_apart(tmp_path: Path) -> None:
    students = roster(tmp_path, "student,name\na,Jan Muller\nb,Jan Müller\n")
    tasks = tasks_of(class_of(tmp_path, "Jan Muller.ipynb", "Jan Müller.ipynb"), roster=students)
    assert handed_in(tasks) == {"a": "Jan Muller.ipynb", "b": "Jan Müller.ipynb"}


def test_a_table_means_the_student_that_it_spells() -> None:
    assert known_student("Ada", ["ada", "Ada"], "x") == "Ada"
    with pytest.raises(TableError, match="the student 'ADA' could be 'ada' and 'Ada'"):
        known_student("ADA", ["ada", "Ada"], "x")


def test_when_it_came_is_never_what_the_students_own_words_say(tmp_path: Path) -> None:
    own = "eve_attempt_2020-01-01-00-00-00.ipynb"
    assert tasks_of(class_of(tmp_path, own, "ada.ipynb", "bo.ipynb"))[
        Path(own).stem
    ].chosen.submitted.source == ("modification time")


def test_blackboard_tells_the_time_in_its_part_of_the_name_alone(tmp_path: Path) -> None:
    plain, words, odd = (
        f"hw_{student}_attempt_2026-10-06-01-02-{seconds}_{own}"
        for student, seconds, own in (
            ("cy", "03", "x"),
            ("eve", "04", "y_attempt_2020-01-01-00-00-00"),
            ("mo", "99", "z"),
        )
    )
    tasks = tasks_of(class_of(tmp_path, *(f"{name}.ipynb" for name in (plain, words, odd))))
    submitted = tasks["cy"].chosen.submitted
    assert (submitted.time.replace(tzinfo=None), submitted.source) == (
        datetime(2026, 10, 6, 1, 2, 3),
        "file name",
    )
    assert tasks[words].chosen.submitted.source == "modification time"
    assert "can be read in 2 ways" in tasks[words].notes[0]
    assert tasks[odd].chosen.submitted.source == "modification time"


@pytest.mark.parametrize("letter", ["x", "é", "漢", "\U00020000"])
def test_a_long_name_of_any_letters_has_a_folder(letter: str, tmp_path: Path) -> None:
    names = {folder_name(letter * size) for size in (3, 79, 80, 81, 200, 300)}
    assert len(names) == 6
    for name in names:
        (tmp_path / f"{name}.results.json.tmp").mkdir()


def test_names_that_differ_in_case_or_spelling_alone_have_folders_of_their_own() -> None:
    students = ["ada", "Ada", COMPOSED, SPLIT]
    assert len({folder_name(student, students).casefold() for student in students}) == 4
