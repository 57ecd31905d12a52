"""The proof of the graders over every exercise: banks, stubs, fresh fixtures, no leak."""

import ast
import dataclasses
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from autograder.__main__ import main
from autograder.authoring.bank import read_bank
from autograder.authoring.folders import load_questions
from autograder.authoring.layers import Layers
from autograder.authoring.source import Source, read_source
from autograder.authoring.spec import Question
from autograder.delivery.build import made_notebooks, problems
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.proving import proof
from autograder.proving.clauses import question_texts
from autograder.proving.proof import Proof
from autograder.worker.session import Session
from grader_cases import FOLDERS, ROOT, SAMPLE, SAMPLED, by_lot, public_exam, question_ids, seeds_again


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", SAMPLED)
def test_right_answers_win_all_and_wrong_ones_lose_what_they_declare(
    folder: Path, question: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "MORE_SEEDS", seeds_again(folder, question))
    failures = list(Proof.of(folder, session, question=question).failures(question, session))
    assert not failures, "\n".join(failures)


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_generated_files_are_fresh_and_show_no_solution(folder: Path, session: Session) -> None:
    stale = problems(folder, session)
    assert not stale, f"run: python -m autograder build exercises/{folder.name}, and commit it\n{stale}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_cell_marked_as_a_question_is_specified(folder: Path) -> None:
    marked, specified = question_ids(folder), [question.id for question in load_questions(folder)]
    assert marked == specified, f"give each cell `# question NN.Q` of {folder.name} a folder qN_short_name"


COURSE = [folder for folder in FOLDERS if folder != SAMPLE]


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_the_text_states_title_points_difficulty_and_minutes(folder: Path) -> None:
    text = (folder / "exercise.md").read_text(encoding="utf-8")
    for q in load_questions(folder):
        told = f"## {q.id} {q.title}\n\n*{q.points} points, difficulty {q.difficulty}, {q.minutes} minutes.*"
        assert told in text, f"{folder.name}/exercise.md should say, as the spec.py does:\n{told}"
        worth = (q.minutes + 2) // 4
        assert q.points == worth, f"{q.id}: a point stands for four minutes, so {worth} for {q.minutes}"


HOURS = {1.5: "one and a half", 2.0: "two", 2.5: "two and a half", 3.0: "three", 3.5: "three and a half"}
HOURS |= {4.0: "four", 4.5: "four and a half", 5.0: "five"}


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_the_chapter_says_how_long_its_exercises_take_to_half_an_hour(folder: Path) -> None:
    hours = round(sum(question.minutes for question in load_questions(folder)) / 30) / 2
    assert hours in HOURS, f"the questions of {folder.name} should take 1.5 to 5 hours, not {hours}"
    told = f" hours, and {HOURS[hours]} more for the [exercises]"
    text = (ROOT / "chapters" / f"{folder.name}.ipynb").read_text(encoding="utf-8")
    assert told in text, f"chapters/{folder.name}.ipynb should say in its line *Time*: ...{told}"


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_code_cells_are_at_most_80_columns_wide(folder: Path) -> None:
    cells = [cell for made in made_notebooks(Layers(folder)).values() for cell in made.cells]
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    wide = sorted({line.strip() for line in code.split("\n") if len(line) > 80})
    assert not wide, "these lines of exercise.md are cut off on the page:\n" + "\n".join(wide)


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_every_part_has_hints_in_steps(folder: Path) -> None:
    few = [
        f"{question.id}, part {part.name!r}"
        for question in load_questions(folder)
        for part in question.parts
        if len(part.hints or question.hints) < 2
    ]
    assert not few, f"a second hint is shown to who fails again; give two or more to {'; '.join(few)}"


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_a_folder_has_a_hard_question_and_one_that_builds_on_another(folder: Path) -> None:
    questions = load_questions(folder)
    hardest = max(question.difficulty for question in questions)
    assert hardest >= 4, f"add a question of difficulty 4 or 5 to {folder.name}: the hardest has {hardest}"
    assert any(q.needs for q in questions), f"let a question of {folder.name} build on another (`needs`)"


@pytest.fixture
def sample_proof(sample_exam: Exam, sample_source: Source, session: Session) -> Proof:
    sides = {side: read_bank(SAMPLE, side) for side in ("right", "wrong")}
    specified = {question.id: question for question in load_questions(SAMPLE)}
    texts = question_texts(sample_source)
    exams = [sample_exam, *(Exam.at_seed(SAMPLE, seed, session) for seed in (1, 2))]
    return Proof(specified, sample_source, texts, sides["right"], sides["wrong"], exams)


def test_the_sample_is_proven_at_the_public_seed(sample_proof: Proof, session: Session) -> None:
    assert [told for q in sample_proof.questions for told in sample_proof.failures(q, session)] == []


def test_a_question_to_implement_needs_three_styles_of_right_answers(
    sample_proof: Proof, session: Session
) -> None:
    right = [answer for answer in sample_proof.right if answer.question == "01.1"]
    again = dataclasses.replace(right[0], name="again", source=f"# again\n{right[0].source}")
    for few in (right[:2], [*right[:2], again]):
        told = next(dataclasses.replace(sample_proof, right=few).failures("01.1", session))
        assert told == "01.1: 2 different right answers in the bank; at least 3 are needed"


@pytest.mark.parametrize(
    "question, wrong, told",
    [
        ("01.1", "no_scale", "should lose mask; it loses mask, values"),
        ("01.3", "sum", "should have full marks"),
    ],
)
def test_a_bank_that_is_wrong_about_an_answer_is_told(
    sample_proof: Proof, session: Session, question: str, wrong: str, told: str
) -> None:
    mistake = next(answer for answer in sample_proof.wrong if answer.name == wrong)
    if told == "should have full marks":
        broken = dataclasses.replace(sample_proof, right=[*sample_proof.right, mistake])
    else:
        others = [answer for answer in sample_proof.wrong if answer is not mistake]
        broken = dataclasses.replace(
            sample_proof, wrong=[*others, dataclasses.replace(mistake, loses=("mask",))]
        )
    assert any(told in failure for failure in broken.failures(question, session))


@pytest.mark.slow
def test_one_question_is_proven_by_itself(session: Session, capsys, monkeypatch) -> None:
    ran = []
    real = session.run
    monkeypatch.setattr(
        session, "run", lambda cells, *rest, **more: ran.append(cells[-1][0]) or real(cells, *rest, **more)
    )
    proof = Proof.of(SAMPLE, session, question="01.3")
    assert list(proof.failures("01.3", session)) == []
    assert set(ran) == {"question 01.3"}
    assert main(["prove", str(SAMPLE), "--question", "01.7"]) == 2
    assert "there is no question '01.7'; there are 01.1, 01.2" in capsys.readouterr().err


def test_an_answer_that_fails_at_every_seed_is_told_once(sample_proof: Proof, session: Session) -> None:
    mistake = next(answer for answer in sample_proof.wrong if answer.name == "sum")
    broken = dataclasses.replace(
        sample_proof, right=[*sample_proof.right, mistake], exams=sample_proof.exams * 2
    )
    assert len([told for told in broken.failures("01.3", session) if "full marks" in told]) == 1


def leaves(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


DERIVED = [
    pytest.param(folder, question, id=question.id if folder != SAMPLE else f"sample-{question.id}")
    for folder in FOLDERS
    for question in load_questions(folder)
    if question.kind == "derive"
]


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", DERIVED)
@pytest.mark.parametrize(
    "wrong", ["-7", "0", "-0.0", "'no idea'", "[0.5] * 16", "None", "True", "float('nan')", "float('inf')"]
)
def test_feedback_on_a_derivation_shows_nothing_of_the_answer(
    folder: Path, question: Question, wrong: str, session: Session
) -> None:
    exam = public_exam(folder)
    answer = "\n".join(f"{name} = {wrong}" for name in question.reference)
    result = evaluate(exam, question.id, None, {question.id: answer}, session)
    assert (result.points, result.status) == (0, "ok")
    told = " ".join(part.message for part in result.parts)
    values = [leaf for value in question.reference.values() for leaf in leaves(value)]
    right = {str(value) if isinstance(value, bool) else f"{value:.4g}" for value in values}
    assert all(re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", told) is None for text in right), told


EXPERIMENTS = [
    pytest.param(folder, question, id=question.id)
    for folder in COURSE
    for question in load_questions(folder)
    if question.kind == "experiment"
]
MEASURED = "def measure(*arguments):\n    return report | {'gained': [report['excess']] * 4}"


def filled(value: Any, filler: str) -> str:
    """The text of a report in which each number but the seed is ``filler``."""
    if isinstance(value, dict):
        entries = [f"{k!r}: {'0' if k == 'seed' else filled(v, filler)}" for k, v in value.items()]
        return f"{{'excess': {filler}, {', '.join(entries)}}}"
    return f"[{', '.join(filled(item, filler) for item in value)}]" if isinstance(value, list) else filler


def numbers(value: Any) -> list[Any]:
    """The numbers of a report, in the order of its names."""
    if isinstance(value, dict):
        return [number for name in sorted(value) for number in numbers(value[name])]
    return leaves(value)


def half_a_unit(number: float) -> float:
    """Half a unit of the last digit that a number is written with."""
    return 0.5 * 10.0 ** int(Decimal(repr(number)).as_tuple().exponent)


CONCEALED = [case for case in EXPERIMENTS if any(part.conceal for part in case.values[1].parts)]


@pytest.mark.parametrize("folder, question", CONCEALED)
def test_the_solutions_report_rounds_what_it_is_compared_with(folder: Path, question: Question) -> None:
    """To as many digits as it has. One that is off by one in the last compared digit may have full marks."""
    cell = ast.parse(read_source(folder / "exercise.md").solutions[question.id]).body
    (report,) = (node.value for node in cell if isinstance(node, ast.Assign))
    pairs = zip(numbers(ast.literal_eval(report)), numbers(question.reference["report"]), strict=True)
    for told, true in pairs:
        assert abs(told - true) <= 1.001 * max(half_a_unit(told), half_a_unit(true)), (told, true)


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", by_lot(EXPERIMENTS))
def test_numbers_without_a_measurement_win_nothing(
    folder: Path, question: Question, session: Session
) -> None:
    exam = public_exam(folder)
    true = question.reference["report"]
    fillers = ["0", "-0.0", "0.5", "True", "None", "'0.5'", "float('nan')", "float('inf')", "float('-inf')"]
    reports = [repr(true), repr({"excess": 0.5} | true), *(filled(true, filler) for filler in fillers)]
    for report in reports:
        for function in ("", MEASURED):
            answer = f"# question {question.id}\nreport = {report}\n{function}"
            result = evaluate(exam, question.id, None, {question.id: answer}, session)
            assert result.points == 0, f"{answer}\n{result.feedback}"


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", by_lot(EXPERIMENTS))
def test_a_right_function_beside_invented_numbers_wins_its_own_parts_only(
    folder: Path, question: Question, session: Session
) -> None:
    exam = public_exam(folder)
    solutions = read_source(folder / "exercise.md").solutions
    answers = {needed: solutions[needed] for needed in question.needs}
    for filler in ("0", "-0.0", "0.5", "True", "None", "'0.5'", "float('nan')", "float('inf')"):
        invented = f"report = {filled(question.reference['report'], filler)}"
        answers[question.id] = f"{solutions[question.id]}\n{invented}"
        result = evaluate(exam, question.id, None, answers, session)
        won = {part.name for part in result.parts if part.points}
        measured = {p.name for p in question.parts if not p.program.__name__.startswith("give_")}
        assert won == measured, result.feedback
