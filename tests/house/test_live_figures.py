"""The scripts of live figures are small and need nothing but the page; each has its place in a chapter."""

import json
import re
from pathlib import Path

import pytest

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
