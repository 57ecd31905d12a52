"""The spelling check reads notebooks too, and its list of words has none that nobody uses."""

import json
import re
from pathlib import Path

import pytest
import spelling

pytest.importorskip("codespell_lib", reason="codespell is not installed: see requirements.txt")
WORDS = spelling.WORDS.read_text(encoding="utf-8").split()


def test_a_misspelling_and_a_british_spelling_are_found_in_cells_and_not_in_outputs(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(spelling, "ROOT", tmp_path)
    wrong = ["recie" + "ve", "behav" + "iour"]
    cell = {"source": [f"we {wrong[0]}\n"], "outputs": [{"text": ["sepe" + "rate"]}]}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    (tmp_path / "b.md").write_text(f"its {wrong[1]}\n", encoding="utf-8")
    found = spelling.misspelled([tmp_path / "a.ipynb", tmp_path / "b.md"])
    assert len(found) == 2 and "a.ipynb" in found[0] + found[1] and "b.md" in found[0] + found[1], (
        "read both kinds of files: see misspelled() of tools/spelling.py"
    )
    assert all(any(word in line for line in found) for word in wrong), "name the words: see misspelled()"


def test_the_list_of_words_is_in_order_and_holds_what_somebody_writes() -> None:
    assert sorted(set(WORDS)) == WORDS, "put the words of tools/words.txt in order, each once"
    unused = {word for word in WORDS}
    for path in spelling.files():
        if path != spelling.WORDS and unused:
            text = spelling.cells_of(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
            unused -= set(re.findall(r"\w+", text.lower()))
    assert not unused, f"take out of tools/words.txt what nobody writes: {sorted(unused)}"
