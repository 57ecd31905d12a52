"""Exercise folders, and an instructor's private layer over a public one.

An overlay is a folder outside the public tree with the same layout. In ``overlay/06_self_attention/`` each of
these is optional:

- ``qN_name/spec.py``: its QUESTION replaces the public one with the same number, or is added to them. The
  public bank of a replaced question no longer counts. Its ``..inputs`` is the overlay's inputs.py, if there
  is one, else the public one.
- ``qN_name/right.py`` and ``wrong.py``: their answers join the public bank of question N; one of the same
  name replaces it.
- ``exercise.md``: a setup cell, which replaces the public one, and the cells of the questions
  that are added or replaced; a changed copy of the whole public file is one too.

An exercise that only the overlay has is a whole exercise folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.authoring.bank import BankAnswer, read_answers
from autograder.authoring.folders import inputs_path, load_questions, question_folders
from autograder.authoring.source import Source, read_source, solution_lines
from autograder.authoring.spec import Question
from autograder.authoring.version import bare, code_version, digest, specification

BUILT = ("exercise.ipynb", "solution.ipynb", "fixtures.json")
CERTIFICATE = "certificate.json"
NOT_DATA = ("exercise.md", "inputs.py", "spec.py", "right.py", "wrong.py")


def find_exercises(root: Path) -> list[Path]:
    """The exercise folders under ``root``, or ``root`` itself if it is one."""
    if (root / "exercise.md").is_file():
        return [root]
    return sorted(path.parent for path in root.glob("[0-9][0-9]_*/exercise.md"))


@dataclass(frozen=True)
class Layers:
    """An exercise folder and, perhaps, its private layer."""

    folder: Path
    private: Path | None = None

    @classmethod
    def of(cls, folder: Path, overlay: Path | None) -> "Layers":
        """The exercise with what ``overlay`` has for it."""
        private = overlay / folder.name if overlay is not None else None
        differs = private is not None and private.is_dir() and private.resolve() != folder.resolve()
        return cls(folder, private if differs else None)

    @property
    def place(self) -> Path:
        """Where what is built of both lies: in the private layer, if there is one."""
        return self.private or self.folder

    def _own(self, name: str) -> list[Path]:
        """The private layer, if it has that file."""
        return [self.private] if self.private is not None and (self.private / name).is_file() else []

    def questions(self) -> list[Question]:
        """The specifications, those of the private layer in the place of public ones."""
        return load_questions(self.folder, self.private)

    def solution_lines(self) -> set[str]:
        """The lines between the solutions' markers, of both layers."""
        texts = [layer / "exercise.md" for layer in (self.folder, *self._own("exercise.md"))]
        return set().union(*(solution_lines(path.read_text(encoding="utf-8")) for path in texts))

    def source(self) -> Source:
        """The cells, those of the private layer in the place of public ones."""
        public = read_source(self.folder / "exercise.md")
        for layer in self._own("exercise.md"):
            own = read_source(layer / "exercise.md")
            stubs, solutions = public.stubs | own.stubs, public.solutions | own.solutions
            return Source(own.notebook, own.setup, stubs, solutions)
        return public

    def question_folders(self, question: str) -> list[Path]:
        """The folders of a question, the public one first; none of it where the private one replaces it."""
        layers = [layer for layer in (self.folder, self.private) if layer is not None]
        found = [path for layer in layers if (path := question_folders(layer).get(question)) is not None]
        return found[-1:] if found and (found[-1] / "spec.py").is_file() else found

    def bank(self, side: str) -> list[BankAnswer]:
        """The right or the wrong answers of both layers."""
        layers = [layer for layer in (self.folder, self.private) if layer is not None]
        found: list[BankAnswer] = []
        for question in dict.fromkeys(q for layer in layers for q in question_folders(layer)):
            answers: dict[str, BankAnswer] = {}
            for path in self.question_folders(question):
                answers |= {a.name: a for a in read_answers(path / f"{side}.py", question)}
            found += answers.values()
        return found

    def certificate_path(self, question: str) -> Path:
        """Where the certificate of a question is stored."""
        return self.place / self.question_folders(question)[-1].name / CERTIFICATE

    def originals(self) -> Iterator[tuple[str, bytes]]:
        """The files that are written by hand: those beside what is built of them and the certificates."""
        for layer in filter(None, (self.folder, self.private)):
            for path in sorted(p for p in layer.rglob("*") if p.is_file()):
                name = path.relative_to(layer).as_posix()
                hidden = name.startswith(".") or "__pycache__" in name or "/." in name
                if not hidden and name not in BUILT and path.name != CERTIFICATE:
                    yield name, path.read_bytes()

    def _data(self) -> Iterator[tuple[str, bytes]]:
        """The files that questions may read: those beside the specifications and their banks."""
        for name, content in self.originals():
            if name.rpartition("/")[2] not in NOT_DATA:
                yield name, content

    def question_version(self, question: str) -> str:
        """The digest of what a question asks for and is graded by, without the code that judges."""
        return self._question_versions[question]

    def proof_version(self, question: str) -> str:
        """The same without points: a proof asks whether a part is won, not what it is worth."""
        return self._proof_versions[question]

    @cached_property
    def _question_versions(self) -> dict[str, str]:
        return self._versions(points=True)

    @cached_property
    def _proof_versions(self) -> dict[str, str]:
        return self._versions(points=False)

    def _versions(self, points: bool) -> dict[str, str]:
        data, source, found = list(self._data()), self.source(), {}
        for question in self.questions():
            path = self.question_folders(question.id)[0]
            inputs = inputs_path(self.folder, self.private if path.parent == self.private else None)
            spec, shared = (
                p.read_text(encoding="utf-8") if p.is_file() else "" for p in (path / "spec.py", inputs)
            )
            own = [specification(spec, shared, points), bare(source.setup), source.stubs[question.id]]
            found[question.id] = digest([*data, *((str(i), text.encode()) for i, text in enumerate(own))])
        return found

    def version(self) -> str:
        """The digest of everything that decides points, beside the submission and the seed."""
        known = [(name, value.encode()) for name, value in sorted(self._question_versions.items())]
        return digest([*known, ("autograder", code_version().encode())])
