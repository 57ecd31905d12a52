"""check in a notebook: which cells it takes, what it shows, what it says when it cannot."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest
import torch
from autograder import check, hint
from autograder.authoring.source import Source
from autograder.judging import checking
from autograder.judging.checking import NotInNotebook, UnknownQuestion
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.results import NoCase
from autograder.worker.session import Session
from grader_cases import SAMPLE, public_exam

WRONG = """# question 01.1
def attention(query, key, value, mask):
    return (query @ key.mT).masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value
"""


# like no mistake of the bank
UNNAMED = WRONG.replace("key.mT)", "key.mT * 3)")


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch, session: Session, sample_source: Source) -> list[str]:
    """The inputs of a pretended kernel, started in the sample's folder."""
    cells = [sample_source.setup, *sample_source.solutions.values()]
    monkeypatch.setattr(checking, "_history", lambda: cells)
    monkeypatch.setattr(checking, "_session", session)
    monkeypatch.setattr(checking, "_tries", {})
    monkeypatch.setattr(checking.ShownResult, "_ipython_display_", lambda self: None)
    monkeypatch.chdir(SAMPLE)
    return cells


def test_solved_cells_get_full_marks(history: list[str]) -> None:
    for question, points in [("01.1", 3), ("1.2", 1), ("01.3", 2), ("01.4", 2)]:
        result = check(question)
        assert (result.points, result.max_points, result.status) == (points, points, "ok")


def test_the_cell_last_run_counts(history: list[str]) -> None:
    right = history[1]
    history.append(WRONG)
    assert check("01.1").mistake == "no_scale"
    history.append(right)
    assert check("01.1").points == 3


def test_a_mistake_is_named_and_the_hint_shown_on_failure_only(history: list[str]) -> None:
    assert "Hint" not in check("01.1").feedback
    history.append(WRONG)
    result = check("01.1")
    assert "This equals attention without the 1/sqrt(d_head) scale." in result.feedback
    assert "Hint" not in result.feedback, "the name says it"
    assert (result.hints, result.more_hints) == ((), 2)
    assert result.feedback.endswith('For a hint, change your answer and check again, or run hint("01.1").')
    history.append(UNNAMED)
    result = check("01.1")
    assert "Hint 1 on values: What is the variance" in result.feedback
    assert "<em>Hint 1 on values: What is the variance" in result._repr_html_()


def test_a_named_mistake_is_set_off_in_html(history: list[str]) -> None:
    history.append(WRONG)
    result = check("01.1")
    assert "This equals <strong>attention without the 1/sqrt(d_head) scale</strong>" in result._repr_html_()


MASKED_MEAN = """# question 01.1
def attention(query, key, value, mask):
    weights = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~mask, -1e9).softmax(-1)
    return weights @ value
"""


def test_another_try_that_loses_the_same_part_shows_the_next_hint(history: list[str]) -> None:
    history.append(UNNAMED)
    first = check("01.1")
    assert (first.hinted, len(first.hints), first.more_hints) == ("values", 1, 1)
    assert first.feedback.endswith(
        'For another hint, change your answer and check again, or run hint("01.1").'
    )
    assert check("01.1") == first  # the same answer, as when all cells are run again
    for cause in ("return 1 +", "return query", "return undefined", "query *= 2\n    return query"):
        history.append(f"# question 01.1\ndef attention(query, key, value, mask):\n    {cause}")
        other = check("01.1")
        assert (other.hints, other.more_hints) == ((), 2), "neither shows a hint nor counts as a try"
    history.append(UNNAMED.replace("softmax(-1)", "softmax(-2)"))
    second = check("01.1")
    assert second.hints == (*first.hints, "Divide by the standard deviation of the scores.")
    assert "For another hint" not in second.feedback
    history.append(MASKED_MEAN)
    assert check("01.1").hints == ("Which keys have no part in a row's sums?",)
    history.append(history[1])
    assert check("01.1").hints == ()


def test_a_hint_can_be_asked_for(history: list[str], capsys) -> None:
    hint("01.1")
    assert capsys.readouterr().out == "Question 01.1 has all its points.\n"
    history.append(UNNAMED)
    check("01.1")
    hint("1.1")
    told = capsys.readouterr().out
    assert told.startswith("Hint 1 on values: ") and "\nHint 2 on values: Divide by" in told
    assert told.endswith("There are no more hints on this part.\n")
    assert len(check("01.1").hints) == 2


def test_a_hint_can_be_asked_for_before_the_first_try(history: list[str], sample_source, capsys) -> None:
    history.append(sample_source.stubs["01.1"])
    hint("01.1")
    told = capsys.readouterr().out
    assert told.startswith("Hint 1 on values: ") and "Hint 2" not in told and 'hint("01.1")' in told
    history[:] = [cell for cell in history if "01.2" not in cell]
    hint("01.2")
    assert capsys.readouterr().out.startswith("Hint 1 on count: Each token")
    with pytest.raises(UnknownQuestion):
        hint("01.9")


def test_a_derived_value_is_never_shown(history: list[str]) -> None:
    for given, told in ((60, "n_scores is not right."), (76, "n_scores is not right: it is off by one.")):
        history.append(f"# question 01.2\nn_scores = {given}")
        feedback = check("01.2").feedback
        assert told in feedback and "75" not in feedback


def test_a_question_that_builds_on_another_uses_the_students_own(history: list[str], sample_source) -> None:
    history.append(sample_source.stubs["01.1"])
    result = check("01.4")
    assert result.status == "empty"
    assert "It builds on question 01.1, which is not answered yet." in result.feedback


def test_the_exercises_own_setup_stands_in_for_one_that_was_not_run(history: list[str]) -> None:
    del history[0]
    assert check("01.1").points == 3


def test_what_other_cells_define_is_not_known_and_the_message_says_so(history: list[str]) -> None:
    history += ["width = 5", "# question 01.2\nn_scores = 3 * width * width"]
    result = check("01.2")
    assert result.status == "crashed"
    assert "NameError: name 'width' is not defined, in line 2" in result.feedback
    assert "cells marked '# setup' and '# question' only" in result.feedback


def test_a_cell_that_was_not_run_is_asked_for(history: list[str]) -> None:
    history[:] = [cell for cell in history if "01.3" not in cell]
    result = check("01.3")
    assert (result.status, result.points) == ("missing", 0)
    assert "has been run in this kernel: run it, then check again" in result.feedback


@pytest.mark.parametrize("name", ["01.9", "1.22", "attention", "", "99.1"])
def test_an_unknown_question_lists_what_there_is(history: list[str], name: str) -> None:
    with pytest.raises(UnknownQuestion, match=r"There are: 01\.1, 01\.2, 01\.3, 01\.4") as caught:
        check(name)
    assert caught.value._render_traceback_() == [f"UnknownQuestion: {caught.value}"]


def test_a_close_name_is_suggested(history: list[str]) -> None:
    with pytest.raises(UnknownQuestion, match=r"did you mean '01\.\d'\?"):
        check("01.5")


def test_fixtures_are_found_from_the_folder_above(history: list[str], monkeypatch) -> None:
    monkeypatch.chdir(SAMPLE.parent)
    assert check("01.2").points == 1


def test_a_notebook_away_from_its_exercise_is_told_so(
    history: list[str], monkeypatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownQuestion, match=r"no fixtures\.json"):
        check("01.1")


@pytest.mark.parametrize(
    "text, told",
    [
        ("not json", "is not a fixtures file"),
        ('{"format_version": 99}', "has format version 99"),
        ('{"format_version": 2}', "is damaged"),
    ],
)
def test_broken_fixtures_are_called_so(history, monkeypatch, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "fixtures.json").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=told):
        check("01.1")


def test_outside_a_notebook_check_says_what_to_use() -> None:
    with pytest.raises(NotInNotebook, match="python -m autograder grade"):
        check("01.1")


def test_a_failing_case_is_run_again_with_its_inputs(history: list[str], sample_exam: Exam) -> None:
    history.append(WRONG)
    result = check("01.1")
    case = re.match(r"case (\d) of \d \(query (\d)x(\d)x(\d),", result.parts[0].message)
    assert case is not None
    inputs = result.case(int(case[1]))
    assert inputs["query"].shape == tuple(map(int, case.groups()[1:]))
    told = re.search(r"first at \[(.*?)\]: expected (\S+), got (\S+)\.$", result.parts[0].message)
    assert told is not None
    names: dict = {"torch": torch}
    exec(WRONG, names)
    got = names["attention"](**inputs)[tuple(map(int, told[1].split(", ")))]
    assert float(got) == pytest.approx(float(told[3]), rel=1e-3)
    assert set(inputs) == {"query", "key", "value", "mask"}, "no expected values"


def test_a_case_is_shown_shortly_and_is_its_own(history: list[str]) -> None:
    history.append(WRONG)
    result = check("01.1")
    inputs = result.case(1)
    lines = repr(inputs).splitlines()
    assert lines[0] == f"question 01.1, part 'values', case 1 of {len(asked_cases(result))}:"
    assert re.match(r"  query: float32 tensor \(\d, \d, \d\) \[\[\[-?\d\.\d", lines[1])
    assert re.match(r"  mask: bool tensor ", lines[4]) and max(map(len, lines)) < 260
    before = inputs["query"].clone()
    inputs["query"].zero_()
    assert torch.equal(result.case(1)["query"], before)


def asked_cases(result) -> tuple:
    return next(p for p in public_exam(SAMPLE).questions["01.1"].parts if p.name == "values").cases


def test_a_case_is_of_the_first_part_that_is_lost_or_of_the_one_that_is_named(history: list[str]) -> None:
    history.append(MASKED_MEAN)
    result = check("01.1")
    assert "part 'mask', case 1" in repr(result.case(1))
    assert "part 'values', case 1" in repr(result.case(1, "values"))
    history.append(history[1])
    assert "part 'values', case 1" in repr(check("01.1").case(1)), "nothing is lost"
    history.append("# question 01.1\ndef attention(")
    assert "part 'values', case 2" in repr(check("01.1").case(2)), "nothing was judged"


def test_a_case_of_a_derived_value_has_no_inputs_and_tells_nothing(history: list[str]) -> None:
    history.append("# question 01.2\nn_scores = 60")
    shown = check("01.2").case(1)
    assert repr(shown) == "question 01.2, part 'count', case 1 of 1: it has no inputs" and shown == {}


@pytest.mark.parametrize("number", [0, -1, 99, 1.0, True, "1", None])
def test_a_case_that_there_is_not_is_one_line(history: list[str], number) -> None:
    history.append(WRONG)
    result = check("01.1")
    with pytest.raises(
        NoCase, match=r"^the part 'values' of question 01\.1 has \d cases, numbered from 1"
    ) as caught:
        result.case(number)
    assert caught.value._render_traceback_() == [f"NoCase: {caught.value}"]
    with pytest.raises(NoCase, match=r"no part 'vals'; its parts are 'values', 'mask'$"):
        result.case(1, "vals")


def test_a_result_that_is_not_from_check_has_no_cases(history: list[str], session: Session) -> None:
    found = evaluate(public_exam(SAMPLE), "01.1", None, {"01.1": WRONG}, session)
    with pytest.raises(NoCase, match=r'^only what check\("01\.1"\) returns'):
        found.case(1)
    assert "asked" not in check("01.1").to_json() and "expected" not in json.dumps(check("01.2").to_json())


@pytest.mark.slow
def test_in_a_kernel_each_check_is_shown_once_and_in_html(tmp_path: Path) -> None:
    shutil.copy(SAMPLE / "fixtures.json", tmp_path)
    sources = [
        "# setup\nimport torch\nfrom autograder import check",
        WRONG,
        'check("01.1")',
        'result = check("01.1")\nprint(result.points, result.status)',
        'check("01.1"), 5',
        "%%capture\n# question 01.2\nn_scores = 75",
        'check("01.2").points',
        "result",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
        extra_arguments=["--IPKernelApp.log_level=40"],
    ).execute()
    shown = [cell.outputs for cell in notebook.cells]
    assert [len(outputs) for outputs in shown] == [0, 0, 1, 2, 2, 0, 2, 1]
    assert (
        "no_scale" not in str(shown[2])
        and "without the 1/sqrt(d_head) scale" in shown[2][0].data["text/html"]
    )
    assert shown[2][0].data == shown[7][0].data
    assert shown[3][1].text == "0 ok\n"
    assert shown[6][1].data["text/plain"] == "1"


@pytest.mark.slow
def test_a_kernel_that_keeps_no_history_is_checked_as_well(tmp_path: Path) -> None:
    shutil.copy(SAMPLE / "solution.ipynb", tmp_path)
    shutil.copy(SAMPLE / "fixtures.json", tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env", "solution.ipynb"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
