"""An instructor's private layer over a public exercise: graded, proven and built without touching that."""

import json
import shutil
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.authoring.spec import SpecificationError
from autograder.delivery.build import build, leaks, problems
from autograder.judging.exam import Exam
from autograder.proving.proof import Proof
from autograder.worker.session import Session
from grader_cases import SAMPLE, question_ids

INPUTS = """
from autograder.authoring import Part, Question


def question(number, right):
    parts = [Part("answer", 5, "the answer", reads=("answer",))]
    return Question(f"01.{number}", "Private", "derive", 1, 1, parts, {"answer": right}, hints=("Think.",))
"""
PRIVATE = {"q2_answer": "question(2, 42)", "q9_seven": "question(9, 7)"}
PRIVATE_TEXT = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
---

```{code-cell} ipython3
# setup
import torch
```

```{code-cell} ipython3
# question 01.2
### BEGIN SOLUTION
answer = 42
### STUB
# answer = ...
### END SOLUTION
```

```{code-cell} ipython3
check("01.2")
```

```{code-cell} ipython3
# question 01.9
### BEGIN SOLUTION
answer = 7
### STUB
# answer = ...
### END SOLUTION
```

```{code-cell} ipython3
check("01.9")
```
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add(path: Path, cell: str) -> None:
    write(path, (path.read_text(encoding="utf-8") if path.is_file() else "") + f"\n\n{cell}")


def public_files() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file()}


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    private = tmp_path / "overlay" / SAMPLE.name
    for name, text in PRIVATE.items():
        write(private / name / "spec.py", f"from ..inputs import question\n\nQUESTION = {text}\n")
    write(private / "inputs.py", INPUTS)
    write(private / "exercise.md", PRIVATE_TEXT)
    write(private / "q9_seven" / "wrong.py", "# %% six: six\n# loses: answer\nanswer = 6\n")
    halved = "    return torch.stack([v[k].mean() / 2 for v, k in zip(values, keep)])\n"
    write(
        private / "q3_mine" / "wrong.py",
        f"# %% halved: half of the mean\n# loses: mean\ndef masked_mean(values, keep):\n{halved}",
    )
    return tmp_path / "overlay"


def test_an_overlay_replaces_and_adds_questions_and_banks_without_touching_the_public_ones(
    overlay: Path, session: Session
) -> None:
    public = public_files()
    exam = Exam.at_seed(SAMPLE, 3, session, overlay)
    assert list(exam.questions) == ["01.1", "01.2", "01.3", "01.4", "01.9"]
    assert (exam.questions["01.2"].title, exam.questions["01.2"].points) == ("Private", 5)
    assert exam.questions["01.2"].mistakes == (), "the public mistakes belong to the public question"
    assert [m.name for m in exam.questions["01.9"].mistakes] == ["six"]
    assert "halved" in [m.name for m in exam.questions["01.3"].mistakes]
    assert len(exam.questions["01.3"].mistakes) == 5
    assert exam.questions["01.9"].stub == "# question 01.9\nanswer = ..."
    assert public_files() == public


def test_the_version_tells_specifications_and_overlays_apart(overlay: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copy" / SAMPLE.name
    shutil.copytree(SAMPLE, copied)

    def change(name: str, old: str, new: str) -> str:
        text = (copied / name).read_text(encoding="utf-8")
        assert old in text
        (copied / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return Layers(copied).version()

    before = Layers(SAMPLE).version()
    assert Layers(copied).version() == before, "the place does not count"
    (copied / "solution.ipynb").write_text("{}", encoding="utf-8")
    add(copied / "q2_count_scores" / "wrong.py", "# %% new: new\n# loses: count\nn_scores = 74\n")
    assert Layers(copied).version() == before, "what decides no points does not count"
    assert change("q1_attention/spec.py", "difficulty=2", "difficulty=3") == before
    seen = {
        before,
        change("q2_count_scores/spec.py", "75", "76"),
        change("exercise.md", "# setup", "# setup\nimport os"),
    }
    assert len(seen) == 3
    (copied / "data").mkdir()
    (copied / "data" / "table.csv").write_text("1,2\n", encoding="utf-8")
    seen |= {Layers(copied).version(), Layers.of(SAMPLE, overlay).version()}
    assert len(seen) == 5
    assert Layers.of(SAMPLE, SAMPLE.parent).version() == before, "a folder is no overlay of itself"


def test_a_question_has_a_version_of_its_own(tmp_path: Path) -> None:
    copied = tmp_path / SAMPLE.name
    shutil.copytree(SAMPLE, copied)
    before = {q: Layers(copied).question_version(q) for q in question_ids(SAMPLE)}
    path = copied / "q3_repair_average" / "spec.py"
    text = path.read_text(encoding="utf-8").replace("v[k].mean()", "v[k].median()")
    path.write_text(text, encoding="utf-8")
    changed = {q for q in before if Layers(copied).question_version(q) != before[q]}
    assert changed == {"01.3"}


def test_an_overlay_that_does_not_fit_is_refused(overlay: Path, session: Session) -> None:
    (overlay / SAMPLE.name / "exercise.md").unlink()
    with pytest.raises(
        SpecificationError, match=r"question 01\.9 has a spec\.py but not a cell of exercise\.md"
    ):
        Exam.at_seed(SAMPLE, 3, session, overlay)


@pytest.mark.slow
def test_both_layers_are_built_into_the_private_one(overlay: Path, session: Session) -> None:
    public, private = public_files(), overlay / SAMPLE.name
    written = list(build(SAMPLE, session, overlay=overlay, execute=False))
    assert [line.split(": written")[0] for line in written] == [
        f"{SAMPLE.name}/{name}" for name in ("fixtures.json", "exercise.ipynb", "solution.ipynb")
    ]
    assert problems(SAMPLE, session, overlay) == []
    assert all("unchanged" in line for line in build(SAMPLE, session, overlay=overlay, execute=False))
    assert public_files() == public
    cells = json.loads((private / "exercise.ipynb").read_text(encoding="utf-8"))["cells"]
    assert [cell["source"] for cell in cells if cell["source"][:1] == ["# question 01.9\n"]] == [
        ["# question 01.9\n", "answer = ..."]
    ]


def test_a_question_and_its_version_are_those_of_the_overlays_inputs(overlay: Path) -> None:
    layers = Layers.of(SAMPLE, overlay)
    before = layers.version()
    write(overlay / SAMPLE.name / "inputs.py", INPUTS.replace("5,", "6,"))
    assert [q.points for q in layers.questions() if q.title == "Private"] == [6, 6]
    assert Layers.of(SAMPLE, overlay).version() != before


def test_a_replaced_question_may_use_the_public_inputs(overlay: Path, tmp_path: Path) -> None:
    public = shutil.copytree(SAMPLE, tmp_path / "public" / SAMPLE.name)
    write(public / "inputs.py", INPUTS.replace("5,", "3,"))
    (overlay / SAMPLE.name / "inputs.py").unlink()
    layers = Layers.of(public, overlay)
    assert [q.points for q in layers.questions() if q.title == "Private"] == [3, 3]
    before = layers.version()
    write(public / "inputs.py", INPUTS.replace("5,", "4,"))
    assert Layers.of(public, overlay).version() != before


def test_an_answer_of_the_same_name_replaces_the_public_one(overlay: Path) -> None:
    own = "# %% sum: my sum\n# loses: mean\nmasked_mean = sum\n"
    add(overlay / SAMPLE.name / "q3_mine" / "wrong.py", own)
    found = {a.name: a.explanation for a in Layers.of(SAMPLE, overlay).bank("wrong") if a.question == "01.3"}
    assert list(found) == ["divides_by_all", "inverted", "keeps_all", "sum", "halved"]
    assert found["sum"] == "my sum"


@pytest.mark.parametrize("shown", ["answer_of_everything = 42", "    scores = query @ key.mT / 2 ** 0.5"])
def test_a_line_of_a_private_solution_or_bank_is_found_in_what_students_get(
    overlay: Path, shown: str
) -> None:
    private = overlay / SAMPLE.name
    text = (private / "exercise.md").read_text(encoding="utf-8")
    secret = text.replace("answer = 42", "answer_of_everything = 42\nanswer = answer_of_everything")
    (private / "exercise.md").write_text(secret, encoding="utf-8")
    write(
        private / "q1_attention" / "wrong.py",
        "# %% two: the scale of two features\n# loses: values, mask\n"
        "def attention(query, key, value, mask):\n    scores = query @ key.mT / 2 ** 0.5\n",
    )
    (private / "exercise.ipynb").write_text(json.dumps({"cells": []}), encoding="utf-8")
    assert leaks(Layers.of(SAMPLE, overlay)) == []
    cell = {"cell_type": "code", "metadata": {}, "source": [shown]}
    (private / "exercise.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert shown.strip() in leaks(Layers.of(SAMPLE, overlay))[0]


@pytest.mark.slow
def test_a_private_question_is_proven_with_its_own_bank(overlay: Path, session: Session) -> None:
    own = overlay / SAMPLE.name / "q9_seven"
    for name, answer in {"sum": "3 + 4", "product": "7 * 1"}.items():
        add(own / "right.py", f"# %% {name}: {name}\nanswer = {answer}\n")
    proof = Proof.of(SAMPLE, session, overlay)
    assert "01.9" in proof.questions
    assert list(proof.failures("01.9", session)) == [
        "01.9: 1 named mistakes in the bank; at least 4 are needed"
    ]
    for number in (5, 8, 9):
        add(own / "wrong.py", f"# %% n{number}: {number}\n# loses: answer\nanswer = {number}\n")
    assert list(Proof.of(SAMPLE, session, overlay).failures("01.9", session)) == []


@pytest.mark.slow
def test_the_commands_of_an_author_take_the_exercises_that_an_overlay_lies_over(
    overlay: Path, tmp_path: Path, capsys
) -> None:
    shutil.copytree(SAMPLE, tmp_path / "public" / "02_other")
    shutil.copytree(SAMPLE, tmp_path / "public" / SAMPLE.name)
    words = [str(tmp_path / "public"), "--overlay", str(overlay)]
    assert main(["prove", *words, "--question", "01.9"]) == 1
    assert "01.9: 1 named mistakes in the bank; at least 4 are needed" in capsys.readouterr().out
    assert main(["build", *words, "--check"]) == 1
    out = capsys.readouterr().out
    assert "[1/1] 01_sample" in out
    assert f"run: python -m autograder build {tmp_path / 'public' / SAMPLE.name} --overlay {overlay}" in out
    assert main(["prove", str(tmp_path / "public" / "02_other"), "--overlay", str(overlay)]) == 2
    assert "has no layer over 02_other" in capsys.readouterr().err
