"""The guides for students and instructors: their commands parse, their example is what check says."""

import dataclasses
import re
import shlex
from pathlib import Path

import pytest
from autograder.__main__ import parser
from autograder.authoring.source import read_source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import PUBLIC_SEED
from autograder.judging.results import MEANINGS
from autograder.proving.saboteurs import ABOVE, NUMERICS, OF_MODULES, ON_ARGUMENTS, ON_CALLS, ON_VALUES
from autograder.worker.session import Limits, Session
from grader_cases import ROOT, bank_answer, public_exam

PAGES = [
    *(ROOT / name for name in ("README.md", "book/preface.md", "book/students.md", "book/instructors.md")),
    *(ROOT / "exercises" / name for name in ("README.md", "autograder/AUTHORS.md")),
    *sorted((ROOT / "exercises" / "kits").glob("*.md")),
]
# a lone name of a command, as running text has it, is asked for its help
COMMAND = re.compile(r"python -m autograder [^`\n#]+")


def commands(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8").replace("\\\n", "")
    text = text.replace("{exercise}", "06_self_attention").replace("{seed}", "31")
    return [found.strip() for found in COMMAND.findall(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_autograder_command_on_a_page_is_one_that_the_program_takes(page: Path, capsys) -> None:
    for command in commands(page):
        words = shlex.split(command)[3:]
        try:
            parser().parse_args(words if len(words) > 1 else [*words, "--help"])
        except SystemExit as end:
            assert end.code == 0, f"{page.name}: {command}\n{capsys.readouterr().err}"


def test_the_guides_have_commands_and_name_exercises_that_exist() -> None:
    shown = [command for page in PAGES for command in commands(page)]
    assert {words.split()[3] for words in shown} >= {"grade", "prove", "finish", "build", "kit", "export"}
    for path in re.findall(r"exercises/\d\d_[\w./]+", " ".join(shown)):
        assert (ROOT / path).exists(), path


def test_the_authors_guide_says_of_every_saboteur_what_it_asks_for() -> None:
    guide = (ROOT / "exercises" / "autograder" / "AUTHORS.md").read_text(encoding="utf-8")
    named = {name for row in re.findall(r"^\| (`[^|]+)", guide, re.M) for name in re.findall(r"`(.+?)`", row)}
    effects = {*ON_CALLS, *NUMERICS, *OF_MODULES, *(f"{word} of argument x" for word in ON_ARGUMENTS)}
    effects |= {"x is 1", "x and y agree", "x and y differ", *(f"x {how}" for how in (*ON_VALUES, ABOVE))}
    assert effects <= named, f"add to the table of saboteurs in AUTHORS.md: {sorted(effects - named)}"


def test_the_policies_and_times_that_the_instructors_guide_shows_are_understood() -> None:
    from autograder.classroom.policy import LatePolicy
    from autograder.classroom.times import aware_time

    text = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
    policies = re.findall(r"--late-policy (\S+)|`(\d+%(?:/\w+)?)`", text)
    assert len(policies) >= 3
    for pair in policies:
        LatePolicy.parse("".join(pair))
    for time in re.findall(r"\d{4}-\d\d-\d\dT[\d:+]+(?: [A-Z]\w+/\w+)?", text):
        aware_time(time, "the guide")


@pytest.mark.parametrize("reader", ["roster", "extensions", "overrides"])
def test_the_tables_that_the_instructors_guide_shows_are_read(reader: str, tmp_path: Path) -> None:
    from autograder.classroom.policy import read_extensions, read_overrides
    from autograder.classroom.roster import Roster

    text = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
    tables = re.findall(r"```text\n(student,[^`]+)```", text)
    path = tmp_path / "table.csv"
    students, points = ["ada", "emmy"], {"06_self_attention": {"06.3": 5}}
    roster, extensions, overrides = tables
    path.write_text({"roster": roster, "extensions": extensions, "overrides": overrides}[reader])
    if reader == "roster":
        assert list(Roster.read(path).students) == students
    elif reader == "extensions":
        assert list(read_extensions(path, students, points)) == students
    else:
        assert list(read_overrides(path, students, points)) == [("ada", "06_self_attention")]


def test_the_example_of_feedback_is_what_check_says(session: Session) -> None:
    text = (ROOT / "book" / "students.md").read_text(encoding="utf-8")
    example = re.search(r'<pre id="feedback-example"[^>]*>\n(.*?)</pre>', text, re.DOTALL)[1]
    folder = ROOT / "exercises" / "01_factorization"
    exam = public_exam(folder)
    assert exam.seed == PUBLIC_SEED
    source = read_source(folder / "exercise.md")
    answer = bank_answer(folder, "wrong", "01.1", "no_lengths").source
    result = evaluate(exam, "01.1", source.setup, {**source.solutions, "01.1": answer}, session)
    more = len(exam.questions["01.1"].hints_on(result.hinted)) - len(result.hints)
    said = dataclasses.replace(result, more_hints=more).feedback
    assert example.strip() == said.strip()


def test_the_students_guide_explains_every_headline_and_the_limits() -> None:
    text = (ROOT / "book" / "students.md").read_text(encoding="utf-8")
    for status in ("empty", "missing", "crashed", "timeout", "out-of-memory"):
        assert f"| {MEANINGS[status]} |" in text
    assert f"more than {Limits().memory >> 30} GB" in text
    assert "more than 10 seconds" in text


def test_the_kits_pages_are_one_page() -> None:
    for page in (ROOT / "exercises" / "kits").glob("*.md"):
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 60, page.name
