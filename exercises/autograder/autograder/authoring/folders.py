"""The folders of an exercise's questions, ``qN_short_name/``, and loading the specification in each.

``spec.py`` of a question defines ``QUESTION = Question(...)``. What several questions of a chapter share
stands in ``inputs.py`` beside their folders: a spec.py has it by ``from ..inputs import name``.
"""

import re
import sys
from pathlib import Path
from types import ModuleType

from autograder.authoring.spec import Question, SpecificationError

FOLDER = re.compile(r"q(\d{1,2})_\w+")
IMPORTED = "a spec.py imports Interval, Part, Question, normal from autograder.authoring"


def question_folders(folder: Path) -> dict[str, Path]:
    """The folders of the questions by their ids, in order: ``q6_shared_heads`` of chapter 7 is ``07.6``."""
    found: dict[int, Path] = {}
    for path in sorted(folder.glob("q[0-9]*")):
        named = FOLDER.fullmatch(path.name)
        if not named or not path.is_dir():
            raise SpecificationError(f"{path}: a question's folder is named like q2_short_name")
        if (number := int(named[1])) in found:
            raise SpecificationError(
                f"{path}: {found[number].name} is question {number} too; give each a number of its own"
            )
        found[number] = path
    return {f"{folder.name[:2]}.{number}": found[number] for number in sorted(found)}


def inputs_path(folder: Path, overlay: Path | None = None) -> Path:
    """The inputs.py that specifications of a layer share: the overlay's own, if it has one."""
    own = overlay / "inputs.py" if overlay is not None else None
    return own if own is not None and own.is_file() else folder / "inputs.py"


def load_questions(folder: Path, overlay: Path | None = None) -> list[Question]:
    """The questions of an exercise folder, checked: ids those of the folders, needs known.

    Those of an overlay (a folder of the same name elsewhere) replace the ones with their id, or join them.
    """
    found = _questions_of(folder, inputs_path(folder), question_folders(folder))
    if overlay is not None:
        own = {q: path for q, path in question_folders(overlay).items() if (path / "spec.py").is_file()}
        found |= _questions_of(overlay, inputs_path(folder, overlay), own)
    questions = [found[q] for q in sorted(found, key=lambda q: int(q[3:]))]
    for number, question in enumerate(questions):
        earlier = [other.id for other in questions[:number]]
        for needed in question.needs:
            if needed not in earlier:
                raise SpecificationError(
                    f"{folder}: {question.id} needs {needed}, which is no earlier question"
                )
    return questions


def _questions_of(folder: Path, inputs: Path, folders: dict[str, Path]) -> dict[str, Question]:
    package = f"autograder_questions_{folder.name}"
    sys.modules.pop(f"{package}.inputs", None)
    if folders and inputs.is_file():
        _module(f"{package}.inputs", inputs)
    return {question: _question(path, question, package, inputs) for question, path in folders.items()}


def _question(path: Path, name: str, package: str, inputs: Path) -> Question:
    spec = path / "spec.py"
    if not spec.is_file():
        raise SpecificationError(f"{path}: has no spec.py, which defines QUESTION = Question(...)")
    try:
        question = getattr(_module(f"{package}.{path.name}.spec", spec), "QUESTION", None)
    except ImportError as error:
        if error.name not in (package, f"{package}.inputs"):
            raise
        lacks = f"does not define it ({error.msg})" if inputs.is_file() else "does not exist"
        raise SpecificationError(f"{spec}: imports from ..inputs, but {inputs} {lacks}") from None
    if not isinstance(question, Question):
        raise SpecificationError(f"{spec}: should define QUESTION = Question(...)")
    if question.id != name:
        raise SpecificationError(f"{spec}: the id {question.id} should be {name}, as the folder says")
    return question


def _module(name: str, path: Path) -> ModuleType:
    """Execute a file as a module: at each load anew, with no cache that could be stale."""
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("autograder."):
            raise
        raise SpecificationError(f"{path}: there is no module {error.name}; {IMPORTED}") from None
    return module
