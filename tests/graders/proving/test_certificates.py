"""Every question of the course carries a certificate of its full proof, and none is out of date."""

import shutil
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.proving.certificates import staleness
from grader_cases import FOLDERS, SAMPLE, bank_answer, question_ids

COURSE = [folder for folder in FOLDERS if folder != SAMPLE]


@pytest.mark.parametrize("folder", COURSE, ids=lambda folder: folder.name)
def test_every_question_has_a_certificate_that_holds(folder: Path) -> None:
    layers = Layers(folder)
    told = {q: why for q in question_ids(folder) if (why := staleness(layers, q))}
    assert not told, f"run: python -m autograder finish exercises/{folder.name}\n{told}"


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
