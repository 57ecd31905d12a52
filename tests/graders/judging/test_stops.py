"""Cells that end with an error: what they had defined until then counts, the rest is lost with the error."""

import dataclasses

import pytest
from autograder.authoring.source import Source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.results import Result
from autograder.worker.session import Session

MEASURE = "# question 01.4\ndef measure():\n    return {'share': 0.25, 'ratio': 4.0}\n"
REPORT = "def give_report(student, inputs):\n    return student.report\n"


@pytest.fixture(scope="module")
def reporting(sample_exam: Exam) -> Exam:
    """The sample, where 01.4 also asks for a report of what was measured."""
    question = sample_exam.questions["01.4"]
    report = dataclasses.replace(question.parts[0], name="report", program=REPORT, points=1)
    asked = dataclasses.replace(question, parts=(*question.parts, report), mistakes=())
    return dataclasses.replace(sample_exam, questions={**sample_exam.questions, "01.4": asked})


@pytest.fixture
def told(reporting: Exam, sample_source: Source, session: Session):
    def told(question: str, answer: str, setup: str = sample_source.setup) -> Result:
        answers = {**sample_source.solutions, question: answer}
        return evaluate(reporting, question, setup, answers, session)

    return told


@pytest.mark.parametrize(
    "line, error",
    [
        ("report = measure(1 / 0)", "ZeroDivisionError: division by zero"),
        ("report = measured()", "NameError: name 'measured' is not defined"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import sys; sys.exit()", "SystemExit: your code called sys.exit"),
        ("class Odd(BaseException): pass\nraise Odd('strange')", "Odd: strange"),
    ],
)
def test_a_report_that_fails_leaves_the_function_its_points(told, line: str, error: str) -> None:
    result = told("01.4", MEASURE + line)
    assert [part.points for part in result.parts] == [2, 0]
    assert result.status == "crashed" and result.hinted == "report"
    assert result.message.startswith(f"The cell stopped with {error}, in line ")
    assert result.message.endswith("What it had defined until then is graded.")
    assert result.parts[1].message.startswith(f"The cell does not define report: it stopped with {error}")
    assert not result.parts[0].message


def test_what_fails_after_all_that_is_asked_costs_nothing_and_is_told(told, sample_source: Source) -> None:
    result = told("01.1", sample_source.solutions["01.1"] + "\nattention(1, 2, 3, 4)")
    assert (result.points, result.status) == (3, "crashed")
    assert "AttributeError: 'int' object has no attribute" in result.message and not result.hints


def test_a_report_that_is_left_open_is_not_answered_yet(told) -> None:
    left_open = "raise NotImplementedError('question 01.4 is not answered yet')"
    result = told("01.4", MEASURE + left_open)
    assert (result.points, result.status, result.message) == (2, "ok", "")
    assert result.parts[1].message == "Not answered yet."
    assert told("01.4", f"# question 01.4\nimport math\n{left_open}").status == "empty"


@pytest.mark.parametrize("line", ["report = (", "report = 1 / 0\n  indented = 2", "return measure()"])
def test_an_error_of_syntax_costs_the_question(told, line: str) -> None:
    result = told("01.4", MEASURE + line)
    assert result.points == 0 and ("SyntaxError" in result.message or "IndentationError" in result.message)


def test_a_cell_that_stops_at_once_defines_nothing(told) -> None:
    result = told("01.4", "# question 01.4\n1 / 0\n" + MEASURE)
    assert result.points == 0
    assert (
        result.message
        == "ZeroDivisionError: division by zero, in line 2 of the cell '# question 01.4': 1 / 0"
    )


def test_a_value_of_an_earlier_cell_is_not_the_answers(told) -> None:
    again = "# question 01.4\nreport = measure = 3\ndel report\nreport = nothing"
    result = told("01.4", again)
    assert result.points == 0 and "does not define report: it stopped with NameError" in result.feedback


def test_another_value_of_a_name_that_was_there_before_counts(told) -> None:
    assert told("01.4", MEASURE + "1 / 0", "# setup\nimport torch\nmeasure = None").parts[0].points == 2


def test_an_import_that_fails_costs_no_more_of_the_setup_than_itself(told, sample_source: Source) -> None:
    setup = "# setup\nfrom google.colab import drive\ndrive.mount('/content')\nimport torch\nimport math"
    right = told("01.1", sample_source.solutions["01.1"], setup)
    assert right.points == 3 and not right.message
    assert "'# setup' stopped with ModuleNotFoundError: No module named 'google" in right.passed_over
    uses = "# question 01.4\ndef measure():\n    return {'share': math.exp(0) / 4, 'ratio': 4.0}\n"
    assert told("01.4", uses, setup).parts[0].points == 2
    result = told("01.4", uses.replace("math.exp(0)", "drive"), setup)
    assert "the cell '# setup' stopped with ModuleNotFoundError: No module named 'google" in result.feedback


def test_magics_and_what_a_kernel_has_do_no_harm(told, sample_source: Source) -> None:
    solution = sample_source.solutions["01.1"]
    setup = (
        "# setup\n%matplotlib inline\n!pip install x\nimport torch\n%time y = 2\nfiles = !ls\ndisplay(files)"
    )
    assert told("01.1", f"%%time\n{solution}\nget_ipython().run_line_magic('x', '')", setup).points == 3
    assert (
        told("01.1", solution.replace("return weights", "return len(files) + y / 2 * weights"), setup).points
        == 3
    )


MEASURED = "# question 01.4\n{}\n\ndef measure():\n    return {{'share': {}, 'ratio': 4.0}}\n"


@pytest.mark.parametrize(
    "before, share",
    [
        ("import asyncio\nawait asyncio.sleep(0)\nquarter = await asyncio.sleep(0, 0.25)", "quarter"),
        ("timed = %timeit -n 10 -r 3 -o sum(range(3))", "0.25 if 0 <= timed.best <= timed.worst else 0"),
        ("%env WIDTH=4\nimport os", "1 / int(os.environ['WIDTH'])"),
        ("%set_env WIDTH 4\nwidth = %env WIDTH", "1 / int(width)"),
        ("asked = len(In) + len(Out)", "asked / 4"),
        ("quarter = %time 1 / 4", "quarter"),
        ("def half(n):\n    %time m = n / 2\n    m = %time n / 2\n    return m", "half(0.5)"),
    ],
)
def test_what_runs_in_a_kernel_runs_here(told, before: str, share: str) -> None:
    result = told("01.4", MEASURED.format(before, share))
    assert result.parts[0].points == 2, result.feedback


def test_what_the_setup_imports_from_the_future_holds_in_the_answer(told, sample_source: Source) -> None:
    typed = "def typed(x: whatever.follows) -> None: ..."
    future = f"# setup\nfrom __future__ import annotations\nimport torch\n{typed}"
    result = told("01.4", MEASURED.format(typed, 0.25), future)
    assert result.parts[0].points == 2, result.feedback
    assert told("01.4", MEASURED.format(typed, 0.25)).parts[0].points == 0


def test_a_missing_name_is_told_with_the_magics_that_were_passed_over(told) -> None:
    result = told("01.4", MEASURED.format("%pylab inline\n%matplotlib inline", "float(np.mean([0.25]))"))
    assert "name 'np' is not defined; magics do nothing here, such as %pylab" in result.feedback
    assert "%matplotlib" not in result.feedback
    result = told("01.4", "# question 01.4\n%run my_answers.py")
    assert result.points == 0 and "does not define measure" in result.feedback
    assert "%run" in result.feedback


def test_a_setup_cell_keeps_what_it_defined(told, sample_source: Source) -> None:
    setup = "# setup\nimport torch\n1 / 0\nimport math"
    assert told("01.1", sample_source.solutions["01.1"], setup).points == 3
    uses = "# question 01.4\ndef measure():\n    return {'share': math.exp(0) / 4, 'ratio': 4.0}\n"
    result = told("01.4", uses, setup)
    assert result.points == 0
    assert (
        "NameError: name 'math' is not defined, in line 3 of the cell '# question 01.4': return"
        in result.feedback
    )
    assert (
        "(the cell '# setup' stopped with ZeroDivisionError: division by zero, in line 3" in result.feedback
    )
    assert "marked '# setup' and" not in result.feedback
    for broken in ("# setup\nimport nowhere_at_all", "# setup\nimport torch\nimport ("):
        stopped = told("01.1", sample_source.solutions["01.1"], broken)
        assert stopped.points == 0 and "of the cell '# setup'" in stopped.message
