"""The scripts of live figures are small and need nothing but the page; each has its place in a chapter."""

import json
import re
from pathlib import Path

import pytest
from live_beams import CHAPTER, END, TRANSLATOR
from live_beams import read as read_tables

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "book" / "_static" / "live").glob("*.js"))
LARGEST, MOST_DATA = 10_000, 300_000
WRITTEN = "written by `python tools/"
FROM_ELSEWHERE = re.compile(
    r"\b(fetch|import|export|require|XMLHttpRequest|WebSocket)\b|https?://(?!www\.w3\.org/)"
)

script = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)


@script
def test_a_script_is_small_checked_and_asks_for_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    most = MOST_DATA if WRITTEN in text else LARGEST
    assert len(text.encode()) <= most, f"{path.name} has more than {most:,} bytes: simplify the figure"
    assert text.startswith('// @ts-check\n"use strict";\n'), f"begin {path.name} as the others begin"
    assert not FROM_ELSEWHERE.search(text), f"{path.name} has to work from a file, without a network"


def test_every_script_has_a_figure_in_a_chapter_and_every_figure_a_script() -> None:
    named = set()
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                named |= set(re.findall(r":name: live-(\w+)", "".join(cell["source"])))
    there = {path.stem.partition("-")[0] for path in SCRIPTS} - {"live"}
    assert named == there, f"only in chapters: {named - there}; only in book/_static/live: {there - named}"


def test_the_tree_of_chapter_14_has_the_log_probabilities_that_the_chapter_prints() -> None:
    """Of 476,601: what greedy decoding writes, and the empty text that 50 beams find."""
    table = next(table for table in read_tables() if table["name"] == "476,601")
    prefix: list[int] = []
    greedy = 0.0
    while not prefix or prefix[-1] != END:
        row = table["next"][",".join(map(str, prefix))]
        prefix.append(row.index(max(row)))
        greedy += max(row)
    printed = "".join(
        line
        for cell in json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
        if cell["id"] == TRANSLATOR
        for line in cell["outputs"][0]["text"]
    )
    assert f"B=1   {greedy:.2f} four hundred and seventy-six" in printed, "run tools/live_beams.py again"
    assert f"B=50  {table['next'][''][END]:.2f} (nothing)" in printed, "run tools/live_beams.py again"
