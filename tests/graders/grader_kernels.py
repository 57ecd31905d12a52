"""Answered notebooks, and a kernel that runs them where they lie, for the tests of kits and exports."""

import json
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.authoring.bank import read_bank
from autograder.authoring.source import mark_of, read_source

RUN = """
import json, sys
import nbclient, nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
client = nbclient.NotebookClient(
    notebook, timeout=300, allow_errors=True, extra_arguments=["--IPKernelApp.log_level=40"]
)
client.execute(cwd=sys.argv[2])
nbformat.write(notebook, sys.argv[1])
"""


def right_answers(folder: Path) -> dict[str, str]:
    """The solution of each question, as the cell that a student hands in."""
    return read_source(folder / "exercise.md").solutions


def wrong_answers(folder: Path) -> dict[str, str]:
    """A named mistake for each question, one that loses few parts."""
    answers = sorted(read_bank(folder, "wrong"), key=lambda answer: -len(answer.loses))
    return {answer.question: f"# question {answer.question}\n{answer.source}" for answer in answers}


def samples(folder: Path) -> dict[str, dict[str, str]]:
    """Answers that are all right, all wrong, right in every second question, and none."""
    right, wrong = right_answers(folder), wrong_answers(folder)
    half = {question: (wrong, right)[i % 2][question] for i, question in enumerate(sorted(right))}
    return {"right": right, "wrong": wrong, "half": half, "empty": {}}


def without_other_cells(notebook: bytes, questions: Collection[str]) -> bytes:
    """The notebook with the setup cell, and the cells and checks of these questions only."""
    fields = json.loads(notebook)

    def kept(source: str) -> bool:
        return mark_of(source) in {"setup", *questions} or any(f'check("{q}")' in source for q in questions)

    fields["cells"] = [c for c in fields["cells"] if c["cell_type"] == "code" and kept("".join(c["source"]))]
    return json.dumps(fields).encode()


def answered(notebook: bytes, answers: Mapping[str, str], more: Sequence[str] = ()) -> str:
    """The notebook with these answers in its marked cells, and more cells at its end."""
    fields = json.loads(notebook)
    for cell in fields["cells"]:
        mark = mark_of("".join(cell["source"])) if cell["cell_type"] == "code" else None
        if mark in answers:
            cell["source"] = answers[mark]
    for number, source in enumerate(more):
        blank = {"metadata": {}, "outputs": [], "execution_count": None}
        fields["cells"].append({"cell_type": "code", "id": f"more-{number}", "source": source, **blank})
    return json.dumps(fields)


def executed(path: Path, python: str = sys.executable, environment: Mapping[str, str] | None = None) -> Any:
    """The code cells of a notebook after ``python``'s kernel ran it in its folder."""
    words = [python, "-c", RUN, str(path), str(path.parent)]
    run = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def shown(cell: Mapping[str, Any]) -> str:
    """The text that a cell shows."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    return "\n".join("".join(text) for text in texts)
