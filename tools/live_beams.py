"""Write the probabilities behind the live figure `beam`: those of chapter 14's models.

    python tools/live_beams.py

runs the cells of chapter 14 that make its table of three tokens and train its translator, a minute on one
core. It keeps the log-probabilities after every prefix that a beam of up to four hypotheses visits, in five
decimals, as a script that the page of the figure loads.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

ROOT = Path(__file__).resolve().parent.parent
CHAPTER = ROOT / "chapters" / "14_decoding.ipynb"
PATH = ROOT / "book" / "_static" / "live" / "beam-tables.js"
IMPORTS, TABLE, TRANSLATOR = "c14-02", "c14-09", "c14-27"
END, MOST_BEAMS, LONGEST, DECIMALS = 0, 4, 20, 5
LETTERS = ["end", "a", "b"]
NUMBERS = {"14,076": 35, "476,601": 8}
HEADER = f"""// @ts-check
"use strict";

/* The log-probabilities after each prefix: written by `python tools/{Path(__file__).name}`, not by hand. */
/** @type {{{{name: string, words: string[], longest: number, next: Record<string, number[]>}}[]}} */
const beamTables = """

Prefix = tuple[int, ...]


def chapter() -> dict[str, Any]:
    """What cells of chapter 14 define: `after` for its table, `reader` for its translator, and more."""
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    torch.set_default_dtype(torch.float64)
    names: dict[str, Any] = {"END": END}
    for cell in (IMPORTS, TABLE, TRANSLATOR):
        exec(sources[cell], names)
    return names


def visited(log_p: Callable[[Prefix], np.ndarray], longest: int) -> dict[str, list[float]]:
    """The log-probabilities after each prefix that a search of at most `MOST_BEAMS` beams reads."""
    rows: dict[Prefix, list[float]] = {}
    for beams in range(1, MOST_BEAMS + 1):
        beam: list[tuple[Prefix, float]] = [((), 0.0)]
        for _ in range(longest):
            longer = []
            for prefix, total in beam:
                if prefix not in rows:
                    rows[prefix] = np.round(log_p(prefix), DECIMALS).tolist()
                longer += [((*prefix, token), total + log) for token, log in enumerate(rows[prefix])]
            kept = sorted(longer, key=lambda hypothesis: -hypothesis[1])[:beams]
            beam = [hypothesis for hypothesis in kept if hypothesis[0][-1] != END]
    return {",".join(map(str, prefix)): row for prefix, row in rows.items()}


def tables() -> list[dict[str, object]]:
    """The translator at two of the chapter's unseen numbers, and the table of three tokens."""
    names = chapter()
    english = names["english"]
    spoken = ["end", *(english.decode([token]) for token in range(1, english.vocab_size))]
    found: list[dict[str, object]] = []
    for number, at in NUMBERS.items():
        next_words = visited(names["reader"](names["numbers"].test[at][0]), LONGEST)
        found.append({"name": number, "words": spoken, "longest": LONGEST, "next": next_words})
    letters = visited(lambda prefix: np.log(names["after"](prefix)), len(LETTERS))
    found.append({"name": "a and b", "words": LETTERS, "longest": len(LETTERS), "next": letters})
    return found


def write(found: list[dict[str, object]], path: Path = PATH) -> None:
    """Write the script."""
    texts = [json.dumps(table, separators=(",", ":")) for table in found]
    path.write_text(HEADER + "[\n" + ",\n".join(texts) + "\n];\n", encoding="utf-8")


def read(path: Path = PATH) -> list[dict[str, Any]]:
    """The tables of the script."""
    tables: list[dict[str, Any]] = json.loads(
        path.read_text(encoding="utf-8").removeprefix(HEADER).rstrip(";\n")
    )
    return tables


def main() -> int:
    """Train, write, and say what was written."""
    write(tables())
    print(f"{PATH.name}: {PATH.stat().st_size:,} bytes, {[len(table['next']) for table in read()]} prefixes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
