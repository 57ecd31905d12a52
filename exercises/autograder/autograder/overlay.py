"""An instructor's private layer over a public exercise, and the digest that says what graded.

An overlay is a folder outside the public tree with the same layout. In ``overlay/06_self_attention/`` each of
these is optional:

- ``questions.py``: its QUESTIONS take the place of the public ones with the same id, or are added after
  them. The public bank of a replaced question no longer counts.
- ``exercise.md``: a setup cell, which takes the place of the public one, and the cells of the questions
  that are added or replaced; a changed copy of the whole public file is one too.
- ``bank/wrong/*.py``: joins the public bank; a file of the same name replaces it.

An exercise that only the overlay has is a whole exercise folder.
"""

import functools
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.bank import BankFile, read_bank
from autograder.notebook import Source, read_source, solution_lines
from autograder.spec import Question, load_questions

IGNORED = ("exercise.ipynb", "solution.ipynb", "fixtures.json")


@dataclass(frozen=True)
class Layers:
    """An exercise folder and, perhaps, its private layer."""

    folder: Path
    private: Path | None = None

    @classmethod
    def of(cls, folder: Path, overlay: Path | None) -> "Layers":
        private = overlay / folder.name if overlay is not None else None
        differs = private is not None and private.is_dir() and private.resolve() != folder.resolve()
        return cls(folder, private if differs else None)

    @property
    def place(self) -> Path:
        """Where what is built of both lies: in the private layer, if there is one."""
        return self.private or self.folder

    def _has(self, name: str) -> bool:
        return self.private is not None and (self.private / name).is_file()

    def questions(self) -> list[Question]:
        return load_questions(self.folder, *([self.private] if self._has("questions.py") else []))

    def solution_lines(self) -> set[str]:
        """The lines between the solutions' markers, of both layers."""
        texts = [self.folder / "exercise.md"] + (
            [self.private / "exercise.md"] if self._has("exercise.md") else []
        )
        return set().union(*(solution_lines(path.read_text(encoding="utf-8")) for path in texts))

    def source(self) -> Source:
        public = read_source(self.folder / "exercise.md")
        if not self._has("exercise.md"):
            return public
        own = read_source(self.private / "exercise.md")
        stubs, solutions = public.stubs | own.stubs, public.solutions | own.solutions
        return Source(own.notebook, own.setup, stubs, solutions)

    def bank(self, side: str) -> list[BankFile]:
        public = read_bank(self.folder, side)
        if self.private is None:
            return public
        replaced = {q.id for q in load_questions(self.private)} if self._has("questions.py") else set()
        kept = {file.path.name: file for file in public if file.question not in replaced}
        own = {file.path.name: file for file in read_bank(self.private, side)}
        return list((kept | own).values())

    def _specified(self) -> Iterator[tuple[str, bytes]]:
        for layer in filter(None, (self.folder, self.private)):
            for path in sorted(p for p in layer.rglob("*") if p.is_file()):
                name = path.relative_to(layer).as_posix()
                hidden = name.startswith((".", "bank/right/")) or "__pycache__" in name or "/." in name
                if not hidden and name not in IGNORED:
                    yield name, path.read_bytes()

    def version(self) -> str:
        """The digest of what decides a grade, beside submission and seed."""
        return _digest([*self._specified(), ("autograder", package_version().encode())])


@functools.cache
def package_version() -> str:
    """The digest of the autograder's own modules."""
    folder = Path(__file__).parent
    modules = sorted(folder.rglob("*.py"))
    return _digest((path.relative_to(folder).as_posix(), path.read_bytes()) for path in modules)


def _digest(named: Iterator[tuple[str, bytes]] | list[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, content in named:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content.replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]
