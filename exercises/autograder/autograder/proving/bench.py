"""Answers tried in this process on an exam's cases: the same comparisons, without a sandbox and messages.

A proof tries thousands of answers, and each of them would need a process of its own. What only a worker can
tell (a forbidden call, a process that ends itself) is left to it.
"""

import contextlib
import io
import random
import signal
import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from autograder.authoring.source import without_magics
from autograder.authoring.spec import Question, compiled, no_inputs
from autograder.judging.exam import Case, ExamPart, draw_part, part_rng
from autograder.judging.outputs import misbehavior, output_text, wrong_output
from autograder.worker.kernel import provide
from autograder.worker.student import Student
from autograder.worker.values import pack, unpack

SECONDS = 20.0


def drawn_parts(question: Question, seed: int, *, only_drawn: bool = False) -> tuple[ExamPart, ...]:
    """The parts of a question at one seed, as an exam has them; or those of them that draw inputs."""
    return tuple(
        draw_part(question, p, part_rng(seed, question.id, part.name), f"{question.id}/{seed}")
        for p, part in enumerate(question.parts)
        if not only_drawn or part.inputs is not no_inputs
    )


def namespace_of(cells: Sequence[str]) -> dict[str, Any]:
    """The names that cells define, in a module of its own; of the last, those until it stops."""
    module = types.ModuleType("__main__")
    names = module.__dict__
    provide(names)
    for number, cell in enumerate(cells, 1):
        before = set(names)
        try:
            exec(compile(without_magics(cell), "<answer>", "exec", dont_inherit=True), names)
        except (Exception, SystemExit):
            if number < len(cells) or not set(names) - before - {"__builtins__"}:
                raise
    return names


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Ends a loop that does not, where the platform has an alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"no answer within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """What an answer prints is not shown."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


class Bench:
    """The parts of a question with all their cases, and the cells that run before an answer."""

    def __init__(self, parts: Sequence[ExamPart], before: Sequence[str], seconds: float = SECONDS):
        self.parts, self.before, self.seconds = tuple(parts), list(before), seconds
        self.programs = [compiled(part.program) for part in self.parts]

    def losses(self, answer: str, *, first: bool = False) -> tuple[dict[str, str], dict[str, Any]]:
        """What is wrong in each part that the answer loses, and the names that its cells define.

        With ``first`` no further part is looked at after one is lost.
        """
        lost: dict[str, str] = {}
        with _unheard():
            try:
                with limited(self.seconds):
                    names = namespace_of([*self.before, answer])
            except (Exception, SystemExit) as error:  # an answer may do anything
                return {part.name: f"{type(error).__name__}: {error}" for part in self.parts}, {}
            student = Student(names, set())
            for part, program in zip(self.parts, self.programs, strict=True):
                told = self._told(part, program, student)
                if not told and (missing := [name for name in part.requires if name in lost]):
                    told = f"it requires {missing[0]!r}"
                if told:
                    lost[part.name] = told
                    if first:
                        break
        return lost, names

    def _told(self, part: ExamPart, program: Any, student: Student) -> str:
        for number, case in enumerate(part.cases, 1):
            if told := self._case(part, case, program, student):
                return f"case {number}: {told}"
        return ""

    def _case(self, part: ExamPart, case: Case, program: Any, student: Student) -> str:
        """What is wrong in one case; nothing if all is right."""
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - a student's code may use the global generator
        torch.default_generator.manual_seed(0)  # torch.manual_seed keeps a note of each call
        inputs = unpack(case.inputs, case.arrays, tensor=lambda a: torch.from_numpy(a.copy()), array=np.copy)
        arrays: list[np.ndarray] = []
        try:
            with limited(self.seconds):
                packed = pack(program(student, inputs), arrays)
        except (Exception, SystemExit) as error:
            return f"{type(error).__name__}: {error}"
        outputs = unpack(packed, arrays)
        if not isinstance(outputs, dict):
            return "the program gives no outputs"
        if name := wrong_output(part, case, outputs):
            return output_text(part, case, outputs, name)
        before = unpack(case.inputs, case.arrays)
        changed = [name for name in before if _as_bytes(inputs[name]) != _as_bytes(before[name])]
        return misbehavior(part, case, outputs, changed)


def _as_bytes(value: Any) -> tuple[str, list[tuple]]:
    arrays: list[np.ndarray] = []
    text = repr(pack(value, arrays)).replace("'tensor'", "'array'")
    return text, [(a.dtype.str, a.shape, a.tobytes()) for a in arrays]
