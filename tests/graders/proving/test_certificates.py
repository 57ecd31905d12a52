"""Every question of the course carries a certificate of its full proof, and none is out of date."""

import ast
import json
import shutil
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.authoring.source import without_magics
from autograder.judging.evaluate import unrun
from autograder.proving import certificates, proof
from autograder.proving.certificates import staleness
from autograder.proving.proof import Proof
from grader_cases import FOLDERS, SAMPLE, bank_answer, question_ids

KERNEL_ALONE = {"In", "Out", "display", "get_ipython"}
COURSE = [folder for folder in FOLDERS if folder != SAMPLE]


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_every_question_has_a_certificate_that_holds(folder: Path) -> None:
    layers = Layers(folder)
    told = {q: why for q in question_ids(folder) if (why := staleness(layers, q))}
    assert not told, f"run: python -m autograder finish exercises/{folder.name}\n{told}"


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_what_a_proof_tries_without_a_worker_is_plain_python(folder: Path) -> None:
    """What a worker makes of magics and of a kernel's names has no part in that half of a proof."""
    layers = Layers(folder)
    source = layers.source()
    bank = [(str(answer), answer.source) for side in ("right", "wrong") for answer in layers.bank(side)]
    for place, text in [("setup", source.setup), *source.solutions.items(), *source.stubs.items(), *bank]:
        assert without_magics(text) == text, f"{place} has magics, which a proof in this process leaves out"
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert not names & KERNEL_ALONE, f"{place} uses {names & KERNEL_ALONE}, which a kernel alone has"


TITLE = 'title="Repair the average",'
# the sample's question is a small one
EXEMPT = {
    "more than a hundred": "",
    "no gradient": "",
    "values below a thousandth is 0": "",
    "values clipped at 10": "",
}


@pytest.fixture(scope="module")
def certified_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certified") / SAMPLE.name
    shutil.copytree(SAMPLE, folder)
    spec = folder / "q3_repair_average" / "spec.py"
    text = spec.read_text(encoding="utf-8")
    assert text.count(TITLE) == 1
    spec.write_text(text.replace(TITLE, f"{TITLE}\n    exempt={EXEMPT},"), encoding="utf-8")
    assert main(["finish", str(folder), "--question", "01.3", "--inputs", "20"]) == 0
    return folder


@pytest.fixture
def certified(certified_once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(certified_once, tmp_path / SAMPLE.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, old, new, why",
    [
        ("q3_repair_average/spec.py", "v[k].mean()", "v[k].double().mean()", "specification"),
        ("q3_repair_average/wrong.py", "return values.mean", "return 1 * values.mean", "bank"),
        ("exercise.md", "keep.sum(", "(1 * keep).sum(", "bank"),
    ],
)
def test_a_certificate_holds_until_what_it_was_made_of_changes(
    certified: Path, capsys, name: str, old: str, new: str, why: str
) -> None:
    assert staleness(Layers(certified), "01.3", 20) == ""
    assert staleness(Layers(certified), "01.3", 21) == "is certified on 20 inputs with 0 survivors"
    assert staleness(Layers(certified), "01.2") == "has no certificate"
    assert main(["finish", str(certified), "--question", "01.3", "--inputs", "20"]) == 0
    assert "certified before" in capsys.readouterr().out
    text = (certified / name).read_text(encoding="utf-8")
    assert old in text
    (certified / name).write_text(text.replace(old, new), encoding="utf-8")
    assert staleness(Layers(certified), "01.3", 20) == f"has a certificate of another {why}"


@pytest.mark.slow
def test_what_is_not_proven_is_not_certified(certified: Path, capsys) -> None:
    mistake = bank_answer(certified, "wrong", "01.3", "sum")
    with (certified / "q3_repair_average" / "right.py").open("a", encoding="utf-8") as stream:
        stream.write(f"\n\n# %% again: The sum.\n{mistake.source}")
    path = Layers(certified).certificate_path("01.3")
    before = path.read_bytes()
    assert main(["finish", str(certified), "--question", "01.3", "--inputs", "20"]) == 1
    assert "right.py: again should have full marks" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert staleness(Layers(certified), "01.3", 20) == "has a certificate of another bank"


@pytest.mark.slow
def test_where_only_what_runs_answers_has_changed_only_they_are_run_again(
    certified: Path, capsys, monkeypatch
) -> None:
    path = Layers(certified).certificate_path("01.3")
    whole = path.read_text(encoding="utf-8")
    stored = json.loads(whole)
    path.write_text(json.dumps(stored | {"running": "of another worker"}), encoding="utf-8")
    assert staleness(Layers(certified), "01.3", 20) == "has a certificate of another running"
    told = path.read_text(encoding="utf-8")
    monkeypatch.setattr(Proof, "sabotage", None)
    monkeypatch.setattr(certificates, "Hunt", None)
    with monkeypatch.context() as patch:
        patch.setattr(
            proof, "evaluate", lambda exam, q, *rest: unrun(exam.questions[q], "crashed", "It ended.")
        )
        assert main(["finish", str(certified), "--question", "01.3", "--inputs", "20"]) == 1
    assert "01.3, seed 0: the solution in exercise.md should have full marks" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == told, "what failed in a worker is not certified"
    assert main(["finish", str(certified), "--question", "01.3", "--inputs", "20"]) == 0
    assert path.read_text(encoding="utf-8") == whole
