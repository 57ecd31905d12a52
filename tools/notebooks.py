"""The course's notebooks: which there are, and in which order they are read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATTERNS = ["chapters/*.ipynb", "exercises/*/*.ipynb", "book/*.ipynb"]


def course_notebooks() -> list[Path]:
    """Every notebook of the course, in reading order."""
    return [path for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]
