"""What the course says that it teaches, and how long that takes, is what the questions and chapters say."""

import re
from pathlib import Path

import pytest
from teaching import exercise_minutes, plan_lines, teaching, weeks_of, words_of

ROOT = Path(__file__).resolve().parents[2]
OUTCOMES = teaching()["outcomes"]
PLANS = teaching()["plans"]
# What somebody can be seen to do. "understand" and "know" cannot be seen.
VERBS = {
    "bound", "build", "choose", "compare", "compute", "count", "cut", "decide", "derive", "export", "fill",
    "find", "fit", "hide", "let", "measure", "plan", "recognize", "repair", "restrict", "sample", "save",
    "say", "score", "test", "train", "translate", "turn", "write",
}  # fmt: skip


@pytest.mark.parametrize("chapter", OUTCOMES)
def test_every_question_shows_an_outcome_of_its_chapter(chapter: str) -> None:
    text = (ROOT / "exercises" / chapter / "exercise.md").read_text(encoding="utf-8")
    there = re.findall(r"^## (\d\d\.\d+) ", text, re.MULTILINE)
    named = [question for outcome in OUTCOMES[chapter] for question in outcome["shown_by"]]
    assert sorted(named) == sorted(there), f"give each question of {chapter} one outcome in book/teaching.yml"
    assert all(outcome["shown_by"] for outcome in OUTCOMES[chapter]), (
        f"{chapter}: no question shows an outcome"
    )


@pytest.mark.parametrize("chapter", OUTCOMES)
def test_an_outcome_is_something_that_one_can_be_seen_to_do(chapter: str) -> None:
    assert 3 <= len(OUTCOMES[chapter]) <= 5, f"{chapter}: three to five outcomes can be kept in mind"
    for outcome in OUTCOMES[chapter]:
        verb = outcome["can"].split()[0]
        assert verb in VERBS, f"{chapter}: begin an outcome with a verb that can be tested, not {verb!r}"


def test_every_chapter_has_outcomes() -> None:
    chapters = {path.stem for path in (ROOT / "chapters").glob("[0-9]*.ipynb")}
    assert set(OUTCOMES) == chapters, f"in book/teaching.yml or chapters/ alone: {set(OUTCOMES) ^ chapters}"


@pytest.mark.parametrize("plan", PLANS)
def test_the_hours_of_a_plan_add_up_and_fit_into_its_weeks(plan: str) -> None:
    weeks, rows = weeks_of(plan), [line[2:-2].split(" | ") for line in plan_lines(plan)[2:]]
    taught = [name for week in weeks for name in week.chapters]
    given = [name for week in weeks for name in week.exercises]
    assert len(set(taught)) == len(taught) and len(set(given)) == len(given), f"{plan}: something comes twice"
    assert set(given) <= set(taught), f"{plan}: an exercise whose chapter is not taught"
    seen: set[str] = set()
    for number, week in enumerate(weeks, 1):
        seen |= set(week.chapters)
        assert set(week.exercises) <= seen, f"{plan}, week {number}: an exercise before its chapter"
        assert week.minutes <= 60 * PLANS[plan]["most_hours"], f"{plan}, week {number}: too many hours"
    shown = [[float(cell.strip("-") or 0) for cell in row[3:]] for row in rows]
    for row in shown:
        assert abs(sum(row[:-1]) - row[-1]) < 0.01, f"{plan}: a row does not add up as it is shown: {row}"
    for column in zip(*shown):
        assert abs(sum(column[:-1]) - column[-1]) < 0.01, f"{plan}: a column does not add up: {column}"
    counted = sum(map(exercise_minutes, given)) + sum(map(words_of, taught)) / teaching()["words_per_minute"]
    counted += teaching()["lecture_minutes"] * (len(taught) + sum(bool(week.also) for week in weeks))
    counted += sum(week.project for week in weeks)
    assert abs(counted / 60 - shown[-1][-1]) < 0.1 * len(weeks), f"{plan}: the hours are not those counted"


@pytest.mark.parametrize("plan", PLANS)
def test_the_page_for_instructors_has_the_plan(plan: str) -> None:
    page = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
    assert f"```{{course-plan}} {plan}\n```" in page, f"show the plan {plan} in book/instructors.md"
