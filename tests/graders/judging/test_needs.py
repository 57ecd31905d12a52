"""A question stands alone: what an earlier answer that is wrong or missing costs it, and what is said."""

import dataclasses
from pathlib import Path

import nbformat
import pytest
from autograder.authoring.source import Source, read_source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.fixtures import exam_text, read_exam
from autograder.judging.grade import grade
from autograder.judging.results import Result
from autograder.worker.session import Session
from grader_cases import FOLDERS, SAMPLE, public_exam, question_ids

MEASURES = """# question 01.4
def measure():
    value = torch.eye(16)[None]
    query = torch.zeros(1, 1, 16)
    mask = torch.ones(1, 16, dtype=torch.bool)
    few, all_of_them = (attention(query, value[:, :n], value[:, :n], mask[:, :n])[0, 0, 0] for n in (4, 16))
    return {"share": few, "ratio": few / all_of_them}
"""
WRONG_MEASURES = MEASURES.replace("few / all_of_them", "all_of_them / few")
MEAN = "# question 01.1\ndef attention(query, key, value, mask):\n    return 0 * value[:, :1]"
BROKEN = {
    "a missing bracket": "def attention(query, key, value, mask:\n    return value",
    "an error at top level": "1 / 0",
    "a process that ends itself": "import os\nos._exit(1)",
    "a loop": "while True: pass",
    "other values": MEAN,
    "another number of arguments": "def attention(query):\n    return query",
    "too long": "#" * 200_001,
    "not answered": "def attention(*x):\n    raise NotImplementedError('question 01.1 is not answered yet')",
}


@pytest.fixture(scope="module")
def class_exam(sample_exam: Exam, sample_source: Source) -> Exam:
    """The exam as an instructor has it, with little time for a loop."""
    quick = {q: dataclasses.replace(found, seconds=2.0) for q, found in sample_exam.questions.items()}
    return dataclasses.replace(sample_exam, questions=quick, solutions=sample_source.solutions)


@pytest.fixture
def told(class_exam: Exam, sample_source: Source, session: Session):
    def told(answer: str, earlier: str | None, exam: Exam = class_exam) -> Result:
        answers = {"01.4": answer} | ({} if earlier is None else {"01.1": earlier})
        return evaluate(exam, "01.4", sample_source.setup, answers, session)

    return told


@pytest.mark.parametrize("how", [*BROKEN, "missing"])
def test_a_broken_answer_costs_its_own_question_only(told, how: str) -> None:
    broken = BROKEN.get(how)
    result = told(MEASURES, broken and f"# question 01.1\n{broken}")
    assert (result.points, result.status) == (2, "ok"), result.feedback
    assert result.message == "Graded with our solution of question 01.1, which has 0 of 3 points."
    assert result.hints == ()


@pytest.mark.parametrize("how", BROKEN)
def test_check_which_has_no_solutions_says_where_to_look(told, class_exam: Exam, how: str) -> None:
    of_a_student = dataclasses.replace(class_exam, solutions={})
    feedback = told(MEASURES, f"# question 01.1\n{BROKEN[how]}", of_a_student).feedback
    assert "2 of 2" not in feedback and "question 01.1" in feedback and "our solution" not in feedback
    if how not in ("too long", "not answered"):
        assert "look there first" in feedback
    if how == "a missing bracket":
        assert "its cell stopped with SyntaxError: '(' was never closed, in line 2 of the cell" in feedback


def test_what_is_wrong_in_this_answer_is_told_of_it_whatever_the_earlier_one_does(told, class_exam) -> None:
    alone = told(WRONG_MEASURES, class_exam.solutions["01.1"])
    assert alone.points == 0 and "ratio" in alone.parts[0].message
    for earlier in (MEAN, "# question 01.1\nattention = (", None):
        result = told(WRONG_MEASURES, earlier)
        assert result.parts == alone.parts and result.hints == alone.hints
        assert "look there first" not in result.feedback
        assert result.message.startswith("Graded with our solution of question 01.1, which has 0 of 3")


def test_an_earlier_answer_that_is_right_is_left_in_its_place(told, class_exam, sample_source) -> None:
    own = sample_source.solutions["01.1"].replace("scores", "similar") + "\ncalled = 'so'"
    assert "01.1" not in told(WRONG_MEASURES, own).feedback
    of_its_helper = WRONG_MEASURES.replace("value =", "print(called)\n    value =")
    assert told(of_its_helper, own).printed == "so"
    assert told(MEASURES.replace("value =", "print(called)\n    value ="), own).points == 2


def test_of_two_results_the_better_one_counts(told, sample_source) -> None:
    """What an answer takes from the student's own cell is not in our solution."""
    helper = "\ndef mean(x):\n    return x.mean(1)[:, None]"
    uses = (
        "# question 01.4\ndef measure():\n    return {'share': mean(torch.ones(1, 4, 1)) / 4, 'ratio': 3.0}"
    )
    result = told(uses, MEAN + helper)
    assert result.status == "ok" and "NameError" not in result.feedback and "solution" not in result.feedback


def test_points_do_not_depend_on_advice(class_exam: Exam, sample_source: Source, session: Session) -> None:
    answers = {"01.1": MEAN, "01.4": MEASURES}
    assert evaluate(class_exam, "01.4", None, answers, session, advise=False).points == 2


def test_nothing_is_run_twice_without_need(
    class_exam: Exam, sample_source: Source, session: Session, monkeypatch
) -> None:
    runs = []
    run = session.run
    monkeypatch.setattr(session, "run", lambda *given, **named: runs.append(1) or run(*given, **named))
    for answer in (MEASURES, WRONG_MEASURES):
        evaluate(class_exam, "01.4", None, {**sample_source.solutions, "01.4": answer}, session)
    evaluate(class_exam, "01.1", None, {"01.1": MEAN}, session)
    assert len(runs) == 3


def test_nothing_of_a_solution_is_shown(told, class_exam: Exam) -> None:
    feedback = told(
        MEASURES.replace("(query, value[", "(3, value["), "# question 01.1\nattention = ("
    ).feedback
    assert "in line 6 of the cell '# question 01.4'" in feedback
    source = "import linecache, inspect\n    print(linecache.cache.keys(), inspect.getsource(attention))\n"
    told_it = told(WRONG_MEASURES.replace("value = torch.eye", f"{source}    value = torch.eye"), MEAN)
    for text in (feedback, told_it.feedback):
        assert "masked_fill" not in text and "transpose" not in text


def test_what_is_shown_as_printed_is_from_the_students_own_cells(told) -> None:
    assert told(WRONG_MEASURES, f"{MEAN}\nprint('mine')").printed == "mine"


def test_fixtures_hold_no_solutions(class_exam: Exam) -> None:
    text = exam_text(class_exam)
    assert "masked_fill" not in text and read_exam(text, "fixtures.json").solutions == {}
    assert text == exam_text(dataclasses.replace(class_exam, solutions={}))


@pytest.mark.slow
def test_an_exam_of_a_class_has_the_solutions(
    session: Session, sample_source: Source, tmp_path: Path
) -> None:
    exam = Exam.at_seed(SAMPLE, 7, session)
    cells = ["# question 01.1\ndef attention(", sample_source.solutions["01.2"], MEASURES]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, tmp_path / "homework.ipynb")
    graded = grade(exam, tmp_path / "homework.ipynb", session)
    assert [result.points for result in graded.questions] == [0, 1, 0, 2]


NEEDING = [
    pytest.param(folder, q, id=q)
    for folder in FOLDERS
    if folder != SAMPLE
    for q in question_ids(folder)
    if "needs=(" in next(folder.glob(f"q{int(q[3:])}_*/spec.py")).read_text(encoding="utf-8")
]


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", NEEDING)
def test_a_missing_bracket_in_an_earlier_cell_costs_no_right_answer(
    folder: Path, question: str, session: Session
) -> None:
    source = read_source(folder / "exercise.md")
    exam = dataclasses.replace(public_exam(folder), solutions=source.solutions)
    answers = dict.fromkeys(exam.questions[question].needs, "def f(:") | {
        question: source.solutions[question]
    }
    result = evaluate(exam, question, source.setup, answers, session)
    assert (result.points, result.status) == (result.max_points, "ok"), result.feedback
