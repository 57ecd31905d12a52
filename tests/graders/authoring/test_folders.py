"""The folders of questions: how they are found, and loading their specifications."""

import re
import shutil
from pathlib import Path

import pytest
from autograder.authoring.folders import load_questions, question_folders
from autograder.authoring.layers import Layers
from autograder.authoring.spec import SpecificationError
from autograder.authoring.version import specification, statements
from grader_cases import ROOT, SAMPLE

DRAW = """def draw(rng):
    return {"n": SIZE}


SIZE = 3
"""
QUESTION = """from autograder.authoring import Part, Question


def call(student, inputs):
    return {"n": student.count(inputs["n"])}


QUESTION = Question(
    id="01.1", title="Count", kind="implement", difficulty=1, minutes=1, hints=("Count.",),
    reference={"count": abs}, parts=[Part("count", 1, "the count", call, draw)],
)
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return shutil.copytree(SAMPLE, tmp_path / SAMPLE.name, ignore=shutil.ignore_patterns("__pycache__"))


def test_questions_come_by_their_numbers(tmp_path: Path) -> None:
    for name in ("q10_last", "q2_second", "q1_first", "data"):
        (tmp_path / "07_x" / name).mkdir(parents=True)
    assert list(question_folders(tmp_path / "07_x")) == ["07.1", "07.2", "07.10"]


@pytest.mark.parametrize(
    "name, told",
    [
        ("q2-average", "named like q2_short_name"),
        ("q03_again", "is question 3 too; give each a number of its own"),
    ],
)
def test_a_folder_with_a_wrong_name_is_told(copied: Path, name: str, told: str) -> None:
    (copied / name).mkdir()
    with pytest.raises(SpecificationError, match=told):
        load_questions(copied)


@pytest.mark.parametrize(
    "text, told",
    [
        ("from autograder.spec import Part\n", r"no module autograder\.spec; .*autograder\.authoring"),
        ("from ..inputs import draw\n", r"imports from \.\.inputs, but .*inputs\.py does not exist"),
        (None, r"q3_repair_average: has no spec\.py"),
    ],
)
def test_a_specification_that_cannot_be_loaded_is_told(copied: Path, text: str | None, told: str) -> None:
    spec = copied / "q3_repair_average" / "spec.py"
    if text is None:
        spec.unlink()
    else:
        spec.write_text(text, encoding="utf-8")
    with pytest.raises(SpecificationError, match=told):
        load_questions(copied)


def test_a_name_that_inputs_does_not_define_is_told(copied: Path) -> None:
    (copied / "inputs.py").write_text("x = 1\n", encoding="utf-8")
    spec = copied / "q3_repair_average" / "spec.py"
    spec.write_text("from ..inputs import y\n", encoding="utf-8")
    with pytest.raises(SpecificationError, match=r"inputs\.py does not define it .*'y'"):
        load_questions(copied)


def test_an_edited_file_is_loaded_as_it_is_now(copied: Path) -> None:
    inputs, spec = copied / "inputs.py", copied / "q3_repair_average" / "spec.py"
    text = spec.read_text(encoding="utf-8").replace('"Repair the average"', "TITLE")
    spec.write_text(f"from ..inputs import TITLE\n{text}", encoding="utf-8")
    for title in ("One", "Two"):
        inputs.write_text(f"TITLE = {title!r}\n", encoding="utf-8")
        assert load_questions(copied)[2].title == title


def test_it_does_not_count_where_a_statement_stands() -> None:
    alone = specification(DRAW + QUESTION)
    assert alone == specification("from ..inputs import draw\n" + QUESTION, DRAW)
    assert alone == specification(
        "from ..inputs import draw as draw, SIZE\n" + QUESTION, f"other = 1\n{DRAW}"
    )
    assert alone == specification("from ..inputs import *\n" + QUESTION, DRAW)
    assert alone == specification("\n".join(["import math", *reversed(DRAW.split("\n\n\n")), QUESTION]))


@pytest.mark.parametrize(
    "inputs",
    [
        DRAW.replace("SIZE = 3", "SIZE = 4"),
        DRAW + "SIZE += 1\n",
        DRAW.replace('"n"', '"m"'),
        DRAW.replace("SIZE = 3", "from math import pi as SIZE"),
    ],
)
def test_what_a_question_leads_to_counts(inputs: str) -> None:
    spec = "from ..inputs import draw\n" + QUESTION
    assert specification(spec, inputs) != specification(spec, DRAW)


def test_a_local_name_leads_to_nothing() -> None:
    inputs = "def draw(rng):\n    size = 3\n    return {'n': size}\n"
    spec = "from ..inputs import draw\n" + QUESTION
    assert specification(spec, inputs) == specification(spec, inputs + "\n\nsize = 4\n")
    assert specification(spec, inputs) == specification(spec, inputs + "\n\nsizes = [draw for draw in ()]\n")


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("exercises/*/inputs.py")), ids=lambda path: path.parent.name
)
def test_what_stands_in_inputs_serves_two_questions(path: Path) -> None:
    shared = [statement for statement in statements(path.read_text(encoding="utf-8")) if statement.defines]
    uses = []
    for folder in question_folders(path.parent).values():
        spec = statements((folder / "spec.py").read_text(encoding="utf-8"))
        names = {name for statement in spec for name in statement.shared.values()}
        for _ in shared:  # each round leads one step further
            names |= {name for one in shared if one.defines & names for name in one.uses}
        uses.append(names)
    for statement in shared:
        users = sum(bool(statement.defines & names) for names in uses)
        names = ", ".join(statement.defines)
        assert statement.is_import or users > 1, (
            f"{path}: {users} questions use {names}: move it to their spec.py"
        )


def test_the_version_of_a_question_is_of_its_own_folder(copied: Path) -> None:
    before = {q.id: Layers(copied).question_version(q.id) for q in load_questions(copied)}
    (copied / "q3_repair_average").rename(copied / "q3_other_name")
    assert {q: Layers(copied).question_version(q) for q in before} == before


def test_points_count_for_the_version_of_a_question_and_not_for_that_of_its_proof(copied: Path) -> None:
    questions = [q.id for q in load_questions(copied)]
    layers = Layers(copied)
    before = [(layers.question_version(q), layers.proof_version(q)) for q in questions]
    (path,) = copied.glob("q3_*/spec.py")
    text = path.read_text(encoding="utf-8")
    more = re.sub(r'(Part\(\s*"[^"]*",\s*)(\d+)', lambda m: f"{m[1]}{int(m[2]) + 1}", text)
    assert more != text
    path.write_text(more, encoding="utf-8")
    layers = Layers(copied)
    after = [(layers.question_version(q), layers.proof_version(q)) for q in questions]
    changed = [q for q, one, other in zip(questions, before, after) if one[0] != other[0]]
    assert len(changed) == 1 and [proof for _, proof in before] == [proof for _, proof in after]
