"""Whose a file is by what course platforms export: layouts, numbers that change, groups, and no silence."""

import unicodedata
from pathlib import Path

import pytest
from autograder.classroom.names import Owner, owner_of, shared_front
from autograder.classroom.submissions import Class
from class_cases import EXERCISES, answering, roster, tasks_of

ANSWER = answering("01.1", "01.2")
NAMES = "student,name\nada,Ada Lovelace\neh,Grace Hopper\nzt,Zoë Ångström\n"
MOODLE = "_assignsubmission_file"


def handed_in(folder: Path, *names: str, content: bytes = ANSWER) -> Path:
    for name in names:
        path = folder / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / "class"


def credited(tasks: dict) -> dict[str, str]:
    return {student: task.chosen.file.label for student, task in tasks.items() if task.chosen}


@pytest.mark.parametrize(
    "name, student",
    [
        (f"Ada Lovelace_733{MOODLE}_/x.ipynb", "ada"),
        (f"Ada Lovelace_501{MOODLE}_/x.ipynb", "ada"),
        (f"Lovelace Ada_502{MOODLE}_x.ipynb", "ada"),
        (f"Group A-Ada Lovelace_733{MOODLE}/x.ipynb", "ada"),
        (f"Lab-3-mon-Ada Lovelace_733{MOODLE}/x.ipynb", "ada"),
        (f"Team 2-Anne-Marie Duval_734{MOODLE}/x.ipynb", "am"),
        (f"Anne-Marie Duval_734{MOODLE}/x.ipynb", "am"),
        (f"Participant_501{MOODLE}_/x.ipynb", "ada"),
        (f"Group A-Participant_501{MOODLE}_/x.ipynb", "ada"),
    ],
)
def test_on_moodle_the_name_counts_and_the_number_helps(name: str, student: str, tmp_path: Path) -> None:
    """Moodle draws new numbers for each assignment: those of last week name nobody, or somebody else."""
    text = "student,name,moodle_id\nada,Ada Lovelace,501\neh,Grace Hopper,502\nam,Anne-Marie Duval,\n"
    tasks = tasks_of(handed_in(tmp_path, name), roster=roster(tmp_path, text))
    assert credited(tasks) == {student: name}
    assert list(tasks) == ["ada", "am", "eh"], "and there is no stranger"


def test_a_number_alone_is_told_and_takes_nothing_from_who_is_named(tmp_path: Path) -> None:
    names = [f"Ada Lovelace_733{MOODLE}_/x.ipynb", f"Bob Noone_501{MOODLE}_/x.ipynb"]
    text = "student,name,moodle_id\nada,Ada Lovelace,501\n"
    tasks = tasks_of(handed_in(tmp_path, *names), roster=roster(tmp_path, text))
    assert credited(tasks) == {"ada": names[0], "Bob Noone_501": names[1]}
    (tmp_path / "alone").mkdir()
    alone = tasks_of(handed_in(tmp_path / "alone", names[1]), roster=roster(tmp_path, text))
    assert alone["ada"].notes == ("Bob Noone is known by the number 501 of the roster alone",)


def test_numbers_part_those_who_share_a_name(tmp_path: Path) -> None:
    names = [f"Ada L_{number}{MOODLE}_/x.ipynb" for number in (501, 502)]
    text = "student,name,moodle_id\na1,Ada L,501\na2,Ada L,\n"
    tasks = tasks_of(handed_in(tmp_path, *names), roster=roster(tmp_path, text))
    assert credited(tasks) == {"a1": names[0], "a2": names[1]}
    one = tasks_of(tmp_path / "class", roster=roster(tmp_path, "student,name,moodle_id\na1,Ada L,501\n"))
    assert credited(one) == {"a1": names[0], "Ada L_502": names[1]}


def test_two_exercises_of_moodle_in_one_folder_are_one_students(tmp_path: Path) -> None:
    first, second = (f"Ada L_{number}{MOODLE}_/x.ipynb" for number in (501, 733))
    root = handed_in(tmp_path, first)
    handed_in(tmp_path, second, content=answering("02.1"))
    (tmp_path / "spool").mkdir()
    students = roster(tmp_path, "student,name\na1,Ada L\n")
    found = Class(root, EXERCISES, tmp_path / "spool", students).tasks()
    assert {task.exercise: task.chosen.file.label for task in found} == {
        "01_sample": first,
        "02_other": second,
    }
    handed_in(tmp_path, second)
    found = Class(root, EXERCISES, tmp_path / "spool", students).tasks()
    assert [task.chosen for task in found] == [None, None], "two of that name for one exercise"
    assert "501 and 733 on Moodle" in found[0].notes[0] and len(found[0].others) == 2


@pytest.mark.parametrize(
    "names",
    [
        [
            "12345-678901 - Ada Lovelace - Oct 5, 2026 811 PM/x.ipynb",
            "12346-678902 - Grace Hopper - October 15, 2026 11:59 AM - exercise - final.ipynb",
        ],
        ["Lovelace, Ada(ada)/Submission attachment(s)/x.ipynb", "Hopper, Grace (eh)/x.ipynb"],
        ["Copy of exercise.ipynb - Ada Lovelace.ipynb", "exercise - Grace Hopper.ipynb"],
        ["Ada Lovelace - exercise.ipynb", "Grace Hopper - Copy of exercise.ipynb"],
        ["exercise-1-ada/x.ipynb", "exercise-1-eh/x.ipynb"],
        ["attention-ada/x.ipynb", "attention-eh/x.ipynb"],
        ["attention-submissions/attention-ada/x.ipynb", "attention-submissions/attention-eh/x.ipynb"],
    ],
    ids=["Brightspace", "Sakai", "Google", "Google Classroom", "GitHub", "GitHub's words", "cloned"],
)
def test_other_platforms_names_give_each_student_a_notebook(names: list[str], tmp_path: Path) -> None:
    root = handed_in(tmp_path, *names)
    (root / "index.html").write_text("made by the platform")
    (root / "grades.csv").write_text("")
    tasks = tasks_of(root, roster=roster(tmp_path, NAMES))
    found = {student: Path(label).name for student, label in credited(tasks).items()}
    assert found == {"ada": Path(names[0]).name, "eh": Path(names[1]).name}
    assert list(tasks) == ["ada", "eh", "zt"]
    assert all(not task.notes for task in tasks.values())


def test_brightspace_tells_the_time_and_the_name_before_it_alone() -> None:
    told = "1-2 - Eve - Oct 5, 2026 811 PM - Grace Hopper - Oct 4, 2020 1200 PM - x"
    owner = owner_of(told, ["brightspace"], [])
    assert (owner.name, str(owner.submitted), owner.file) == (
        "Eve",
        "2026-10-05 20:11:00",
        "Grace Hopper - Oct 4, 2020 1200 PM - x",
    )
    assert owner_of("1-2 - Eve - Feb 31, 2026 811 PM", ["brightspace"], []).submitted is None
    assert owner_of("1-2 - Eve - Oct 5, 2026 1205 AM", ["brightspace"], []).submitted.hour == 0


def test_what_sakai_puts_into_every_folder_is_no_hand_in(tmp_path: Path) -> None:
    names = ["Lovelace, Ada(ada)/Submission attachment(s)/x.ipynb", "Hopper, Grace(eh)/timestamp.txt"]
    back = "Lovelace, Ada(ada)/Feedback Attachment(s)/solution.ipynb"
    root = handed_in(tmp_path, *names, back)
    (tmp_path / "spool").mkdir()
    found = Class(root, {"01_sample": EXERCISES["01_sample"]}, tmp_path / "spool", roster(tmp_path, NAMES))
    tasks = {task.student.key: task for task in found.tasks()}
    assert credited(tasks) == {"ada": names[0]}
    assert tasks["ada"].others == (), "what an instructor sent back is never graded"
    assert found.said[0] == f"no notebooks, and not read: {back}"


@pytest.mark.parametrize(
    "name", ["Team 7/x.ipynb", "team 7.ipynb", "Team 7_homework.ipynb", "hw-1-team 7.ipynb"]
)
@pytest.mark.parametrize("column", ["group", "Groups", "TEAM", "team-name"])
def test_a_groups_file_is_its_members(name: str, column: str, tmp_path: Path) -> None:
    text = f"student,name,{column}\nada,Ada Lovelace,Team 7\neh,Grace Hopper,lab A; team 7\nzt,Z,Team 77\n"
    tasks = tasks_of(handed_in(tmp_path, name), roster=roster(tmp_path, text))
    assert credited(tasks) == {"ada": name, "eh": name}
    assert list(tasks) == ["ada", "eh", "zt"]


def test_a_groups_archive_is_unpacked_for_each_member(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("Team 7_4242_9_x.ipynb", ANSWER)
    students = roster(tmp_path, "student,canvas_id,group\nada,1,Team 7\neh,2,Team 7\n")
    tasks = tasks_of(tmp_path / "class.zip", roster=students)
    assert [task.chosen.file.path.read_bytes() for task in tasks.values()] == [ANSWER, ANSWER]


def found_in(root: Path, text: str, folder: Path) -> tuple[dict, list[str]]:
    """The tasks of a class of this roster, and what is said of it."""
    (folder / "spool").mkdir(exist_ok=True)
    found = Class(root, {"01_sample": EXERCISES["01_sample"]}, folder / "spool", roster(folder, text))
    return {task.student.key: task for task in found.tasks()}, found.said


GROUPS = """student,name,canvas_id,group
ada,Ada Lovelace,1,Team 7
eh,Grace Hopper,2,lab A; Team 7
zt,Zoë Ångström,3,Team 77
"""
ITS_NUMBER_ALONE = "handed in under names that are neither the student's nor a group's in the roster"


@pytest.mark.parametrize("name", ["team7_1_98_exercise.ipynb", "team7_LATE_2_98_exercise-1.ipynb"])
@pytest.mark.parametrize("group", ["Team 7", "TEAM-7", "team_7", "Team (7)"])
@pytest.mark.parametrize("has_numbers", [True, False])
def test_a_group_of_canvas_is_all_of_its_members(
    name: str, group: str, has_numbers: bool, tmp_path: Path
) -> None:
    """Canvas squeezes the group's name and puts one member's number beside it."""
    text = GROUPS.replace("Team 7\n", f"{group}\n")
    if not has_numbers:
        text = text.replace("canvas_id", "remarks")
    tasks, said = found_in(handed_in(tmp_path, name), text, tmp_path)
    assert credited(tasks) == {"ada": name, "eh": name}
    assert list(tasks) == ["ada", "eh", "zt"]
    assert all(task.chosen.owner.marked_late == ("LATE" in name) for task in tasks.values() if task.chosen)
    assert not any(ITS_NUMBER_ALONE in line for line in said)


def test_a_member_s_own_file_on_canvas_is_no_group_s(tmp_path: Path) -> None:
    name = "lovelaceada_1_98_exercise.ipynb"
    assert credited(found_in(handed_in(tmp_path, name), GROUPS, tmp_path)[0]) == {"ada": name}


@pytest.mark.parametrize(
    "name, text",
    [
        ("team7_1_98_exercise.ipynb", "student,name,canvas_id\nada,Ada L,1\neh,Grace H,2\n"),
        ("team7_1_98_exercise.ipynb", "student,canvas_id\nada,1\neh,2\n"),
        ("team7_1_98_exercise.ipynb", GROUPS.replace("1,Team 7", "1,Team 8")),
        ("team7_1_98_exercise.ipynb", GROUPS.replace("1,Team 7", "1,Team 7;Te am7")),
    ],
    ids=["no groups", "no names", "another group", "two groups"],
)
def test_whose_other_members_may_be_missing_is_told(name: str, text: str, tmp_path: Path) -> None:
    """A number is its student's; nobody else is credited with what the roster does not bear out."""
    tasks, said = found_in(handed_in(tmp_path, name), text, tmp_path)
    assert credited(tasks) == {"ada": name}
    (line,) = (line for line in said if ITS_NUMBER_ALONE in line)
    assert "team7 (ada). If these are groups, name them in its column 'group'" in line
    everyone = found_in(handed_in(tmp_path, *(f"x_{n}_9_y.ipynb" for n in (2, 3))), text, tmp_path)[1]
    assert not any(ITS_NUMBER_ALONE in line for line in everyone), "then nobody is missing"


@pytest.mark.parametrize(
    "name, stranger",
    [("Jane Roe/ada.ipynb", "Jane Roe"), ("Ada Lovelase/exercise.ipynb", "Ada Lovelase")],
)
def test_a_lone_folder_of_a_stranger_is_no_folder_around_the_class(
    name: str, stranger: str, tmp_path: Path
) -> None:
    tasks, said = found_in(handed_in(tmp_path, name), NAMES, tmp_path)
    assert credited(tasks) == {stranger: name} and said == []
    assert tasks[stranger].notes == (f"{stranger} is not in the roster",)


@pytest.mark.parametrize(
    "names",
    [["hw1/ada.ipynb"], ["homework/ada/x.ipynb"], ["Jane Roe/ada.ipynb", "Jane Roe/eh.ipynb"]],
)
def test_a_folder_that_is_read_as_the_class_is_told(names: list[str], tmp_path: Path) -> None:
    tasks, said = found_in(handed_in(tmp_path, *names), NAMES, tmp_path)
    folder, _, first = names[0].partition("/")
    assert credited(tasks)["ada"] == first and credited(tasks).keys() <= {"ada", "eh"}
    assert said == [f"{folder!r} is nobody's in the roster: what it holds is read as the class"]


def test_the_folder_that_an_archive_was_made_of_is_the_class(tmp_path: Path) -> None:
    import shutil

    root = handed_in(tmp_path, "ada.ipynb")
    packed = Path(shutil.make_archive(str(tmp_path / "class"), "zip", root.parent, root.name))
    tasks, said = found_in(packed, NAMES, tmp_path)
    assert credited(tasks) == {"ada": "ada.ipynb"} and said == []


def test_a_name_of_two_readings_beside_words_for_the_work_is_nobodys(tmp_path: Path) -> None:
    name = "Ada Lovelace homework - Grace Hopper.ipynb"
    tasks = tasks_of(handed_in(tmp_path, name), roster=roster(tmp_path, NAMES))
    assert credited(tasks) == {Path(name).stem: name}
    assert tasks[Path(name).stem].notes == (f"{Path(name).stem} could be ada and eh",)


def test_what_most_names_begin_with_is_no_name() -> None:
    assert shared_front(["attention-1-ada", "attention-1-bo", "cy"]) == "attention-1-"
    assert shared_front(["ada-1", "bo-1", "cy-1"]) == ""
    assert shared_front(["attention-ada"]) == ""
    assert Owner.free("Copy of Copy of x.ipynb - Emmy Noether").name == "Emmy Noether"


METADATA = """---
submission_90001:
  :submitters:
  - :name: Ada Lovelace
    :sid: '77'
    :email: ada@example.org
  - :name: "Zo\\xEB \\u00C5ngstr\\u00F6m"
    :sid: ''
    :email: z@example.org
  :created_at: 2026-10-05 20:41:00.000000000 Z
  :results:
    output: |-
      submission_90002:
        :submitters:
        - :name: Eve
  :history:
  - :submitters:
    - :name: Mallory
:submission_90002:
  :submitters:
  - :sid: eh
    :name: 'Somebody''s other name'
  :created_at: 2026-10-05 21:41:00 +02:00
"""


@pytest.mark.parametrize("wrapper", ["", "assignment_4711_export/"])
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("line", ["\n", "\r\n"])
def test_gradescopes_metadata_says_whose_the_folders_are(
    wrapper: str, packed: bool, line: str, tmp_path: Path
) -> None:
    root = handed_in(tmp_path, *(f"{wrapper}submission_9000{number}/x.ipynb" for number in (1, 2, 3)))
    (root / wrapper / "submission_metadata.yml").write_bytes(METADATA.replace("\n", line).encode())
    if packed:
        import shutil

        root = Path(shutil.make_archive(str(tmp_path / "class"), "zip", root))
    tasks = tasks_of(root, roster=roster(tmp_path, NAMES))
    one, two, three = (f"submission_9000{number}/x.ipynb" for number in (1, 2, 3))
    assert credited(tasks) == {"ada": one, "zt": one, "eh": two, "submission_90003": three}
    assert tasks["submission_90003"].notes == ("submission_90003: submission_metadata.yml does not name it",)
    assert tasks["ada"].chosen.submitted.time.isoformat() == "2026-10-05T20:41:00+00:00"
    assert tasks["eh"].chosen.submitted.time.isoformat() == "2026-10-05T21:41:00+02:00"
    assert tasks["eh"].chosen.submitted.source == "submission_metadata.yml"
    assert "Ada Lovelace_77" in tasks_of(root), "a name and what tells people apart, without a roster"


def test_gradescopes_folders_without_metadata_say_what_is_missing(tmp_path: Path) -> None:
    for root in (tmp_path / "one", tmp_path / "two"):
        root.mkdir()
    names = ["submission_1/x.ipynb", "submission_2/x.ipynb"]
    for folder, given in ((tmp_path / "one", names[:1]), (tmp_path / "two", names)):
        tasks = tasks_of(handed_in(folder, *given), roster=roster(folder, NAMES))
        assert "submission_metadata.yml" in tasks["submission_1"].notes[0]


def test_no_student_brings_metadata(tmp_path: Path) -> None:
    root = handed_in(tmp_path, "eve/submission_1/x.ipynb", "ada/x.ipynb")
    (root / "eve" / "submission_metadata.yml").write_text(METADATA.replace("90001", "1"), encoding="utf-8")
    tasks = tasks_of(root, roster=roster(tmp_path, NAMES))
    assert credited(tasks) == {"ada": "ada/x.ipynb", "eve": "eve/submission_1/x.ipynb"}


def test_a_letter_of_two_codes_is_one_in_an_account_too(tmp_path: Path) -> None:
    split = unicodedata.normalize("NFD", "zoë")
    tasks = tasks_of(
        handed_in(tmp_path, f"Ångström, Z({split})/x.ipynb"), roster=roster(tmp_path, "student\nzoë\n")
    )
    assert list(credited(tasks)) == ["zoë"]


def test_cells_that_repeat_a_mark_are_in_the_notes(tmp_path: Path) -> None:
    root = handed_in(tmp_path, "ada.ipynb", content=answering("01.1", "01.1", "01.1"))
    handed_in(tmp_path, "bo.ipynb")
    tasks = tasks_of(root)
    assert tasks["ada"].notes == ("3 cells are marked as 01.1: the last that is answered counts",)
    assert tasks["bo"].notes == ()
