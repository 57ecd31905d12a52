"""Building exercise.ipynb, solution.ipynb and fixtures.json, and checking that they are up to date."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.authoring.layers import Layers
from autograder.authoring.source import mark_of, solved, stripped
from autograder.authoring.spec import SpecificationError
from autograder.authoring.version import JUDGING, code_version, digest
from autograder.files import write_text
from autograder.judging.compare import Fingerprint
from autograder.judging.exam import PUBLIC_SEED, Exam
from autograder.judging.fixtures import exam_text, from_inline, read_exam
from autograder.worker.session import Session

NOTEBOOKS = {"exercise.ipynb": stripped, "solution.ipynb": lambda source, question: solved(source)}
FINGERPRINT = {"skeleton", "projections", "scale", "size"}
RTOL, ATOL = 1e-4, 1e-6  # of arrays that were computed on two processors
DRAWING = (*JUDGING, "judging/fixtures.py")
LEAK_LENGTH = 16
CELL_SECONDS = 120


def made_notebooks(layers: Layers) -> dict[str, Any]:
    """The two notebooks of an exercise, without outputs."""
    import nbformat

    source = layers.source().notebook
    made = {}
    for name, form in NOTEBOOKS.items():
        cells = []
        for number, cell in enumerate(source.cells, 1):
            new = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
            mark = mark_of(cell.source) if cell.cell_type == "code" else None
            text = form(cell.source, mark) if mark not in (None, "setup") else cell.source
            cells.append(new(text, id=f"cell-{number:02d}", metadata=cell.metadata))
        kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        made[name] = nbformat.v4.new_notebook(
            cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}}
        )
    return made


def _execute(notebook: Any, folder: Path) -> None:
    import nbclient

    nbclient.NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)


def _cells(notebook: Any) -> list[tuple[str, str, dict]]:
    return [
        (cell["cell_type"], "".join(cell["source"]), dict(cell["metadata"])) for cell in notebook["cells"]
    ]


def build(
    folder: Path, session: Session, *, overlay: Path | None = None, execute: bool = True
) -> Iterator[str]:
    """Write what is stale, into the private layer if there is one; yield a line for each file.

    Notebooks whose cells are unchanged keep their outputs.
    """
    import nbformat

    layers = Layers.of(folder, overlay)
    path = layers.place / "fixtures.json"
    done, fresh = "unchanged", sealed(layers)
    if not fresh:
        done = "written"
        exam = Exam.at_seed(folder, PUBLIC_SEED, session, overlay)
        if path.is_file() and not fixture_difference(exam, path):
            exam, fresh = read_exam(path.read_text(encoding="utf-8"), path.name), True
            done = "sealed anew, with the values that it had"
        write_text(path, exam_text(exam, _seal(layers, exam)))
    size = f"{path.stat().st_size / 1000:.0f} kB"
    yield f"{folder.name}/fixtures.json: {done} ({size})"
    for name, notebook in made_notebooks(layers).items():
        path = layers.place / name
        if (
            fresh
            and path.is_file()
            and _cells(json.loads(path.read_text(encoding="utf-8"))) == _cells(notebook)
        ):
            yield f"{folder.name}/{name}: unchanged"
            continue
        if execute:
            _execute(notebook, layers.place)
        write_text(path, nbformat.writes(notebook, version=4).rstrip("\n") + "\n")
        yield f"{folder.name}/{name}: written{'' if execute else ', not executed'}"


def _seal(layers: Layers, exam: Exam) -> str:
    """The digest of an exam, of the files that it is made of, and of the code that draws it."""
    files = [file for file in layers.originals() if not file[0].endswith("/right.py")]
    made = [("code", code_version(DRAWING).encode()), ("exam", exam_text(exam).encode())]
    return digest([*files, *made])


def sealed(layers: Layers) -> bool:
    """Whether the fixtures are as they were written, and of the files that are there now."""
    path = layers.place / "fixtures.json"
    try:
        text = path.read_text(encoding="utf-8")
        exam = read_exam(text, path.name)
    except (FileNotFoundError, SpecificationError):
        return False
    return json.loads(text).get("seal") == _seal(layers, exam)


def problems(folder: Path, session: Session, overlay: Path | None = None) -> list[str]:
    """What is stale or leaks in an exercise's built files, one sentence for each problem."""
    layers = Layers.of(folder, overlay)
    found = []
    path = layers.place / "fixtures.json"
    if not path.is_file():
        found.append(f"{folder.name}/fixtures.json is missing")
    elif not sealed(layers):
        exam = Exam.at_seed(folder, PUBLIC_SEED, session, overlay)
        told = fixture_difference(exam, path) or "it was made of other files, though nothing in it differs"
        found.append(f"{folder.name}/fixtures.json is stale: {told}")
    for name, notebook in made_notebooks(layers).items():
        path = layers.place / name
        if not path.is_file():
            found.append(f"{folder.name}/{name} is missing")
        elif _cells(json.loads(path.read_text(encoding="utf-8"))) != _cells(notebook):
            found.append(f"{folder.name}/{name} is stale: its cells are not those of exercise.md")
    return found + leaks(layers)


def fixture_difference(exam: Exam, path: Path) -> str:
    """Where the stored fixtures differ; arrays and projections may differ by rounding."""
    try:
        stored = read_exam(path.read_text(encoding="utf-8"), path.name)
    except SpecificationError as error:
        return str(error)
    return _json_difference(json.loads(exam_text(stored)), json.loads(exam_text(exam)), "")


def _json_difference(one: Any, other: Any, place: str) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        if {"dtype", "shape", "base64"} == set(one) == set(other):
            return "" if _same_arrays(from_inline(one), from_inline(other)) else place
        if FINGERPRINT == set(one) == set(other):
            return "" if Fingerprint(**one).matches(Fingerprint(**other), RTOL, ATOL) else place
        if one.keys() != other.keys():
            return place or "its fields"
        return next((d for k in one if (d := _json_difference(one[k], other[k], f"{place}/{k}"))), "")
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return place
        return next(
            (d for i, (a, b) in enumerate(zip(one, other)) if (d := _json_difference(a, b, f"{place}/{i}"))),
            "",
        )
    if isinstance(one, float) and isinstance(other, int | float):
        return "" if math.isclose(one, other, rel_tol=RTOL, abs_tol=RTOL) else place
    return "" if one == other else place


def _same_arrays(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind in "fc":
        return bool(np.allclose(one, other, rtol=RTOL, atol=ATOL, equal_nan=True))
    return bool((one == other).all())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def secret_lines(layers: Layers) -> set[str]:
    """The lines of the solutions and of the banks that a student's copy must not hold."""
    given = [cell.source for cell in made_notebooks(layers)["exercise.ipynb"].cells]
    given += layers.source().stubs.values()
    outside = {line.strip() for text in given for line in text.split("\n")}
    secret = layers.solution_lines()
    for side in ("right", "wrong"):
        for answer in layers.bank(side):
            secret |= {line.strip() for line in answer.source.split("\n")}
    return {line for line in secret - outside if len(line) >= LEAK_LENGTH}


def leaks(layers: Layers) -> list[str]:
    """Where the student's files show a line of a solution or of the bank."""
    secret, folder = secret_lines(layers), layers.folder
    found = []
    for name in ("exercise.ipynb", "fixtures.json"):
        path = layers.place / name
        if not path.is_file():
            continue
        strings = list(_strings(json.loads(path.read_text(encoding="utf-8"))))
        whole = "".join(s if s.endswith("\n") else s + "\n" for s in strings)
        lines = {line.strip() for line in whole.split("\n")}
        if shown := sorted(line for line in lines & secret):
            found.append(f"{folder.name}/{name} shows a line of a solution or of the bank: {shown[0]!r}")
        if "### BEGIN SOLUTION" in whole:
            found.append(f"{folder.name}/{name} holds a solution's marker")
    return found
