"""What the chapters that are written as lessons promise: their numbers are printed, their pages are light.

A chapter is a lesson if it has a page of evidence.
"""

import base64
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LESSONS = [
    path
    for path in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.ipynb"))
    if (ROOT / "book" / "evidence" / f"{path.name[:2]}.md").exists()
]
MOST_FIGURES = 12
LARGEST_FIGURE, ALL_FIGURES, WHOLE_NOTEBOOK = 60_000, 400_000, 500_000
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
NOT_PROSE = [
    r"```.*?```",
    r"\$\$.*?\$\$",
    r"\$[^$\n]*(?:\n[^$\n]+)?\$",
    r"\{[a-z:]+\}`[^`]*`",
    r"\]\([^)]*\)",
    r"`[^`]*`",
]


@cache
def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def prose(path: Path) -> str:
    """What a chapter says outside mathematics, code, citations and addresses."""
    text = "\n\n".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")
    for pattern in NOT_PROSE:
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


def printed(path: Path) -> str:
    """Every text that a chapter's cells print; the places in a drawing are none."""
    parts = []
    for output in (output for cell in cells(path) for output in cell.get("outputs", [])):
        parts += output.get("text", [])
        parts += output.get("data", {}).get("text/plain", [])
    return "".join(parts).replace("\u2212", "-")


def figures(path: Path) -> list[int]:
    """The bytes of each figure."""
    pictures = [
        output["data"]["image/png"]
        for cell in cells(path)
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    return [len(base64.b64decode("".join(picture))) for picture in pictures]


lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


@lesson
def test_every_decimal_in_the_prose_of_a_lesson_is_printed_by_a_cell(path: Path) -> None:
    """A number that no cell prints is a number that nothing checks."""
    numbers = set(re.findall(r"(?<![\w.])\d+\.\d+(?![\w.])", prose(path)))
    said = set(re.findall(r"\d+\.\d+", printed(path)))
    assert not numbers - said, (
        f"print these numbers in a cell of {path.name}, or leave them out: {sorted(numbers - said)}"
    )


@lesson
def test_a_lesson_ends_with_its_answer_a_summary_exercises_and_what_to_read(path: Path) -> None:
    text = "\n\n".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")
    end = re.findall(r"^(## .+|\*\*Exercises\.\*\*)", text, re.MULTILINE)[-4:]
    wanted = ["## Summary", "**Exercises.**", "## Further reading"]
    assert end[1:] == wanted, f"end {path.name} with {', '.join(wanted)}, behind the answer; it ends: {end}"


@lesson
def test_a_lesson_is_light(path: Path) -> None:
    sizes = figures(path)
    assert len(sizes) <= MOST_FIGURES, f"draw at most {MOST_FIGURES} figures in {path.name}"
    assert max(sizes, default=0) <= LARGEST_FIGURE, (
        f"simplify the figures of {path.name} that have more than {LARGEST_FIGURE:,} bytes: {sizes}"
    )
    assert sum(sizes) <= ALL_FIGURES, (
        f"the figures of {path.name} have more than {ALL_FIGURES:,} bytes together"
    )
    assert path.stat().st_size < WHOLE_NOTEBOOK, f"{path.name} has more than {WHOLE_NOTEBOOK:,} bytes"


@lesson
def test_code_that_is_hidden_on_the_page_is_folded_in_jupyterlab(path: Path) -> None:
    unfolded = [
        cell["id"]
        for cell in cells(path)
        if HIDDEN & set(cell["metadata"].get("tags", []))
        and not cell["metadata"].get("jupyter", {}).get("source_hidden")
    ]
    assert not unfolded, f'give these cells of {path.name} "jupyter": {{"source_hidden": true}}: {unfolded}'
