"""One file of a student's answers: whose pieces it holds, what it refuses, and that it is a Transformer."""

import ast
import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from autograder.__main__ import main
from autograder.delivery import assemble as assembling
from autograder.delivery.assemble import FRAME, MARKER, PIECES, CannotAssemble, assemble
from autograder.judging.exam import Case, Exam, ExamPart, ExamQuestion
from autograder.judging.fixtures import exam_text
from autograder.worker.session import Session
from autograder.worker.values import pack
from grader_cases import ROOT, public_exam

SETUP = "# setup\nimport math\n\nfrom autograder import check"
SHIFT = "# question 01.1\ndef shift(x):\n    return x + math.sqrt(1)\n"
SCALE = "# question 01.2\ndef scale(x):\n    return 2 * shift(x)\n"
TOTAL = "# question 02.1\ndef total(values):\n    return sum(values)\n"
SOLUTIONS = {"01.1": SHIFT, "01.2": SCALE, "02.1": TOTAL}
CALLS = {
    "01.1": ("student.shift(2.0)", 3.0, ()),
    "01.2": ("student.scale(2.0)", 6.0, ("01.1",)),
    "02.1": ("student.total([1.0, 2.0, 4.0])", 7.0, ()),
}
NAMES = {"01.1": ("shift",), "01.2": ("scale",), "02.1": ("total",)}


def stub(question: str) -> str:
    return f"# question {question}\ndef {NAMES[question][0]}(x):\n    raise NotImplementedError\n"


def asked(question: str) -> ExamQuestion:
    call, expected, needs = CALLS[question]
    outputs: list[Any] = []
    case = Case(pack({}, []), [], packed=pack({"y": expected}, outputs), packed_arrays=outputs)
    program = f"def call(student, inputs):\n    return {{'y': {call}}}\n"
    part = ExamPart("value", 4, "its value", program, 1e-4, 1e-5, False, ("Look.",), (), None, (case,))
    return ExamQuestion(
        id=question,
        title="Tiny",
        kind="implement",
        difficulty=1,
        minutes=16,
        hints=(),
        seconds=5.0,
        stub=stub(question),
        needs=needs,
        forbids=(),
        parts=(part,),
        mistakes=(),
    )


def notebook(cells: Sequence[str]) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Two exercises with three questions, of which none is answered."""
    for chapter in ("01", "02"):
        ids = [q for q in SOLUTIONS if q.startswith(chapter)]
        folder = tmp_path / "exercises" / f"{chapter}_tiny"
        folder.mkdir(parents=True)
        exam = Exam(folder.name, 0, SETUP, {q: asked(q) for q in ids})
        (folder / "fixtures.json").write_text(exam_text(exam))
        (folder / "exercise.ipynb").write_text(notebook([SETUP, *map(stub, ids)]))
        (folder / "solution.ipynb").write_text(notebook([SETUP, *(SOLUTIONS[q] for q in ids)]))
    return tmp_path / "exercises"


def answer(course: Path, cells: Mapping[str, str], setups: Mapping[str, str] | None = None) -> None:
    """Put these cells into the student's notebooks."""
    for folder in course.iterdir():
        own = [cell for question, cell in cells.items() if folder.name.startswith(question[:2])]
        setup = (setups or {}).get(folder.name[:2], SETUP)
        (folder / "exercise.ipynb").write_text(notebook([setup, *own]))


def made(course: Path, session: Session) -> tuple[dict[str, str], str]:
    """Whose each piece is, and why, and the text of the file."""
    output = course.parent / "mine.py"
    *rows, last = assemble(course, output, session, NAMES)
    assert str(output) in last
    return {row[:4]: row.split(maxsplit=2)[2] for row in rows}, output.read_text()


def loaded(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "mine"}
    exec(compile(text, "mine.py", "exec"), space)
    return space


def refused(course: Path, session: Session) -> str:
    """What is said when nothing can be written; a file that was there stays as it was."""
    output = course.parent / "mine.py"
    output.write_text(f"{assembling.TITLE}before")
    with pytest.raises(CannotAssemble) as told:
        list(assemble(course, output, session, NAMES))
    assert output.read_text() == f"{assembling.TITLE}before"
    assert sorted(path.name for path in course.parent.iterdir()) == ["exercises", "mine.py"]
    return str(told.value)


def test_answers_that_have_all_their_points_are_in_the_file_as_they_were_written(course, session) -> None:
    own = "# question 01.1\n# My way.\ndef shift(x):\n    return 1 + x  # one\n"
    own += "\nprint(shift(3))\ny = shift(4)\nassert y == 5\n"
    answer(course, {"01.1": own, "01.2": SCALE, "02.1": TOTAL})
    rows, text = made(course, session)
    assert rows == dict.fromkeys(NAMES, "yours: 4 of 4 points")
    assert "# My way.\ndef shift(x):\n    return 1 + x  # one\n" in text
    assert "print(shift" not in text and "y = shift" not in text, "trials stay in the notebook"
    space = loaded(text)
    assert (space["shift"](2), space["scale"](2), space["total"]([1, 2])) == (3, 6, 3)


def test_wrong_and_missing_answers_are_replaced_and_the_file_says_so(course, session) -> None:
    wrong = "# question 01.1\ndef shift(x):\n    return x\n"
    answer(course, {"01.1": wrong, "01.2": SCALE})
    rows, text = made(course, session)
    assert rows == {
        "01.1": "ours: yours has 0 of 4 points",
        "01.2": "yours: 4 of 4 points",
        "02.1": "ours: your notebook has no cell for it",
    }
    assert "# ---- 01.1 shift (ours, because yours has 0 of 4 points) ----" in text
    assert "Yours: 01.2. The course's own: 01.1, 02.1." in text
    assert loaded(text)["scale"](2) == 6


@pytest.mark.parametrize(
    "cell, why",
    [
        (stub("02.1"), "yours is not answered yet"),
        ("# question 02.1\ndef total(values:\n", "yours has 0 of 4 points"),
        ("# question 02.1\ndef total(values):\n    while True:\n        pass\n", "the code ran out of time"),
        ("# question 02.1\nimport os\nos._exit(0)\n", "the code stopped with an error"),
    ],
)
def test_answers_that_cannot_run_are_replaced(course, session, cell: str, why: str) -> None:
    answer(course, {"02.1": cell})
    rows, text = made(course, session)
    assert rows["02.1"].startswith("ours: ") and why in rows["02.1"]
    assert loaded(text)["total"]([1, 2]) == 3


@pytest.mark.parametrize(
    "content, why", [("{", "is not JSON"), (None, "there is no exercise.ipynb"), ("[]", "no list of cells")]
)
def test_a_broken_notebook_costs_its_own_pieces_only(course, session, content, why: str) -> None:
    answer(course, SOLUTIONS)
    path = course / "01_tiny" / "exercise.ipynb"
    path.unlink() if content is None else path.write_text(content)
    rows, _ = made(course, session)
    assert why in rows["01.1"] and why in rows["01.2"]
    assert rows["02.1"] == "yours: 4 of 4 points"


def test_what_a_piece_uses_comes_with_it_from_its_own_cell_its_setup_and_the_cells_before(
    course, session
) -> None:
    setup = f"{SETUP}\nfrom math import floor as down\nONE = down(1.5)\nUNUSED = 7"
    first = "# question 01.1\ndef half(x):\n    return x / 2\n\n\ndef shift(x):\n    return x + ONE\n"
    second = "# question 01.2\nTABLE = {}\nTABLE['four'] = 4\n"
    second += "def scale(x):\n    return TABLE['four'] * half(shift(x))\n"
    third = "# question 02.1\nfrom functools import reduce\n"
    third += "def total(values):\n    return reduce(float.__add__, values)\n"
    answer(course, {"01.1": first, "01.2": second, "02.1": third}, {"01": setup})
    rows, text = made(course, session)
    assert {row.split(":")[0] for row in rows.values()} == {"yours"}
    assert loaded(text)["scale"](2) == 6
    assert "from math import floor as down" in text.partition("# ----")[0], (
        "imports of a setup stand at the top"
    )
    assert "# ---- from the setup cell of chapter 01 ----\n\nONE = down(1.5)" in text
    assert "from functools import reduce\n\n\ndef total" in text, "an import of an answer's cell stays in it"
    assert "UNUSED" not in text


def test_two_helpers_of_one_name_are_refused_with_what_to_rename(course, session) -> None:
    first = "# question 01.1\ndef tool(x):\n    return x + 1\n\n\ndef shift(x):\n    return tool(x)\n"
    third = (
        "# question 02.1\ndef tool(x):\n    return sum(x)\n\n\ndef total(values):\n    return tool(values)\n"
    )
    answer(course, {"01.1": first, "02.1": third})
    told = refused(course, session)
    assert "01.1 and 02.1 both define tool" in told and "rename it in 02.1, to tool_02_1 or so" in told


def test_a_helper_that_two_cells_share_stands_once(course, session) -> None:
    tool = "def tool(x):\n    return x\n\n\n"
    first = f"# question 01.1\n{tool}def shift(x):\n    return tool(x) + 1\n"
    third = f"# question 02.1\n{tool}def total(values):\n    return tool(sum(values))\n"
    answer(course, {"01.1": first, "02.1": third})
    assert made(course, session)[1].count("def tool") == 1


@pytest.mark.parametrize(
    "helper, told",
    [
        ("def shift(x):\n    return 0.0", "01.1 and 02.1 both define shift"),
        ("class Transformer:\n    pass", "02.1 and the frame both define Transformer"),
        ("torch = 3", "the frame and 02.1 both define torch"),
        ("import math as shift", "01.1 and 02.1 both define shift"),
    ],
)
def test_a_later_cell_cannot_take_the_name_of_a_piece_or_of_the_frame(course, session, helper, told) -> None:
    name = told.split()[-1].partition("_")[0]
    answer(course, {"02.1": f"# question 02.1\n{helper}\n\n\ndef total(v):\n    {name}\n    return sum(v)\n"})
    assert f"{told}, each in its own way: rename it in 02.1, to {name}_02_1" in refused(course, session)


def test_a_cell_cannot_take_a_name_of_pythons_from_another(course, session) -> None:
    first = "# question 01.1\ndef sum(x):\n    return x + 1\n\n\ndef shift(x):\n    return sum(x)\n"
    answer(course, {"01.1": first, "02.1": TOTAL})
    assert "01.1 defines sum, which is Python's own in 02.1: rename it in 01.1" in refused(course, session)


def test_pieces_that_disturb_one_another_unseen_are_refused(course, session) -> None:
    third = "# question 02.1\nSPOILED = setattr(math, 'sqrt', lambda x: 5)\n"
    third += "def total(values):\n    return SPOILED or sum(values)\n"
    answer(course, {"02.1": third})
    told = refused(course, session)
    assert "01.1 has all its points alone, but not beside the other pieces" in told


def test_annotations_from_the_future_stand_at_the_top(course, session) -> None:
    third = "# question 02.1\nfrom __future__ import annotations\ndef total(v: Unknown):\n    return sum(v)\n"
    answer(course, {"02.1": third})
    rows, text = made(course, session)
    assert rows["02.1"].startswith("yours")
    assert loaded(text)["total"]([1, 2]) == 3


def test_a_file_of_somebody_else_is_not_replaced_and_an_assembled_one_is(course, session, tmp_path) -> None:
    other = tmp_path / "notes.py"
    other.write_text("mine = 1\n")
    with pytest.raises(CannotAssemble, match="name another file"):
        next(assemble(course, other, session, NAMES))
    assert other.read_text() == "mine = 1\n"
    first = made(course, session)[1]
    assert made(course, session)[1] == first


def test_without_solutions_every_piece_has_to_be_right(course, session) -> None:
    for path in course.glob("*/solution.ipynb"):
        path.unlink()
    answer(course, SOLUTIONS)
    assert {why.split(":")[0] for why in made(course, session)[0].values()} == {"yours"}
    answer(course, {"01.1": SHIFT, "01.2": SCALE})
    assert "02.1 has not all its points" in refused(course, session)


def test_a_folder_without_exercises_is_one_line_and_exit_code_2(tmp_path: Path, capsys) -> None:
    assert main(["assemble", str(tmp_path), "-o", str(tmp_path / "mine.py")]) == 2
    assert "no exercise in it has the question 06.1" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_frame_is_short_and_uses_every_name_that_it_declares() -> None:
    head, _, frame = FRAME.read_text(encoding="utf-8").partition(MARKER)
    assert len(frame.strip().splitlines()) <= 105
    declared = [node.target.id for node in ast.parse(head).body if isinstance(node, ast.AnnAssign)]
    assert set(declared) <= {name for names in PIECES.values() for name in names}
    used = {node.id for node in ast.walk(ast.parse(frame)) if isinstance(node, ast.Name)}
    assert set(declared) <= used


# The course's own pieces.


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The file of a student whose answers are the solutions, but for one that is wrong and one missing."""
    folder = tmp_path_factory.mktemp("course")
    for question in PIECES:
        for source in sorted(ROOT.glob(f"exercises/{question[:2]}_*")):
            (folder / source.name).mkdir(exist_ok=True)
            for name in ("fixtures.json", "solution.ipynb"):
                shutil.copy(source / name, folder / source.name)
            shutil.copy(source / "solution.ipynb", folder / source.name / "exercise.ipynb")
    fixed = [
        ("09", "angle.sin(), angle.cos()", "angle.cos(), angle.sin()"),
        ("14", "# question 14.1", "# none"),
    ]
    for chapter, old, new in fixed:
        (path,) = folder.glob(f"{chapter}_*/exercise.ipynb")
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    with Session() as session:
        *rows, _ = assemble(folder, folder / "my_transformer.py", session)
    ours = {row[:4] for row in rows if "  ours: " in row}
    assert ours == {"09.1", "14.1"}, "\n".join(rows)
    return folder / "my_transformer.py"


@pytest.fixture(scope="module")
def module(program: Path) -> ModuleType:
    found = ModuleType("my_transformer")
    exec(compile(program.read_text(), str(program), "exec"), found.__dict__)
    return found


@pytest.fixture(scope="module")
def model(module: ModuleType) -> Any:
    torch.manual_seed(0)
    found = module.Transformer(11, d=8, n_heads=2, n_blocks=2).double()
    with torch.no_grad():
        for p in found.parameters():
            p.add_(0.3 * torch.randn_like(p))
    return found


@pytest.mark.slow
def test_every_piece_is_a_question_and_the_frame_knows_its_names() -> None:
    for question, names in PIECES.items():
        (folder,) = ROOT.glob(f"exercises/{question[:2]}_*")
        defined = public_exam(folder).questions[question].stub
        assert all(f"def {name}(" in defined for name in names)


@pytest.mark.slow
def test_the_file_needs_nothing_of_the_course(program: Path) -> None:
    tree = ast.parse(program.read_text())
    found = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    found |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    outside = {name.partition(".")[0] for name in found} - set(sys.stdlib_module_names)
    assert outside <= {"torch", "numpy"}


@pytest.mark.slow
def test_no_logit_depends_on_a_later_token(model: Any) -> None:
    tokens = torch.randint(11, (3, 7), generator=torch.Generator().manual_seed(1))
    later = tokens.clone()
    later[:, 4:] = (later[:, 4:] + 1) % 11
    one, other = model(tokens), model(later)
    assert torch.equal(one[:, :4], other[:, :4])
    assert not torch.allclose(one[:, 4:], other[:, 4:])


@pytest.mark.slow
def test_the_model_is_its_equations(model: Any) -> None:
    tokens = torch.randint(11, (2, 5), generator=torch.Generator().manual_seed(2))
    place = torch.arange(5)[:, None] * 10000.0 ** -(torch.arange(0, 8, 2) / 8)
    waves = torch.stack([place.sin(), place.cos()], -1).flatten(1)
    x = model.E[tokens] * 8**0.5 + waves

    def norm(y: Any, gain: Any, bias: Any) -> Any:
        return torch.nn.functional.layer_norm(y, (8,), gain, bias)

    for p in model.blocks:
        y = norm(x, p["gain_1"], p["bias_1"])
        q, k, v = ((y @ p[w]).unflatten(-1, (2, 4)).transpose(1, 2) for w in ("W_q", "W_k", "W_v"))
        heads = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + heads.transpose(1, 2).flatten(2) @ p["W_o"]
        y = norm(x, p["gain_2"], p["bias_2"])
        x = x + torch.relu(y @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]
    expected = norm(x, model.gain, model.bias) @ model.head.T
    assert torch.allclose(model(tokens), expected, rtol=0, atol=1e-5)


@pytest.mark.slow
def test_a_tied_model_has_one_table(module: ModuleType) -> None:
    tied, untied = (module.Transformer(11, 8, 2, 1, tied=tied) for tied in (True, False))
    sizes = [sum(p.numel() for p in model.parameters()) for model in (tied, untied)]
    assert tied.head is tied.E and sizes[1] - sizes[0] == 11 * 8


@pytest.mark.slow
def test_the_program_learns_a_text_that_repeats_and_writes_more_of_it(module, tmp_path: Path, capsys) -> None:
    path = tmp_path / "text.txt"
    path.write_text("abcdefgh" * 150, encoding="utf-8")
    module.main([str(path), "--steps", "30", "--prompt", "cde"])
    told, _, written = capsys.readouterr().out.partition("\n\n")
    losses = [float(line.split()[-4]) for line in told.splitlines()[1:]]
    assert losses[0] > 1 and losses[-1] < 0.3
    written = written.removesuffix("\n")
    assert written.startswith("cde") and len(written) == 303
    followed = [a + b in "abcdefgha" for a, b in itertools.pairwise(written)]
    assert sum(followed) > 0.9 * len(followed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content, words, told",
    [
        (None, [], "No such file"),
        (b"short", [], "has 5 characters"),
        (b"\xff\xfe" * 500, [], "not a text in UTF-8"),
        (b"ab" * 500, ["--prompt", "abc"], "--prompt has 'c'"),
        (b"ab" * 500, ["--steps", "0"], "must be above 0"),
    ],
)
def test_bad_input_to_the_program_is_one_line_and_exit_code_2(module, tmp_path, capsys, content, words, told):
    path = tmp_path / "text.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit) as end:
        module.main([str(path), *words])
    assert end.value.code == 2
    assert told in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
def test_the_file_is_a_program(program: Path) -> None:
    run = subprocess.run(
        [sys.executable, program, "--help"], capture_output=True, text=True, cwd=program.parent
    )
    assert run.returncode == 0 and "text_file" in run.stdout
