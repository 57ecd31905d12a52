"""Grading a notebook from the command line: its table, its JSON, and what it says of bad input."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from autograder.__main__ import main
from autograder.authoring.source import Source
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker.session import Session
from grader_cases import SAMPLE, bank_answer


def written(path: Path, sources: list[str]) -> Path:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_the_solved_notebook_wins_every_point_and_the_blank_one_none(
    sample_exam: Exam, session: Session
) -> None:
    solved = grade(sample_exam, SAMPLE / "solution.ipynb", session)
    assert (solved.points, solved.max_points, solved.status) == (8, 8, "ok")
    blank = grade(sample_exam, SAMPLE / "exercise.ipynb", session)
    assert (blank.points, blank.max_points, blank.status) == (0, 8, "empty")
    assert {result.status for result in blank.questions} == {"empty"}


@pytest.mark.parametrize(
    "content, status, told",
    [
        ("PK\x03\x04", "unreadable", "not JSON"),
        ('{"cells": []}', "empty", "no cell is marked"),
        ('{"cells": [{"cell_type": "code", "source": "x = 1"}]}', "empty", "no cell is marked"),
        (None, "missing", "no such file"),
    ],
)
def test_what_cannot_be_graded_has_a_status(
    content: str | None, status: str, told: str, tmp_path: Path, sample_exam: Exam, session: Session
) -> None:
    path = tmp_path / "homework.ipynb"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    found = grade(sample_exam, path, session)
    assert (found.status, found.points, found.max_points) == (status, 0, 8)
    assert told in found.message


def test_missing_and_repeated_cells(
    sample_exam: Exam, sample_source: Source, session: Session, tmp_path: Path
) -> None:
    answer, stub = sample_source.solutions["01.3"], sample_source.stubs["01.3"]
    wrong = "# question 01.2\nn_scores = 25"
    path = written(tmp_path / "some.ipynb", [answer, stub, "# question 01.2\nn_scores = 75", wrong])
    results = {result.question: result for result in grade(sample_exam, path, session).questions}
    assert results["01.1"].status == results["01.4"].status == "missing"
    assert results["01.3"].points == 2
    assert (results["01.2"].points, results["01.2"].mistake) == (0, "one_sequence")


FIRST_VALUE = (
    "# question 01.1\ndef attention(query, key, value, mask):\n"
    "    return value[:, :1].repeat(1, query.shape[1], 1)"
)


def test_a_grade_shows_the_first_hint_alone_and_grades_each_question_once(
    sample_exam: Exam, sample_source: Source, session: Session, tmp_path: Path, monkeypatch
) -> None:
    runs = []
    run = session.run
    monkeypatch.setattr(session, "run", lambda *given, **named: runs.append(1) or run(*given, **named))
    sources = {**sample_source.solutions, "01.1": FIRST_VALUE}
    sources["01.4"] = (
        "# question 01.4\ndef measure():\n    one, four = torch.zeros(1, 1, 2), torch.zeros(1, 4, 2)\n"
        "    mask = torch.ones(1, 4, dtype=torch.bool)\n"
        "    share = attention(one, four, torch.eye(4)[None], mask)[0, 0, 1].item()\n"
        "    return {'share': share, 'ratio': 0.0}"
    )
    path = written(tmp_path / "homework.ipynb", [sample_source.setup, *sources.values()])
    results = {result.question: result for result in grade(sample_exam, path, session).questions}
    assert results["01.1"].hints == sample_exam.questions["01.1"].hints_on("values")[:1]
    assert "Hint 2" not in results["01.1"].feedback and "Hint 1 on values" in results["01.1"].feedback
    assert "It uses your attention of question 01.1, which has 0 of 3 points" in results["01.4"].message
    assert len(runs) == len(sample_exam.questions)


@pytest.mark.slow
def test_the_command_prints_a_table_and_writes_json(tmp_path: Path, capsys, sample_source: Source) -> None:
    wrong = bank_answer(SAMPLE, "wrong", "01.1", "nan_rows").source
    sources = {**sample_source.solutions, "01.1": "# question 01.1\n" + wrong}
    sources["01.2"] = "# question 01.2\nwhile_true = 1 / 0"
    path = written(tmp_path / "homework.ipynb", [sample_source.setup, *sources.values()])
    report = tmp_path / "homework.json"
    words = ["grade", str(SAMPLE), str(path), "--no-sandbox", "--seed", "31", "--json", str(report)]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["01.1", "2", "3", "ok", "nan_rows"]
    assert lines[3].split() == ["01.2", "0", "1", "crashed"]
    assert lines[6].split() == ["total", "6", "8", "crashed"]
    stored = json.loads(report.read_text(encoding="utf-8"))
    assert (stored["format_version"], stored["seed"], stored["points"], stored["max_points"]) == (1, 31, 6, 8)
    assert [q["mistake"] for q in stored["questions"]] == ["nan_rows", None, None, None]
    assert [p["points"] for p in stored["questions"][0]["parts"]] == [2, 0]
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap (apt install bubblewrap)")
def test_a_notebook_is_graded_in_the_sandbox_unless_told_otherwise(tmp_path: Path, capsys) -> None:
    report = tmp_path / "homework.json"
    assert main(["grade", str(SAMPLE), str(SAMPLE / "solution.ipynb"), "--json", str(report)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["total", "8", "8", "ok"]
    assert json.loads(report.read_text(encoding="utf-8"))["sandbox"] == "bubblewrap"


def test_without_a_sandbox_grading_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr("autograder.classroom.command.sandbox_problem", lambda launcher: "There is no bwrap.")
    assert main(["grade", str(SAMPLE), str(SAMPLE / "solution.ipynb")]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "python -m autograder: There is no bwrap.\n")


@pytest.mark.parametrize(
    "words, told",
    [
        (["grade", "nowhere", "x.ipynb"], "nowhere: is not an exercise folder"),
        (["grade", str(SAMPLE), "nowhere.ipynb"], "nowhere.ipynb: there is no such notebook"),
        (["grade", str(SAMPLE), str(SAMPLE / "exercise.md"), "--no-sandbox"], "exercise.md: is not JSON"),
        (
            ["grade", str(SAMPLE), str(SAMPLE / "exercise.ipynb"), "--no-sandbox"],
            "exercise.ipynb: no question is answered",
        ),
        (
            ["grade", str(SAMPLE), str(SAMPLE / "solution.ipynb"), "--json", "no/such/x.json"],
            "no such folder",
        ),
        (["build", "nowhere"], "nowhere: is not an exercise folder"),
        (["prove", "nowhere"], "nowhere: is not an exercise folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], told: str, capsys) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert told in captured.err and captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize(
    "words", [[], ["grade"], ["grade", "a", "b", "--seed", "x"], ["grade", "a", "b", "--seed", "-1"]]
)
def test_a_wrong_command_line_is_exit_code_2(words: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
