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

PRIVATE = """
from autograder.authoring import Part, Question


def question(number, right):
    parts = [Part("answer", 5, "the answer", reads=("answer",))]
    return Question(f"01.{number}", "Private", "derive", 1, 1, parts, {"answer": right}, hints=("Think.",))


QUESTIONS = [question(2, 42), question(9, 7)]
"""
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


def public_files() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file()}


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    private = tmp_path / "overlay" / SAMPLE.name
    (private / "bank" / "wrong").mkdir(parents=True)
    (private / "questions.py").write_text(PRIVATE, encoding="utf-8")
    (private / "exercise.md").write_text(PRIVATE_TEXT, encoding="utf-8")
    (private / "bank" / "wrong" / "01_9_six.py").write_text(
        '"""six"""\n# loses: answer\nanswer = 6\n', encoding="utf-8"
    )
    (private / "bank" / "wrong" / "01_3_halved.py").write_text(
        '"""half of the mean"""\n# loses: mean\n\n\ndef masked_mean(values, keep):\n'
        "    return torch.stack([v[k].mean() / 2 for v, k in zip(values, keep)])\n",
        encoding="utf-8",
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
    new = '"""new"""\n# loses: count\nn_scores = 74\n'
    (copied / "bank" / "wrong" / "01_2_new.py").write_text(new, encoding="utf-8")
    assert Layers(copied).version() == before, "what decides no points does not count"
    assert change("questions.py", "difficulty=2", "difficulty=3") == before
    seen = {
        before,
        change("questions.py", "75", "76"),
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
    path = copied / "questions.py"
    text = path.read_text(encoding="utf-8").replace("v[k].mean()", "v[k].median()")
    path.write_text(text, encoding="utf-8")
    changed = {q for q in before if Layers(copied).question_version(q) != before[q]}
    assert changed == {"01.3"}


def test_an_overlay_that_does_not_fit_is_refused(overlay: Path, session: Session) -> None:
    (overlay / SAMPLE.name / "exercise.md").unlink()
    with pytest.raises(
        SpecificationError, match=r"question 01\.9 is in questions\.py but not in exercise\.md"
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


@pytest.mark.parametrize("shown", ["answer_of_everything = 42", "    scores = query @ key.mT / 2 ** 0.5"])
def test_a_line_of_a_private_solution_or_bank_is_found_in_what_students_get(
    overlay: Path, shown: str
) -> None:
    private = overlay / SAMPLE.name
    text = (private / "exercise.md").read_text(encoding="utf-8")
    secret = text.replace("answer = 42", "answer_of_everything = 42\nanswer = answer_of_everything")
    (private / "exercise.md").write_text(secret, encoding="utf-8")
    (private / "bank" / "wrong" / "01_1_two.py").write_text(
        '"""the scale of two features"""\n# loses: values, mask\n\n\n'
        "def attention(query, key, value, mask):\n    scores = query @ key.mT / 2 ** 0.5\n",
        encoding="utf-8",
    )
    (private / "exercise.ipynb").write_text(json.dumps({"cells": []}), encoding="utf-8")
    assert leaks(Layers.of(SAMPLE, overlay)) == []
    cell = {"cell_type": "code", "metadata": {}, "source": [shown]}
    (private / "exercise.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert shown.strip() in leaks(Layers.of(SAMPLE, overlay))[0]


@pytest.mark.slow
def test_a_private_question_is_proven_with_its_own_bank(overlay: Path, session: Session) -> None:
    bank = overlay / SAMPLE.name / "bank"
    (bank / "right").mkdir()
    for name, answer in {"sum": "3 + 4", "product": "7 * 1"}.items():
        (bank / "right" / f"01_9_{name}.py").write_text(
            f'"""{name}"""\nanswer = {answer}\n', encoding="utf-8"
        )
    proof = Proof.of(SAMPLE, session, overlay)
    assert "01.9" in proof.questions
    assert list(proof.failures("01.9", session)) == [
        "01.9: 1 named mistakes in the bank; at least 4 are needed"
    ]
    for number in (5, 8, 9):
        (bank / "wrong" / f"01_9_n{number}.py").write_text(
            f'"""{number}"""\n# loses: answer\nanswer = {number}\n', encoding="utf-8"
        )
    assert list(Proof.of(SAMPLE, session, overlay).failures("01.9", session)) == []


@pytest.mark.slow
def test_the_commands_of_an_author_take_the_exercises_that_an_overlay_lies_over(
    overlay: Path, tmp_path: Path, capsys
) -> None:
    shutil.copytree(SAMPLE, tmp_path / "public" / "02_other")
    shutil.copytree(SAMPLE, tmp_path / "public" / SAMPLE.name)
    words = [str(tmp_path / "public"), "--overlay", str(overlay)]
    assert main(["mutants", *words, "--question", "01.9", "--inputs", "1"]) == 0
    assert capsys.readouterr().out.startswith("01.9: 3 caught")
    assert main(["build", *words, "--check"]) == 1
    out = capsys.readouterr().out
    assert "[1/1] 01_sample" in out
    assert f"run: python -m autograder build {tmp_path / 'public' / SAMPLE.name} --overlay {overlay}" in out
    assert main(["prove", str(tmp_path / "public" / "02_other"), "--overlay", str(overlay)]) == 2
    assert "has no layer over 02_other" in capsys.readouterr().err
