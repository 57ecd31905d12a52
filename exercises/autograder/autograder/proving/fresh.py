"""An author's answers on thousands of fresh inputs, in this process: they need no sandbox and no messages.

What an output is compared with, and by what rules, is what ``judging`` says; the quick comparison here only
spares it where numbers are plainly within the tolerance.
"""

import hashlib
import random
from typing import Any

import numpy as np
import torch

from autograder.authoring.layers import Layers
from autograder.authoring.spec import Part, Question, compiled
from autograder.judging.exam import Case, ExamPart, chain, draw_case, draw_part
from autograder.judging.outputs import misbehavior, output_text, wrong_output
from autograder.proving.bench import limited, namespace_of
from autograder.worker.student import Student
from autograder.worker.values import as_array, pack, unpack

ANSWER_SECONDS = 20.0


def refuted(layers: Layers, question: str, answers: list[str], inputs: int) -> dict[int, str]:
    """Which of the answers differ from the reference on fresh inputs, by their places, and how.

    Each part that draws is asked with at least ``inputs`` cases.
    """
    specified = {q.id: q for q in layers.questions()}
    asked = specified[question]
    needed = chain(specified, question)
    source = layers.source()
    setup = [source.setup, *(source.solutions[q] for q in needed)]
    students = {i: Student(namespace_of([*setup, answer]), set()) for i, answer in enumerate(answers)}
    found: dict[int, str] = {}
    for p, part in enumerate(asked.parts):
        rng = np.random.default_rng([len(question), p, inputs])
        if not part.cases(np.random.default_rng(0))[0]:
            continue  # asks for values: there is one case, which the exam has
        judged = draw_part(asked, p, np.random.default_rng(0), "fresh")
        program = compiled(part.source)
        drawn, known = 0, set()
        while drawn < inputs and len(found) < len(students):
            for given in part.cases(rng):
                drawn += 1
                if (digest := _digest(given)) in known:  # a case that is the same in every draw
                    continue
                known.add(digest)
                case = _Fresh(asked, part, judged, given)
                for i, student in students.items():
                    if i not in found and (told := case.told(program, student)):
                        found[i] = f"part {part.name!r}: {told}"
    return found


def _digest(given: dict[str, Any]) -> bytes:
    arrays: list[np.ndarray] = []
    text = repr(pack(given, arrays)).encode()
    return hashlib.sha256(b"".join([text, *(a.tobytes() for a in arrays)])).digest()


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return value


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other) or torch.equal(one.nan_to_num(), other.nan_to_num())
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


class _Fresh:
    """One set of fresh inputs, and what is expected on them."""

    def __init__(self, question: Question, part: Part, judged: ExamPart, inputs: dict[str, Any]):
        self.part, self.judged, self.inputs = part, judged, inputs
        self.case: Case = draw_case(question, part, {k: _copied(v) for k, v in inputs.items()}, "fresh")
        self.expected = self.case.expected

    def told(self, program: Any, student: Student) -> str:
        """What is wrong with an answer here; nothing if it is right."""
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - a student's code may use the global generator
        torch.default_generator.manual_seed(0)  # torch.manual_seed keeps a note of each call
        given = {name: _copied(value) for name, value in self.inputs.items()}
        try:
            with limited(ANSWER_SECONDS):
                outputs = program(student, given)
        except Exception as error:  # a mutant may do anything
            return f"{type(error).__name__}: {error}"
        changed = [name for name, value in self.inputs.items() if not _same(value, given[name])]
        if not changed and not self.judged.properties and self._is_close(outputs):
            return ""
        arrays: list[np.ndarray] = []
        packed = pack(outputs, arrays)
        got = unpack(packed, arrays)
        if name := wrong_output(self.judged, self.case, got):
            return output_text(self.judged, self.case, got, name)
        return misbehavior(self.judged, self.case, got, changed)

    def _is_close(self, outputs: Any) -> bool:
        """Whether all outputs are arrays of the expected shapes with numbers well within the tolerance."""
        if not isinstance(outputs, dict):
            return False
        for name, expected in self.expected.items():
            got = outputs.get(name)
            if not isinstance(expected, np.ndarray) or not isinstance(got, torch.Tensor):
                if type(got) is not type(expected) or isinstance(got, torch.Tensor | np.ndarray):
                    return False
                if got != expected:
                    return False
                continue
            array = got.detach().numpy() if type(got) is torch.Tensor else as_array(got)
            if array.shape != expected.shape or array.dtype.kind != expected.dtype.kind:
                return False
            if not _near(array, expected, self.part.rtol, self.part.atol):
                return False
        return True


def _near(got: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> bool:
    if expected.dtype.kind != "f":
        return np.array_equal(got, expected)
    with np.errstate(invalid="ignore"):
        return bool((np.abs(got - expected) <= 0.9 * (atol + rtol * np.abs(expected))).all())
