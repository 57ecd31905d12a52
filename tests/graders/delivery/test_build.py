"""What is generated: fresh or stale, and whether it shows a solution; and what authors are told."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from autograder.authoring.folders import load_questions
from autograder.authoring.layers import Layers
from autograder.authoring.spec import Part, Question, SpecificationError, compiled, source_of
from autograder.delivery.build import build, fixture_difference, leaks, problems
from autograder.judging.exam import PUBLIC_SEED, Exam
from autograder.proving.proof import Proof
from autograder.worker.session import Session
from grader_cases import ROOT, SAMPLE


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "01_sample", ignore=shutil.ignore_patterns("__pycache__")))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_an_unchanged_exercise_is_left_byte_for_byte(copied: Path, session: Session) -> None:
    before = {path.name: path.read_bytes() for path in copied.iterdir() if path.is_file()}
    assert all("unchanged" in line for line in build(copied, session))
    assert {path.name: path.read_bytes() for path in copied.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    "file, old, new, stale",
    [
        ("exercise.md", "Four questions", "Five questions", "exercise.ipynb is stale"),
        ("exercise.md", "n_scores = 3 * 5 * 5", "n_scores = 75.0", "solution.ipynb is stale"),
        ("exercise.md", "# n_scores = ...", "# n_scores = None", "exercise.ipynb is stale"),
        ("q3_repair_average/spec.py", "By what number", "By which number", "fixtures.json is stale"),
        ("q2_count_scores/spec.py", '"n_scores": 75', '"n_scores": 80', "fixtures.json is stale"),
        ("q3_repair_average/spec.py", "rows=4, columns=6", "rows=5, columns=6", "fixtures.json is stale"),
        ("q3_repair_average/wrong.py", "the sum instead", "a sum instead", "fixtures.json is stale"),
        ("q3_repair_average/wrong.py", "values.mean(-1)", "values.mean(-1) + 1", "fixtures.json is stale"),
    ],
)
def test_a_change_of_a_source_makes_what_is_generated_stale(
    copied: Path, session: Session, file: str, old: str, new: str, stale: str
) -> None:
    edit(copied / file, old, new)
    found = problems(copied, session)
    assert any(stale in problem for problem in found), found


@pytest.mark.slow
def test_fixtures_of_files_that_only_look_different_are_sealed_anew(copied: Path, session: Session) -> None:
    edit(copied / "q3_repair_average" / "spec.py", "By what number", "By which number")
    assert "written" in next(build(copied, session)), "a hint is part of the fixtures"
    edit(copied / "q3_repair_average" / "wrong.py", "values.mean(-1)", "(values.mean(-1))")
    told = list(build(copied, session))
    assert told[0].startswith("01_sample/fixtures.json: sealed anew"), told
    assert all("unchanged" in line for line in told[1:]) and problems(copied, session) == []


def test_what_nobody_touched_is_not_computed_again(
    copied: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Exam, "at_seed", None)
    assert problems(copied, session) == []


@pytest.mark.parametrize("old, new", [('"points": 2', '"points": 3'), ('"seal": "', '"seal": "0')])
def test_fixtures_that_somebody_edited_are_stale(copied: Path, session: Session, old: str, new: str) -> None:
    edit(copied / "fixtures.json", old, new)
    assert any("fixtures.json is stale" in problem for problem in problems(copied, session))
    list(build(copied, session, execute=False))
    assert problems(copied, session) == []


@pytest.mark.slow
def test_fixtures_of_the_course_are_what_their_sources_give(session: Session) -> None:
    folder = ROOT / "exercises" / "09_positions"
    exam = Exam.at_seed(folder, PUBLIC_SEED, session)
    assert fixture_difference(exam, folder / "fixtures.json") == ""


@pytest.mark.slow
def test_building_again_mends_it(copied: Path, session: Session) -> None:
    edit(copied / "exercise.md", "Four questions", "Some questions")
    edit(copied / "q3_repair_average" / "spec.py", "By what number", "By which number")
    lines = list(build(copied, session, execute=False))
    assert [": written" in line for line in lines] == [True, True, True]
    assert problems(copied, session) == []


@pytest.mark.parametrize(
    "text",
    [
        "    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5\n",
        "### BEGIN SOLUTION\n",
        "    return torch.where(keep, values, torch.nan).nanmean(dim=-1)\n",
    ],
)
def test_a_solution_in_the_students_notebook_is_found(copied: Path, text: str) -> None:
    assert leaks(Layers(copied)) == []
    path = copied / "exercise.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"][3]["source"].append("\n" + text)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert leaks(Layers(copied)) != []


@pytest.mark.slow
def test_a_solution_in_a_hint_is_found(copied: Path, session: Session) -> None:
    edit(
        copied / "q3_repair_average" / "spec.py",
        "By what number should",
        "return (values * keep).sum(-1) / keep.sum(-1)\\nWhat should",
    )
    list(build(copied, session, execute=False))
    assert any("fixtures.json shows" in problem for problem in problems(copied, session))


@pytest.mark.parametrize(
    "file, old, new, told",
    [
        (
            "q3_repair_average/wrong.py",
            "# loses: mean",
            "# loses: median",
            "loses 'median', which is no part",
        ),
        ("q3_repair_average/wrong.py", "return ", "return 1 / 0 + ", "ZeroDivisionError"),
        ("exercise.md", "01.3", "01.5", "question 01.3 has a spec.py but not a cell of exercise.md"),
        ("exercise.md", "01.2", "01.0", "question 01.0 has a cell of exercise.md but not a spec.py"),
        ("q3_repair_average/spec.py", '"01.3"', '"02.3"', "the id 02.3 should be 01.3, as the folder says"),
        ("q3_repair_average/spec.py", "QUESTION =", "_ =", "should define QUESTION = Question(...)"),
        ("q4_measure/spec.py", 'needs=("01.1",)', 'needs=("01.7",)', "needs 01.7, which is no earlier"),
        ("q3_repair_average/spec.py", "student.masked_mean(", "masked_mean(", "does not know masked_mean"),
        ("q2_count_scores/spec.py", '{"n_scores": 75}', "{}", "part 'count': what is expected cannot"),
        ("q3_repair_average/spec.py", 'kind="repair"', 'kind="mend"', "the kind 'mend' should be one of"),
    ],
)
def test_an_authors_slip_is_named(
    copied: Path, session: Session, file: str, old: str, new: str, told: str
) -> None:
    edit(copied / file, old, new)
    with pytest.raises(SpecificationError) as caught:
        problems(copied, session)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "file, old, new, told",
    [
        ("q3_repair_average/right.py", ".mean()", ".sum()", "should have full marks"),
        (
            "q1_attention/wrong.py",
            "# loses: mask",
            "# loses: values, mask",
            "should lose values, mask; it loses mask",
        ),
        (
            "q3_repair_average/wrong.py",
            "return (values * keep).sum(-1)\n",
            "return values.mean(-1)\n",
            "named is keeps_all",
        ),
    ],
)
@pytest.mark.slow
def test_a_bank_that_breaks_its_promise_is_no_proof(
    copied: Path, session: Session, file: str, old: str, new: str, told: str
) -> None:
    edit(copied / file, old, new)
    proof = Proof.of(copied, session)
    failures = [failure for q in proof.questions for failure in proof.failures(q, session)]
    assert any(told in failure for failure in failures), failures


@pytest.mark.slow
def test_a_bank_with_too_little_is_no_proof(copied: Path, session: Session) -> None:
    for side, kept in (("right", 2), ("wrong", 4)):
        path = copied / "q2_count_scores" / f"{side}.py"
        cells = path.read_text(encoding="utf-8").split("\n# %%")
        path.write_text("\n# %%".join(cells[:kept]), encoding="utf-8")
    proof = Proof.of(copied, session)
    failures = list(proof.failures("01.2", session))
    assert any("1 different right answers" in failure for failure in failures)
    assert any("3 named mistakes" in failure for failure in failures)


def outer():
    secret = 3

    def program(student, inputs):
        return {"x": secret}

    return program


@pytest.mark.parametrize("function", [lambda student, inputs: {}, outer(), print])
def test_a_program_that_cannot_be_sent_is_refused(function) -> None:
    with pytest.raises(SpecificationError):
        source_of(function)


def value(student, inputs):
    return {"x": student.x}


@pytest.mark.parametrize(
    "change, told",
    [
        ({"id": "6.2"}, "the id should look like"),
        ({"difficulty": 9}, "difficulty"),
        ({"hints": (" ",)}, "hints should be a tuple"),
        ({"hints": "Count."}, "hints should be a tuple"),
        ({"hints": ("Count.", "Count.")}, "hints should be a tuple of different"),
        ({"hints": ()}, "the part 'a' needs hints"),
        ({"parts": []}, "parts are needed"),
        ({"parts": "Count."}, "made by Part"),
        ({"parts": [Part("a", 1, "", value), Part("a", 1, "", value)]}, "different names"),
        ({"parts": [Part("a", 0, "", value)]}, "points"),
        (
            {"parts": [Part("a", 1, "", value, requires=("b",)), Part("b", 1, "", value)]},
            "'a' should require earlier",
        ),
        ({"parts": [Part("a", 1, "", value), Part("b", 1, "", value, requires="a")]}, "'b' should require"),
    ],
)
def test_a_question_checks_itself(change: dict, told: str) -> None:
    fields = {"id": "06.2", "title": "t", "kind": "derive", "difficulty": 1, "minutes": 1, "hints": ("h",)}
    with pytest.raises(SpecificationError, match=told):
        Question(**{**fields, "parts": [Part("a", 1, "", value)], **change})


def test_a_part_that_reads_names_sends_a_program_that_gives_them() -> None:
    part = Part("moments", 1, "", reads=("mean", "variance"))
    question = Question("06.2", "t", "derive", 1, 1, (part,), {"mean": 1.0, "variance": 2.0}, hints=("h",))
    assert question.expected(part, {}) == {"mean": 1.0, "variance": 2.0}
    assert compiled(part.source)(SimpleNamespace(mean=3, variance=4), {}) == {"mean": 3, "variance": 4}


@pytest.mark.parametrize(
    "fields, told",
    [
        ({}, "either a program or the names"),
        ({"program": value, "reads": ("x",)}, "either a program or the names"),
        ({"reads": "x"}, "reads should be names"),
        ({"reads": ("x.y",)}, "reads should be names"),
    ],
)
def test_a_part_has_a_program_or_reads_names(fields: dict, told: str) -> None:
    with pytest.raises(SpecificationError, match=told):
        Part("a", 1, "", **fields)


def test_every_draw_of_a_seed_is_the_same_and_of_another_different() -> None:
    import numpy as np

    part = load_questions(SAMPLE)[0].parts[0]
    one, again, other = (part.cases(np.random.default_rng(seed))[0]["query"] for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert one.shape != other.shape or not (one == other).any()
