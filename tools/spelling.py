"""Find misspelled words, and British spellings, in everything of the project that people read.

    python tools/spelling.py

codespell knows the usual misspellings, so that a word of the field is not an error. What it takes for one and
is none stands in `tools/words.txt`. Of notebooks it reads the cells, not their outputs.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORDS = Path(__file__).with_name("words.txt")
ENDINGS = (".md", ".py", ".js", ".css", ".yml", ".toml", ".cff", ".sh", ".ipynb")
# Windows takes command lines of 32,000 letters.
AT_ONCE = 300
# Made by others or by programs, and mistakes that are meant: of students, and on the command line.
LEFT_OUT = (
    "book/_static/reveal/",
    "book/_static/live/attention-weights.js",
    "book/_static/live/beam-tables.js",
    "book/_static/live/gpt-weights.js",
    "tests/graders/hostile/",
    "tests/graders/classroom/test_platforms.py",
    "tests/library/test_cli_mistakes.py",
)


def files() -> list[Path]:
    """The files that people read, of those in git."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout.split("\0")
    named = [name for name in listed if name.endswith(ENDINGS) or name == "Makefile"]
    paths = [ROOT / name for name in named if not name.startswith(LEFT_OUT)]
    return [path for path in paths if path.is_file()]


def cells_of(notebook: Path) -> str:
    """What is written in a notebook's cells."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def codespell(names: list[str]) -> str:
    """What codespell prints of these files."""
    options = ["--builtin", "clear,rare,en-GB_to_en-US", "--ignore-words", str(WORDS)]
    command = [sys.executable, "-m", "codespell_lib", *options, *names]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if run.stderr:
        raise RuntimeError(run.stderr)
    return run.stdout


def misspelled(paths: list[Path]) -> list[str]:
    """A line for each word that is misspelled: where, the word, and what may be meant."""
    with tempfile.TemporaryDirectory() as folder:
        copies = {}
        for path in paths:
            if path.suffix == ".ipynb":
                copy = Path(folder) / str(path.relative_to(ROOT)).replace("/", "--")
                copy.write_text(cells_of(path), encoding="utf-8")
                copies[str(copy)] = path
        given = [*(str(path.relative_to(ROOT)) for path in paths if path.suffix != ".ipynb"), *copies]
        found = "".join(codespell(given[at : at + AT_ONCE]) for at in range(0, len(given), AT_ONCE))
    for name, path in copies.items():
        found = found.replace(f"{name}:", f"{path.relative_to(ROOT)}: line of the cells' text ")
    return found.splitlines()


def main() -> int:
    """Show what is misspelled."""
    found = misspelled(files())
    print("\n".join(found) or "no word is misspelled")
    if found:
        print("If a word is right, write it into tools/words.txt, in lower case.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
